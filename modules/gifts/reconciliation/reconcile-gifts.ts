import { sql } from 'kysely';
import { isExecutionRunning, runningExecutions } from '../../../platform/executions.ts';
import { startWorkflow, type TemporalDeps } from '../../../kernel/start-workflow.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { ClientMarkers } from '../markers/clear-markers.ts';
import { CLEARINGS, giftRedemptionWorkflow } from '../messages/gifts.ts';
import { startClearing } from '../markers/start-clearing.ts';
import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import type { GiftOfOrder } from './look-at-gift.ts';

/** By this time, an event has normally started the workflow. */
const OVERDUE = sql<Date>`now() - interval '30 seconds'`;

/**
 * Starts workflows that are missing because an event or Temporal's database was lost (rule CMP-20).
 * Idempotent.
 */
export async function reconcileGifts(
  deps: TemporalDeps & { db: Sql },
): Promise<{ clearings: number; gifts: number }> {
  // Gifts are first, because after a quick removal there is no gift left to follow.
  const gifts = await startMissing(
    deps,
    [giftRedemptionWorkflow],
    await openGifts(deps.db),
    giftRedemptionWorkflow.id,
    accompanyGift,
  );

  const waiting = await waitingClients(deps.db);
  const clearings = await startMissing(
    deps,
    Object.values(CLEARINGS),
    waiting,
    idOfClearing,
    startClearing,
  );

  return { clearings, gifts };
}

const idOfClearing = (markers: ClientMarkers): string => CLEARINGS[markers.source].id(markers);

/** Checks missing executions by id, because the list of executions may be outdated. */
async function startMissing<Row>(
  deps: TemporalDeps,
  workflows: readonly { type: string }[],
  rows: readonly Row[],
  idOf: (row: Row) => string,
  start: (deps: TemporalDeps, row: Row) => Promise<void>,
): Promise<number> {
  if (rows.length === 0) return 0;
  const running = await Promise.all(
    workflows.map((workflow) => runningExecutions(deps.temporal, workflow)),
  );
  let started = 0;

  for (const row of rows) {
    const id = idOf(row);
    if (running.some((ids) => ids.has(id)) || (await isExecutionRunning(deps.temporal, id)))
      continue;
    await start(deps, row);
    started += 1;
  }

  return started;
}

function waitingClients({ db }: Sql) {
  return db
    .selectFrom('marker_clearing as clearing')
    .innerJoin('client_marker as marker', 'marker.compensationId', 'clearing.compensationId')
    .select(['marker.clientId', 'marker.source'])
    .distinct()
    .where('clearing.state', '<>', 'CLEARED')
    .where('clearing.waitsSince', '<', OVERDUE)
    .execute();
}

/** Omits orders of other channels, whose id is only in `redeemed_order_id`. */
function openGifts({ db }: Sql) {
  return db
    .selectFrom('compensation')
    .leftJoin('marker_clearing as clearing', 'clearing.compensationId', 'compensation.id')
    .innerJoin('reward', 'reward.id', 'compensation.rewardId')
    .select(['compensation.id as compensationId', 'reward.name as gift'])
    .select(sql<string>`compensation.reserved_order_id`.as('orderId'))
    .where('reservedAt', '<', OVERDUE)
    .where((eb) =>
      eb.or([
        eb('status', '=', 'RESERVED'),
        eb.and([
          eb('clearing.state', '<>', 'CLEARED'),
          eb('compensation.redeemedOrderId', '=', eb.ref('compensation.reservedOrderId')),
        ]),
      ]),
    )
    .execute();
}

/** Replaces a lost child workflow of the order. */
function accompanyGift(
  deps: TemporalDeps,
  { orderId, compensationId, gift }: GiftOfOrder & { gift: string },
): Promise<void> {
  const ids = { orderId, compensationId };
  const attributes = searchAttributes({ CarteCapability: 'compensation', CarteOrderId: orderId });
  const start = { input: ids, attributes, memo: { ...ids, gift }, summary: gift };
  return startWorkflow(deps, giftRedemptionWorkflow, start, 'USE_EXISTING');
}
