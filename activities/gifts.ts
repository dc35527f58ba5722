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

/** Activities about gifts and their markers at the ERP. */
export type CompensationActivities = ReturnType<typeof createMarkerActivities> &
  ReturnType<typeof createGiftActivities>;

/** The activities that call the ERP, bound to their dependencies. The worker calls this once. */
export function createMarkerActivities(deps: ClearDeps) {
  return {
    /**
     * Removes the next marker of a client from the ERP. A second call reads the card first, and
     * finds the result of the first.
     */
    clearNextMarker: (of: ClientMarkers) =>
      clearNextMarker(deps, of, { signal: cancellationSignal() }),
  };
}

/** The activities that use rows only, bound to their dependencies. The worker calls this once. */
export function createGiftActivities(deps: TemporalDeps & { db: Database; secrets: SecretBox }) {
  return {
    /**
     * Reads the stage of a gift of an order, and starts the clearing of its marker if it is not
     * running. A second call finds it running.
     */
    lookAtGift: (gift: GiftOfOrder) => lookAtGift(deps, gift),

    /** Decides about a conflict for an operator. A second call finds it decided. */
    resolveConflict: (resolution: OperatorResolution) => resolveForOperator(deps, resolution),
  };
}
