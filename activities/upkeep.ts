import { deliverOutbox } from '../app/events/deliver-outbox.ts';
import type { EventDeps } from '../app/events/event-deps.ts';
import { reconcileSnapshots } from '../app/events/reconcile-snapshots.ts';
import { reconcileImports, type ReconcileDeps } from '../app/mirror/reconcile.ts';
import { door } from './door.ts';

/** Activities that do what a row still asks for. */
export type UpkeepActivities = ReturnType<typeof createUpkeepActivities>;

/** The activities bound to what they need; the worker calls this once. */
export function createUpkeepActivities(deps: EventDeps & ReconcileDeps) {
  return {
    /** Delivers pending events. A second call delivers what is left; listeners bear repetition. */
    deliverEvents: door(() => deliverOutbox(deps)),

    /** Takes up imports that have a row and no execution. A second call finds them running. */
    reconcileImports: door(() => reconcileImports(deps)),

    /** Wakes rebuilds whose signal was lost. Waking one twice lets it look twice. */
    reconcileSnapshots: door(() => reconcileSnapshots(deps)),

    /** Makes Temporal's schedules those that the rows want. A second call changes nothing. */
    applySchedules: door(async () => {
      await deps.applySchedules();
    }),
  };
}
