import type { MergeContext } from './merge-context.ts';
import { differs, mergeRows, temporary, type Merged } from './merge-rows.ts';
import { textSql } from '../../../platform/db/text-sql.ts';

const COLUMNS = ['name', 'code', 'sku', 'weight_grams', 'nutrition', 'is_default'] as const;

/**
 * Upserts sizes and their memberships. Requires `seen_item`, creates `seen_size`. The key is item
 * and ERP size id, because placement keys of the ERP are not stable.
 */
export async function mergeSizes(
  context: MergeContext,
): Promise<{ sizes: Merged; memberships: Merged }> {
  const { tx, runId, externalMenuId, startedAt } = context;
  const text = textSql(tx);
  const stated =
    'new_size new join seen_item item on item.erp_id = new.item_erp_id and item.role = new.role';
  const created = await text.execute(
    `insert into mirror_item_size (item_id, erp_size_id, ${COLUMNS.join(', ')}, first_seen_at, changed_at)
     select item.item_id, new.erp_size_id, ${COLUMNS.map((name) => `new.${name}`).join(', ')}, $1, $1 from ${stated}
      where not exists (select 1 from mirror_item_size old where old.item_id = item.item_id and old.erp_size_id = new.erp_size_id)
      order by item.item_id, new.erp_size_id on conflict do nothing`,
    [startedAt],
  );

  await temporary(
    tx,
    { name: 'seen_size', joinedBy: [['item_size_id'], ['item_erp_id', 'role', 'erp_size_id']] },
    `select size.id as item_size_id, item.item_id, new.item_erp_id, new.role, new.erp_size_id, new.is_hidden, item.is_owner
       from ${stated}
       join mirror_item_size size on size.item_id = item.item_id and size.erp_size_id = new.erp_size_id`,
  );

  const updated = await text.execute(
    `with changed as (
       select old.id, ${COLUMNS.map((name) => `new.${name}`).join(', ')} from mirror_item_size old join seen_size seen on seen.item_size_id = old.id
         join new_size new on new.item_erp_id = seen.item_erp_id and new.role = seen.role and new.erp_size_id = seen.erp_size_id
        where seen.is_owner and ${differs('old', 'new', COLUMNS)}
        order by old.id for no key update of old)
     update mirror_item_size old set ${COLUMNS.map((name) => `${name} = changed.${name}`).join(', ')}, changed_at = $1
       from changed where old.id = changed.id`,
    [startedAt],
  );

  const returned = await text.execute(
    `update mirror_item_size size set deleted_at = null, last_run = null from seen_size seen
      where seen.item_size_id = size.id and size.deleted_at is not null`,
  );

  const memberships = await mergeRows(tx, {
    table: 'mirror_size_menu',
    keys: ['external_menu_id', 'item_size_id'],
    columns: ['is_hidden'],
    source: '(select $1::bigint as external_menu_id, item_size_id, is_hidden from seen_size)',
    params: [externalMenuId],
    runId,
  });

  return { sizes: { created, updated: updated + returned }, memberships };
}

/**
 * Replaces the prices of sizes in the response (MIR-9). A size without a price keeps its last one
 * with `lost_at`, and so do missing sizes in a full run. Inactive organizations and those in
 * `heldBackIds` keep their prices. An item with an unreadable row loses only prices that the
 * response removes (MIR-71).
 */
export async function mergePrices(
  context: MergeContext,
): Promise<{ upserted: number; unchanged: number; lost: number; takenOff: number }> {
  const { tx, externalMenuId, startedAt, isFull, heldBackIds } = context;
  const organizationIds = context.organizationIds.filter((id) => !heldBackIds.includes(id));
  const text = textSql(tx);
  const stated = await temporary(
    tx,
    { name: 'stated_price', joinedBy: [['item_size_id', 'organization_id']] },
    `select $1::bigint as external_menu_id, seen.item_size_id, new.organization_id, new.price_kopecks
       from new_price new join seen_size seen using (item_erp_id, role, erp_size_id)
      where new.price_kopecks is not null and new.organization_id <> all ($2::bigint[])`,
    [externalMenuId, heldBackIds],
  );

  const created = await text.execute(
    `insert into mirror_price (external_menu_id, item_size_id, organization_id, price_kopecks, changed_at)
     select new.external_menu_id, new.item_size_id, new.organization_id, new.price_kopecks, $1 from stated_price new
      where not exists (select 1 from mirror_price old where old.external_menu_id = new.external_menu_id
                           and old.item_size_id = new.item_size_id and old.organization_id = new.organization_id)
      order by new.item_size_id, new.organization_id`,
    [startedAt],
  );

  const updated = await text.execute(
    `update mirror_price old set price_kopecks = new.price_kopecks, lost_at = null, changed_at = $1 from stated_price new
      where old.external_menu_id = new.external_menu_id and old.item_size_id = new.item_size_id
        and old.organization_id = new.organization_id
        and (old.price_kopecks <> new.price_kopecks or old.lost_at is not null)`,
    [startedAt],
  );

  const lost = await text.execute(
    `update mirror_price old set lost_at = $2
      where old.external_menu_id = $1 and old.lost_at is null and old.organization_id = any ($3::bigint[])
        and ($4 or exists (select 1 from seen_size seen where seen.item_size_id = old.item_size_id))
        and not exists (select 1 from stated_price new where new.item_size_id = old.item_size_id
                           and new.organization_id = old.organization_id)
        and (old.item_size_id not in (select id from mirror_item_size where item_id in (select item_id from unread_item))
             or exists (select 1 from new_price new join seen_size seen using (item_erp_id, role, erp_size_id)
                         where seen.item_size_id = old.item_size_id and new.organization_id = old.organization_id))`,
    [externalMenuId, startedAt, organizationIds, isFull],
  );

  const takenOff = await text.execute(
    `delete from mirror_price old using external_menu_setting setting
      where old.external_menu_id = $1 and setting.external_menu_id = $1
        and setting.organization_ids is not null and old.organization_id <> all (setting.organization_ids)`,
    [externalMenuId],
  );

  const upserted = created + updated;

  return { upserted, unchanged: stated - upserted, lost, takenOff };
}
