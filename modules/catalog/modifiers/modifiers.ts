import type { ModifierEdit } from '../schemas/catalog-requests.ts';
import type { Modifier } from '../schemas/catalog.ts';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { contains, searchedText, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { requireVersion, saveKeyed } from '../../../kernel/edits.ts';
import { requireMedia } from '../../media/media-rows.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';

type Profile = Pick<Modifier, 'displayName' | 'imageId' | 'position' | 'isHidden'>;

function selectModifiers({ db }: Sql) {
  return db
    .selectFrom('mirror_item as item')
    .leftJoin('catalog_modifier_profile as profile', 'profile.itemId', 'item.id')
    .where('item.role', '=', 'MODIFIER');
}

const COLUMNS = [
  'item.erpId as erpItemId',
  'item.name',
  'item.sku',
  sql<boolean>`item.deleted_at is not null`.as('isDeleted'),
  'profile.displayName',
  'profile.imageId',
  'profile.position',
  sql<boolean>`coalesce(profile.is_hidden, false)`.as('isHidden'),
  sql<number>`coalesce(profile.version, 0)`.as('version'),
] as const;

export function listModifiers(
  tx: Sql,
  input: Paging & { q?: string | undefined; groupKey?: string | undefined },
): Promise<Page<Modifier>> {
  const texts = sql<string>`concat_ws(' ', item.name, item.sku, profile.display_name)`;
  const query = selectModifiers(tx).where(contains(texts, searchedText(input.q)));
  const { groupKey } = input;
  const modifiers =
    groupKey === undefined ? query : query.where('item.id', 'in', selectMembers(tx, groupKey));

  return readPage(modifiers.select(COLUMNS).orderBy('item.name').orderBy('item.id'), input);
}

function selectMembers({ db }: Sql, groupKey: string) {
  return db
    .selectFrom('mirror_modifier_link as link')
    .innerJoin('mirror_modifier_group as known', 'known.id', 'link.modifierGroupId')
    .select('link.itemId')
    .where('known.groupKey', '=', groupKey);
}

/**
 * Changes how menus show a modifier. Problems: not-found, version-conflict, validation (unknown
 * image).
 */
export function editModifier(
  deps: CatalogDeps,
  actor: Actor,
  erpItemId: string,
  { version, ...edit }: ModifierEdit,
): Promise<Modifier> {
  return commitEdit(deps, async (tx) => {
    const { id, ...before } = await getModifier(tx, erpItemId);
    requireVersion(before.version, version);
    const name = edit.displayName?.trim();
    const after = {
      ...before,
      ...edit,
      ...(name === undefined ? {} : { displayName: name === '' ? null : name }),
    };
    if (JSON.stringify(editedFields(before)) === JSON.stringify(editedFields(after))) return before;

    await requireMedia(tx, 'imageId', after.imageId);
    await saveKeyed(
      tx,
      { table: 'catalog_modifier_profile', key: 'itemId', of: id, seen: version },
      editedFields(after),
    );

    await recordEdit(tx, actor, {
      entityType: 'modifier',
      entityId: erpItemId,
      action: 'update',
      before: editedFields(before),
      after: editedFields(after),
      outdates: 'modifier-update',
    });

    const { id: _id, ...view } = await getModifier(tx, erpItemId);

    return view;
  });
}

function getModifier(tx: Sql, erpItemId: string): Promise<Modifier & { id: number }> {
  return selectModifiers(tx)
    .select(['item.id', ...COLUMNS])
    .where('item.erpId', '=', erpItemId)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such modifier.' }));
}

function editedFields({ displayName, imageId, position, isHidden }: Profile): Profile {
  return { displayName, imageId, position, isHidden };
}
