import { sql } from 'kysely';
import type { CallOptions } from '../../../erp/call.ts';
import { MOST_IDS } from '../../../erp/endpoints/deliveries-read.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { Failpoint } from '../../../platform/failpoint.ts';
import type { OrderStanding } from '../messages/ordering.ts';
import { savedRevision } from './order-revision.ts';
import { findOrder, toStanding, type OrderRow } from '../orders/order-row.ts';
import { applyAll, type PollDeps } from './apply-orders.ts';
import { polledOrganizations } from './polled-organizations.ts';
import { AT_RESTAURANT } from '../rules/order-states.ts';

const FRESH = sql<Date>`now() - interval '2 minutes'`;

export type Following = { followMs: number; isHinted: boolean };

/**
 * Updates an accepted order (rule ORD-99). If the restaurant was not polled recently, calls the ERP
 * for up to 200 due orders. Idempotent.
 */
export async function followOrder(
  deps: PollDeps & { failpoint: Failpoint },
  row: OrderRow,
  following: Following,
  options?: CallOptions,
): Promise<OrderStanding> {
  const { db, erp } = deps;
  const organizationErpId = row.erpOrganizationErpId ?? (await readErpId(db, row.organizationId));
  const { together, refused } = await polledOrganizations(db, row.connectionId);
  const isOne = ({ erpId }: { erpId: string }) => erpId === organizationErpId;
  if (together.some(isOne) && (await isFresh(db, row.connectionId))) return toStanding(row);
  const due = await claimDue(db, row, organizationErpId, following);
  if (due.length === 0) return toStanding(row);

  try {
    const saved = await savedRevision(db, row.connectionId);
    // The rejection of this organization is recorded and does not concern the connection.
    const request = { ...options, priority: 'REST' as const, isPart: refused.some(isOne) };
    const { orders } = await erp.deliveriesById(row.connectionId, organizationErpId, due, request);
    deps.failpoint('order-looked');
    await applyAll(deps, row.connectionId, orders, saved);
    deps.failpoint('order-written');
  } catch (error) {
    if (!isErpFailure(error)) throw error;
    return toStanding(row, error.retryAfterMs ?? null);
  }

  return toStanding(await findOrder(db, row.id));
}

async function readErpId({ db }: Sql, organizationId: number): Promise<string> {
  const { erpId } = await db
    .selectFrom('mirror_organization')
    .select('erpId')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();

  return erpId;
}

async function isFresh({ db }: Sql, connectionId: number): Promise<boolean> {
  const fresh = await db
    .selectFrom('order_revision')
    .select('connectionId')
    .where('connectionId', '=', connectionId)
    .where('polledAt', '>', FRESH)
    .executeTakeFirst();

  return fresh !== undefined;
}

async function claimDue(
  { db }: Sql,
  { id, connectionId }: OrderRow,
  organizationErpId: string,
  { followMs, isHinted }: Following,
): Promise<string[]> {
  const isDue = (followedAt: string) =>
    sql`coalesce(${sql.ref(followedAt)} <= now() - ${followMs * 0.9} * interval '1 millisecond', true)`;
  const { rows } = await sql<Row<'customer_order', 'id' | 'erpOrderId'>>`
    with wanted as (
      select o.id from customer_order o join mirror_organization organization on organization.id = o.organization_id
       where o.connection_id = ${connectionId} and o.ended_at is null and o.state = ${anyOf(AT_RESTAURANT, 'text')}
         and coalesce(o.erp_organization_erp_id, organization.erp_id) = ${organizationErpId}
         and (o.id = ${id} or ${isDue('o.followed_at')})
         and exists (select from customer_order own
                      where own.id = ${id} and (${isHinted}::boolean or ${isDue('own.followed_at')}))
       order by o.id <> ${id}, o.followed_at nulls first
       limit ${MOST_IDS}
         for update of o skip locked)
    update customer_order set followed_at = now() where id in (select id from wanted)
    returning id, erp_order_id`.execute(db);

  return rows.map((order) => order.erpOrderId ?? order.id);
}
