import type { Tx } from '../../../platform/db/database.ts';
import type { MergeContext } from './merge-context.ts';
import { textSql } from '../../../platform/db/text-sql.ts';
import { temporary } from './merge-rows.ts';
import { STAGE_TABLES, type StagedRows } from './stage-rows.ts';

export type StagedBatch = { batch: number; attempt: number; rows: StagedRows };

/** Workers of the previous release stage no rows of new tables. */
const countRows = ({ rows }: { rows: Partial<StagedRows> }, table: keyof StagedRows): number =>
  rows[table] ?? 0;

/** The first batch that contains a key wins (MIR-8). */
const MERGED: readonly { name: string; from: string; key: readonly string[] }[] = [
  { name: 'new_product_category', from: 'stage_product_category', key: ['erp_id'] },
  { name: 'new_menu_category', from: 'stage_menu_category', key: ['erp_id'] },
  { name: 'new_item', from: 'stage_item', key: ['erp_id', 'role'] },
  { name: 'new_placement', from: 'stage_placement', key: ['category_erp_id', 'item_erp_id'] },
  { name: 'new_size', from: 'stage_size', key: ['item_erp_id', 'role', 'erp_size_id'] },
  {
    name: 'new_price',
    from: 'stage_price',
    key: ['item_erp_id', 'role', 'erp_size_id', 'organization_id'],
  },
  { name: 'new_group', from: 'stage_group', key: ['item_erp_id', 'group_key'] },
  { name: 'new_unread_item', from: 'stage_unread_item', key: ['role', 'erp_id'] },
];

/**
 * Returns true if the staging tables contain exactly the reported rows. Otherwise a crash of the
 * database emptied these unlogged tables, and the menu must be fetched again.
 */
export async function isStagedCompletely(
  tx: Tx,
  runId: number,
  batches: readonly StagedBatch[],
): Promise<boolean> {
  const text = textSql(tx);
  await text.query(
    'create temporary table chosen_batch (batch int not null, attempt int not null) on commit drop',
  );
  await text.execute('insert into chosen_batch select * from unnest($1::int[], $2::int[])', [
    batches.map((batch) => batch.batch),
    batches.map((batch) => batch.attempt),
  ]);

  for (const table of STAGE_TABLES) {
    const expected = batches.reduce((sum, batch) => sum + countRows(batch, table), 0);
    const [row] = await text.query<{ count: number }>(
      `select count(*) as count from ${table} join chosen_batch using (batch, attempt) where run_id = $1`,
      [runId],
    );
    if (row?.count !== expected) return false;
  }

  return true;
}

/**
 * Creates the `new_…` tables, and `unread_item` with items that unreadable rows may concern
 * (MIR-71). Requires `chosen_batch`.
 */
export async function mergeBatches({
  tx,
  runId,
  externalMenuId,
}: Pick<MergeContext, 'tx' | 'runId' | 'externalMenuId'>): Promise<void> {
  const text = textSql(tx);

  for (const { name, from, key } of MERGED) {
    await temporary(
      tx,
      { name, joinedBy: [key] },
      `select distinct on (${key.join(', ')}) * from ${from} join chosen_batch using (batch, attempt)
        where run_id = $1 order by ${key.join(', ')}, batch`,
      [runId],
    );
  }

  // A group and its links come from the same batch, so that compositions are not mixed. With
  // outdated statistics, nested loops would read all groups for each link.
  await text.execute('set local enable_nestloop = off');
  await temporary(
    tx,
    { name: 'new_link', joinedBy: [['item_erp_id', 'group_key', 'modifier_erp_id']] },
    `select link.* from stage_link link join new_group using (run_id, batch, attempt, item_erp_id, group_key)
      where link.run_id = $1`,
    [runId],
  );

  await text.execute('set local enable_nestloop = on');
  await temporary(
    tx,
    { name: 'unread_item', joinedBy: [['item_id'], ['erp_id', 'role']] },
    `select item.id as item_id, item.erp_id, item.role
       from mirror_item_menu membership join mirror_item item on item.id = membership.item_id
       join new_unread_item unread on unread.role = item.role
        and (unread.erp_id = item.erp_id
             or (unread.erp_id is null and not exists (select from new_item new
                                                        where new.erp_id = item.erp_id and new.role = item.role)))
      where membership.external_menu_id = $1 group by item.id`,
    [externalMenuId],
  );
}
