import { invalidField, Problem } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import { containsText, searchedText } from '../contains-text.ts';
import type { Sql, Tx } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';
import { writeProfile } from './write-profile.ts';

type UiType = 'RADIO' | 'CHECKBOX' | 'COUNTER';
type Profile = { displayName: string | null; uiType: UiType | null; isHidden: boolean; isCollapsed: boolean };

/** A modifier group of the external system, over all dishes that have it, and what staff say about it. */
export type ModifierGroupView = Profile & {
  groupKey: string;
  name: string;
  /** Sizes of dishes that have it. */
  sizeCount: number;
  /** ERP ids of the modifiers it has now, in the order staff gave them; empty while they have not. */
  order: string[];
  /** 0 while staff have said nothing. */
  version: number;
};

/** Fields that are left out stay; null clears. */
export type ModifierGroupEdit = Partial<Profile> & { version: number };

const COLUMNS = `known.group_key as "groupKey", known.name, known.size_count as "sizeCount", profile.display_name as "displayName",
  profile.ui_type as "uiType", coalesce(profile.is_hidden, false) as "isHidden", coalesce(profile.is_collapsed, false) as "isCollapsed",
  coalesce((select json_agg(item.erp_id order by place) from unnest(profile.item_order) with ordinality as wanted (id, place)
    join mirror_item item on item.id = wanted.id
   where exists (select from mirror_modifier_link link join mirror_modifier_group own on own.id = link.modifier_group_id
                  where link.item_id = wanted.id and own.group_key = known.group_key)), '[]') as "order", coalesce(profile.version, 0) as version`;
const TABLES = `(select group_key, min(name) as name, count(distinct item_size_id) as size_count
    from mirror_modifier_group group by group_key) known
  left join catalog_modifier_group_profile profile on profile.group_key = known.group_key`;

/** One page of modifier groups by name; `q` is a part of the ERP's name or of the one guests see. */
export function listModifierGroups(
  sql: Sql,
  input: Paging & { q?: string | undefined },
): Promise<Page<ModifierGroupView>> {
  return readPageOfText(sql, input, {
    columns: COLUMNS,
    from: `${TABLES} where $1::text is null or ${containsText('known.name', '$1')}
      or ${containsText('profile.display_name', '$1')}`,
    order: 'known.name, known.group_key',
    params: [searchedText(input.q)],
  });
}

/**
 * Changes how a group is shown in every menu. An edit that changes nothing writes nothing.
 * Problems: not-found, version-conflict, validation.
 */
export function editModifierGroup(
  deps: CatalogDeps,
  actor: Actor,
  groupKey: string,
  { version, ...edit }: ModifierGroupEdit,
): Promise<ModifierGroupView> {
  return commitEdit(deps, async (tx) => {
    const before = await getGroup(tx, groupKey, version);
    const after = { ...before, ...trimmed(edit) };
    await save(tx, actor, before, after, {
      display_name: after.displayName,
      ui_type: after.uiType,
      is_hidden: after.isHidden,
      is_collapsed: after.isCollapsed,
    });
    return getGroup(tx, groupKey, null);
  });
}

/** Puts modifiers of a group in order; those that are not named follow. Problems: not-found, version-conflict, validation. */
export function orderModifiers(
  deps: CatalogDeps,
  actor: Actor,
  groupKey: string,
  { version, order }: { version: number; order: readonly string[] },
): Promise<ModifierGroupView> {
  return commitEdit(deps, async (tx) => {
    const before = await getGroup(tx, groupKey, version);
    const members = await tx.query<{ id: number; erpId: string }>(
      `select distinct item.id, item.erp_id as "erpId" from mirror_modifier_group known
         join mirror_modifier_link link on link.modifier_group_id = known.id join mirror_item item on item.id = link.item_id
        where known.group_key = $1`,
      [groupKey],
    );
    const ids = new Map(members.map((each) => [each.erpId, each.id]));
    const wanted = order.map((erpId) => erpId.toLowerCase());
    const unknown = wanted.findIndex((erpId) => !ids.has(erpId));
    if (unknown >= 0) throw invalidField(`order.${unknown}`, 'not_found', 'Not a modifier of this group.');
    const repeated = wanted.findIndex((erpId, at) => wanted.indexOf(erpId) < at);
    if (repeated >= 0) throw invalidField(`order.${repeated}`, 'duplicate', 'Named twice.');
    const itemOrder = wanted.map((erpId) => ids.get(erpId));
    await save(tx, actor, before, { ...before, order: wanted }, { item_order: itemOrder });
    return getGroup(tx, groupKey, null);
  });
}

/** One group; with `version` it must still have it. */
async function getGroup(tx: Sql, groupKey: string, version: number | null): Promise<ModifierGroupView> {
  const [group] = await tx.query<ModifierGroupView>(`select ${COLUMNS} from ${TABLES} where known.group_key = $1`, [
    groupKey,
  ]);
  if (group === undefined) throw new Problem('not-found', { detail: 'No such modifier group.' });
  if (version !== null && version !== group.version)
    throw new Problem('version-conflict', { extra: { currentVersion: group.version } });
  return group;
}

async function save(
  tx: Tx,
  actor: Actor,
  before: ModifierGroupView,
  after: ModifierGroupView,
  columns: Record<string, unknown>,
): Promise<void> {
  const [old, now] = [said(before), said(after)];
  if (JSON.stringify(old) === JSON.stringify(now)) return;
  const { groupKey: key, version } = before;
  await writeProfile(tx, { table: 'catalog_modifier_group_profile', keyColumn: 'group_key', key, version, columns });
  await recordEdit(tx, actor, {
    entityType: 'modifier-group',
    entityId: key,
    action: 'update',
    before: old,
    after: now,
    outdates: 'modifier-group-update',
  });
}

function said({ displayName, uiType, isHidden, isCollapsed, order }: ModifierGroupView): Record<string, unknown> {
  return { displayName, uiType, isHidden, isCollapsed, order };
}

function trimmed<E extends { displayName?: string | null }>(edit: E): E {
  if (typeof edit.displayName !== 'string') return edit;
  const displayName = edit.displayName.trim();
  return { ...edit, displayName: displayName === '' ? null : displayName };
}
