import { sql } from 'kysely';
import type { LostPrices } from '../rules/shrink.ts';
import type { MergeContext } from './merge-context.ts';
import type { Row } from '../../../platform/db/row.ts';

type CountedRow = Row<'mirror_price', 'organizationId'> &
  Row<'mirror_item', 'role', Pick<LostPrices, 'before' | 'vanished'>>;

/**
 * Counts the prices of each restaurant, and those that the response removes, except prices of
 * unreadable rows (MIR-71). Requires the `new_…` tables.
 */
export async function countLostPrices(context: MergeContext): Promise<LostPrices[]> {
  const { tx, externalMenuId, organizationIds, isFull } = context;
  const { rows } = await sql<CountedRow>`
    select old.organization_id, item.role, count(*) as before,
           count(*) filter (where stated.price_kopecks is null
                              and (${isFull}::boolean or named.item_erp_id is not null)
                              and (stated.item_erp_id is not null or item.id not in (select item_id from unread_item))) as vanished
      from mirror_price old join mirror_item_size size on size.id = old.item_size_id join mirror_item item on item.id = size.item_id
      left join new_price stated on stated.item_erp_id = item.erp_id and stated.role = item.role
            and stated.erp_size_id = size.erp_size_id and stated.organization_id = old.organization_id
      left join new_size named on named.item_erp_id = item.erp_id and named.role = item.role
            and named.erp_size_id = size.erp_size_id
     where old.external_menu_id = ${externalMenuId} and old.lost_at is null
       and old.organization_id = any (${organizationIds}::bigint[])
     group by old.organization_id, item.role`.execute(tx.db);

  return rows;
}
