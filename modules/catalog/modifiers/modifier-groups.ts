import type { ModifierGroupEdit, ModifierOrder } from '../schemas/catalog-requests.ts';
import type { ModifierGroup, ModifierGroupUse } from '../schemas/catalog.ts';
import { sql, type Updateable } from 'kysely';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { contains, searchedText, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import { requireVersion, saveKeyed } from '../../../kernel/edits.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';

/** Current modifiers in the order that staff set. */
const ORDER = sql<string[]>`coalesce((select json_agg(item.erp_id order by at)
  from unnest(profile.item_order) with ordinality as wanted (id, at) join mirror_item item on item.id = wanted.id
 where exists (select from mirror_modifier_link link join mirror_modifier_group own on own.id = link.modifier_group_id
                where link.item_id = wanted.id and own.group_key = known.group_key)), '[]')`;

const PRODUCT = sql<ModifierGroupUse['product']>`case when product.id is not null then
  json_build_object('id', product.id, 'name', product.name, 'status', product.status) end`;

function selectGroups({ db }: Sql) {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('mirror_modifier_group')
        .select(({ fn }) => [
          'groupKey',
          fn.min('name').as('name'),
          fn.count<number>('itemSizeId').distinct().as('sizeCount'),
        ])
        .groupBy('groupKey')
        .as('known'),
    )
    .leftJoin('catalog_modifier_group_profile as profile', 'profile.groupKey', 'known.groupKey')
    .select([
      'known.groupKey',
      'known.name',
      'known.sizeCount',
      'profile.displayName',
      'profile.uiType',
    ])
    .select(({ fn }) => [
      fn.coalesce('profile.isHidden', sql.lit(false)).as('isHidden'),
      fn.coalesce('profile.isCollapsed', sql.lit(false)).as('isCollapsed'),
      ORDER.as('order'),
      fn.coalesce('profile.version', sql.lit(0)).as('version'),
    ]);
}

export function listModifierGroups(
  sql: Sql,
  input: Paging & { q?: string | undefined },
): Promise<Page<ModifierGroup>> {
  const q = searchedText(input.q);
  const groups = selectGroups(sql)
    .where((eb) =>
      eb.or([contains(eb.ref('known.name'), q), contains(eb.ref('profile.displayName'), q)]),
    )
    .orderBy('known.name')
    .orderBy('known.groupKey');

  return readPage(groups, input);
}

/** Returns one page of dishes with a group and their products (CAT-64). Problem `not-found`. */
export async function listGroupUses(
  sql: Sql,
  groupKey: string,
  paging: Paging,
): Promise<Page<ModifierGroupUse>> {
  await getGroup(sql, groupKey);
  const uses = sql.db
    .selectFrom('mirror_modifier_group as own')
    .innerJoin('mirror_item_size as size', 'size.id', 'own.itemSizeId')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .leftJoin('catalog_item_binding as binding', 'binding.itemId', 'item.id')
    .leftJoin('catalog_product as product', 'product.id', 'binding.productId')
    .select(({ fn }) => [
      'item.erpId as itemId',
      'item.name',
      'item.sku',
      fn.count<number>('own.itemSizeId').distinct().as('sizeCount'),
      PRODUCT.as('product'),
    ])
    .where('own.groupKey', '=', groupKey)
    .where('item.deletedAt', 'is', null)
    .groupBy(['item.id', 'product.id'])
    .orderBy('item.name')
    .orderBy('item.id');

  return readPage(sql.db.selectFrom(uses.as('used')).selectAll(), paging);
}

/** Changes how menus show a group. Problems: not-found, version-conflict, validation. */
export function editModifierGroup(
  deps: CatalogDeps,
  actor: Actor,
  groupKey: string,
  { version, ...edit }: ModifierGroupEdit,
): Promise<ModifierGroup> {
  return commitEdit(deps, async (tx) => {
    const before = await getGroup(tx, groupKey, version);
    const after = { ...before, ...trimmed(edit) };
    const { displayName, uiType, isHidden, isCollapsed } = after;
    await save(tx, actor, before, after, { displayName, uiType, isHidden, isCollapsed });
    return getGroup(tx, groupKey);
  });
}

/**
 * Orders modifiers of a group; unlisted modifiers follow. Problems: not-found, version-conflict,
 * validation.
 */
export function orderModifiers(
  deps: CatalogDeps,
  actor: Actor,
  groupKey: string,
  { version, order }: ModifierOrder,
): Promise<ModifierGroup> {
  return commitEdit(deps, async (tx) => {
    const before = await getGroup(tx, groupKey, version);
    const members = await tx.db
      .selectFrom('mirror_modifier_group as known')
      .innerJoin('mirror_modifier_link as link', 'link.modifierGroupId', 'known.id')
      .innerJoin('mirror_item as item', 'item.id', 'link.itemId')
      .select(['item.id', 'item.erpId'])
      .distinct()
      .where('known.groupKey', '=', groupKey)
      .execute();

    const ids = new Map(members.map((member) => [member.erpId, member.id]));
    const erpIds = order.map((erpId) => erpId.toLowerCase());
    const unknown = erpIds.findIndex((erpId) => !ids.has(erpId));
    if (unknown >= 0)
      throw invalidField(`order.${unknown}`, 'not_found', 'Not a modifier of this group.');
    const repeated = erpIds.findIndex((erpId, at) => erpIds.indexOf(erpId) < at);
    if (repeated >= 0) throw invalidField(`order.${repeated}`, 'duplicate', 'Named twice.');
    const itemOrder = erpIds.flatMap((erpId) => ids.get(erpId) ?? []);
    await save(tx, actor, before, { ...before, order: erpIds }, { itemOrder });

    return getGroup(tx, groupKey);
  });
}

async function getGroup(tx: Sql, groupKey: string, seen?: number): Promise<ModifierGroup> {
  const group = await selectGroups(tx)
    .where('known.groupKey', '=', groupKey)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such modifier group.' }));
  requireVersion(group.version, seen);
  return group;
}

async function save(
  tx: Tx,
  actor: Actor,
  before: ModifierGroup,
  after: ModifierGroup,
  change: Updateable<Tables['catalog_modifier_group_profile']>,
): Promise<void> {
  const [old, now] = [editedFields(before), editedFields(after)];
  if (JSON.stringify(old) === JSON.stringify(now)) return;
  const { groupKey, version: seen } = before;
  await saveKeyed(
    tx,
    { table: 'catalog_modifier_group_profile', key: 'groupKey', of: groupKey, seen },
    change,
  );

  await recordEdit(tx, actor, {
    entityType: 'modifier-group',
    entityId: groupKey,
    action: 'update',
    before: old,
    after: now,
    outdates: 'modifier-group-update',
  });
}

function editedFields({
  displayName,
  uiType,
  isHidden,
  isCollapsed,
  order,
}: ModifierGroup): Record<string, unknown> {
  return { displayName, uiType, isHidden, isCollapsed, order };
}

function trimmed<E extends { displayName?: string | null }>(edit: E): E {
  if (typeof edit.displayName !== 'string') return edit;
  const displayName = edit.displayName.trim();
  return { ...edit, displayName: displayName === '' ? null : displayName };
}
