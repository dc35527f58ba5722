import type { MergeContext } from './merge-context.ts';
import { mergeRows, temporary, type Merged } from './merge-rows.ts';
import { textSql } from '../../../platform/db/text-sql.ts';

const QUANTITIES = ['min_quantity', 'max_quantity', 'free_quantity', 'default_quantity'] as const;

const GROUP_COLUMNS = [
  'erp_id',
  'name',
  'sku',
  'position',
  'is_hidden',
  'has_child_restrictions',
  ...QUANTITIES,
];

const LINK_COLUMNS = ['position', 'name', 'is_hidden', 'weight_grams', ...QUANTITIES];

/** Dishes that may lose modifiers (MIR-63, MIR-71). */
const STATES_MODIFIERS = `(not $3::boolean or item_erp_id in (select item_erp_id from new_link))
  and item_erp_id not in (select erp_id from unread_item where role = 'DISH')`;

/**
 * Upserts modifier groups and replaces their links (MIR-7). Every run deletes missing groups,
 * because they are a part of the dish.
 */
export async function mergeModifiers(
  context: MergeContext,
): Promise<{ groups: Merged & { deleted: number }; links: Merged & { deleted: number } }> {
  const { tx, runId, externalMenuId, startedAt, keepsModifiers } = context;
  const text = textSql(tx);
  const groups = await mergeRows(tx, {
    table: 'mirror_modifier_group',
    keys: ['external_menu_id', 'item_size_id', 'group_key'],
    columns: GROUP_COLUMNS,
    source: `(select $1::bigint as external_menu_id, size.item_size_id, stated.*
                from new_group stated join seen_size size on size.item_erp_id = stated.item_erp_id and size.role = 'DISH')`,
    params: [externalMenuId],
    runId,
  });

  const deletedGroups = await text.execute(
    deleteGroups(
      `item_size_id in (select item_size_id from seen_size where ${STATES_MODIFIERS})
         and external_menu_id = $1 and synchronized_run <> $2`,
    ),
    [externalMenuId, runId, keepsModifiers],
  );

  await temporary(
    tx,
    { name: 'seen_group', joinedBy: [['modifier_group_id'], ['item_erp_id', 'group_key']] },
    `select stored.id as modifier_group_id, size.item_erp_id, stored.group_key
       from mirror_modifier_group stored join seen_size size using (item_size_id)
      where stored.external_menu_id = $1 and stored.synchronized_run = $2`,
    [externalMenuId, runId],
  );

  const total = await temporary(
    tx,
    { name: 'seen_link', joinedBy: [['modifier_group_id', 'item_id']] },
    `select seen.modifier_group_id, item.item_id, ${LINK_COLUMNS.map((name) => `link.${name}`).join(', ')}
       from new_link link join seen_group seen using (item_erp_id, group_key)
       join seen_item item on item.erp_id = link.modifier_erp_id and item.role = 'MODIFIER'`,
  );

  const deletedLinks = await text.execute(
    `delete from mirror_modifier_link stored using seen_group seen
      where stored.modifier_group_id = seen.modifier_group_id
        and stored.item_id not in (select item_id from unread_item) and ${STATES_MODIFIERS.replace('$3', '$1')}
        and not exists (select 1 from seen_link link where link.modifier_group_id = stored.modifier_group_id
                           and link.item_id = stored.item_id)`,
    [keepsModifiers],
  );

  const links = await mergeRows(tx, {
    table: 'mirror_modifier_link',
    keys: ['modifier_group_id', 'item_id'],
    columns: LINK_COLUMNS,
    source: 'seen_link',
    changedAt: startedAt,
    total,
  });

  return {
    groups: { ...groups, deleted: deletedGroups },
    links: { ...links, deleted: deletedLinks },
  };
}

/** Returns SQL that deletes groups with their links and returns their ids. */
export function deleteGroups(condition: string): string {
  return `with gone as (delete from mirror_modifier_group where ${condition} returning id),
               links as (delete from mirror_modifier_link using gone where modifier_group_id = gone.id)
          select id from gone`;
}
