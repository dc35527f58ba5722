import { sql } from 'kysely';
import type { OrderStanding } from '../messages/ordering.ts';
import { formatOutcome } from '../../../platform/pure/search-attributes.ts';
import { determineStage } from '../rules/order-stage.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Sql, Tx, Database } from '../../../platform/db/database.ts';
import type { ErpClient } from '../../../erp/client.ts';
import type { Failpoint } from '../../../platform/failpoint.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { ErpStreets } from '../../delivery/addresses/erp-streets.ts';

export type OrderDeps = {
  db: Database;
  erp: ErpClient;
  secrets: SecretBox;
  erpStreets: ErpStreets;
  failpoint: Failpoint;
} & MoveDeps;

const COLUMNS = [
  'id',
  'number',
  'organizationId',
  'connectionId',
  'state',
  'problem',
  'totalKopecks',
  'erpTimestamp',
  'erpOrderId',
  'erpNumber',
  'erpOrganizationErpId',
  'erpError',
  'sendUntil',
  'dueAt',
  'sentAt',
  'endedAt',
  'unansweredSince',
  'missingSince',
  'personalDataId',
] as const;

export type OrderRow = Awaited<ReturnType<typeof findOrder>>;

/** All deadlines use the database clock (rule ORD-108). */
const readAt = sql<Date>`clock_timestamp()`.as('readAt');

const hasReservedGifts = sql<boolean>`exists (
  select from compensation where reserved_order_id = customer_order.id and status = 'RESERVED')`.as(
  'hasReservedGifts',
);

/** Throws if the order does not exist. */
export async function findOrder({ db }: Sql, orderId: string) {
  return db
    .selectFrom('customer_order')
    .select(COLUMNS)
    .select([readAt, hasReservedGifts])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
}

/** Locks the row, as moves require. Reads the time after locking. */
export async function holdOrder({ db }: Tx, orderId: string): Promise<OrderRow> {
  return db
    .selectFrom((from) =>
      from
        .selectFrom('customer_order')
        .select(COLUMNS)
        .where('id', '=', orderId)
        .forUpdate()
        .as('customer_order'),
    )
    .select(COLUMNS)
    .select([readAt, hasReservedGifts])
    .executeTakeFirstOrThrow();
}

export type MoveDeps = { metrics: Pick<Metrics, 'orderMovesRefused'> };

/** False if the ERP certainly does not have the order. */
export const mayBeAtErp = ({ erpOrderId, unansweredSince }: OrderRow): boolean =>
  erpOrderId !== null || unansweredSince !== null;

/**
 * Returns the state for the workflow. Until the ERP has the order, pauses end at the deadline (rule
 * ORD-59).
 */
export function toStanding(row: OrderRow, retryAfterMs: number | null = null): OrderStanding {
  const { state, problem } = row;
  const now = row.readAt.getTime();
  const stage = determineStage(row, now);
  const ends = stage === 'TO_SEND' || !mayBeAtErp(row);
  const leftMs = ends ? Math.max(0, row.sendUntil.getTime() - now) : Infinity;

  return {
    stage,
    state,
    problem,
    retryAfterMs: retryAfterMs === null ? null : Math.min(retryAfterMs, leftMs),
    outcome: stage === 'ENDED' ? formatOutcome(state, problem) : null,
  };
}
