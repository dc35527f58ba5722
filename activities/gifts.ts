import { cancellationSignal } from '@temporalio/activity';
import {
  clearNextMarker,
  type ClearDeps,
  type ClientMarkers,
} from '../modules/gifts/markers/clear-markers.ts';
import { lookAtGift, type GiftOfOrder } from '../modules/gifts/reconciliation/look-at-gift.ts';
import {
  resolveForOperator,
  type OperatorResolution,
} from '../modules/gifts/reconciliation/resolve-for-operator.ts';
import type { Database } from '../platform/db/database.ts';
import type { SecretBox } from '../platform/secrets.ts';
import type { TemporalDeps } from '../kernel/start-workflow.ts';

export type CompensationActivities = ReturnType<typeof createMarkerActivities> &
  ReturnType<typeof createGiftActivities>;

/** With calls to the ERP. The worker calls this once. */
export function createMarkerActivities(deps: ClearDeps) {
  return {
    /** Removes the next marker of a client. A second call reads the card first. */
    clearNextMarker: (of: ClientMarkers) =>
      clearNextMarker(deps, of, { signal: cancellationSignal() }),
  };
}

/** Without calls to the ERP. The worker calls this once. */
export function createGiftActivities(deps: TemporalDeps & { db: Database; secrets: SecretBox }) {
  return {
    /** Reads the stage of a gift, and starts the clearing of its marker. Idempotent. */
    lookAtGift: (gift: GiftOfOrder) => lookAtGift(deps, gift),

    /** Resolves a conflict for an operator. Idempotent. */
    resolveConflict: (resolution: OperatorResolution) => resolveForOperator(deps, resolution),
  };
}
