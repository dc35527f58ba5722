import type { GiftStanding } from '../messages/gifts.ts';
import { giftStage } from '../rules/gift-stage.ts';
import type { TemporalDeps } from '../../../kernel/start-workflow.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { startClearing } from '../markers/start-clearing.ts';

export type GiftOfOrder = { compensationId: string; orderId: string };

/**
 * Reads a gift's stage (rule CMP-19), and starts the removal of its marker if the event was lost.
 * Throws errors of the database and Temporal.
 */
export async function lookAtGift(
  deps: TemporalDeps & { db: Sql },
  { compensationId, orderId }: GiftOfOrder,
): Promise<GiftStanding> {
  const { clientId, source, state, heldBy, ...right } = await deps.db.db
    .selectFrom('compensation')
    .leftJoin('marker_clearing as clearing', 'clearing.compensationId', 'compensation.id')
    .leftJoin('client_marker as marker', 'marker.compensationId', 'clearing.compensationId')
    .select(['compensation.status', 'compensation.reservedOrderId', 'compensation.redeemedOrderId'])
    .select(['marker.clientId', 'marker.source', 'clearing.state', 'clearing.heldBy'])
    .where('compensation.id', '=', compensationId)
    .executeTakeFirstOrThrow();

  const stage = giftStage({ ...right, clearing: state }, orderId);
  if (stage === 'TO_CLEAR') await startClearing(deps, { clientId: clientId!, source: source! });
  const hasEnded = stage !== 'RESERVED' && stage !== 'TO_CLEAR';

  return {
    stage,
    status: right.status,
    marker: state === null ? null : { state, heldBy },
    outcome: hasEnded ? stage : null,
  };
}
