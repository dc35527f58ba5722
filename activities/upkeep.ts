import { reconcileBindings } from '../app/binding/reconcile-bindings.ts';
import { deliverOutbox, type Delivery } from '../app/events/deliver-outbox.ts';
import type { EventDeps } from '../app/events/event-deps.ts';
import { reconcileNotifications } from '../app/events/reconcile-notifications.ts';
import { reconcileSnapshots } from '../app/events/reconcile-snapshots.ts';
import { reconcileImports, type ReconcileDeps } from '../app/mirror/reconcile.ts';
import { deleteOutdated } from '../app/retention.ts';
import { latestRun } from '../platform/latest-run.ts';
import { beatingDoor } from './door.ts';

/** Activities that do what a row still asks for. */
export type UpkeepActivities = ReturnType<typeof createUpkeepActivities>;

/** The activities bound to what they need; the worker calls this once. */
export function createUpkeepActivities(deps: EventDeps & ReconcileDeps) {
  // A delivery holds a connection while its listeners take another one: many at once would starve each other.
  const deliver = latestRun<'outbox', Delivery>(() => deliverOutbox(deps));
  return {
    /**
     * Delivers pending events, one delivery at a time in this process; calls meanwhile share the next one, so what was
     * committed before a call is tried before it returns. A second call delivers what is left; listeners bear repetition.
     */
    deliverEvents: beatingDoor(() => deliver('outbox')),

    /** Takes up imports that have a row and no execution. A second call finds them running. */
    reconcileImports: beatingDoor(() => reconcileImports(deps)),

    /** Wakes rebuilds whose signal was lost. Waking one twice lets it look twice. */
    reconcileSnapshots: beatingDoor(() => reconcileSnapshots(deps)),

    /** Starts the sending of notices whose start was lost. Starting one that is at work changes nothing. */
    reconcileNotifications: beatingDoor(() => reconcileNotifications(deps)),

    /** Starts evaluations and incident workflows that rows ask for and nobody does. Starting one that runs only has it look again. */
    reconcileBindings: beatingDoor(() => reconcileBindings(deps)),

    /** Deletes rows whose time is over. A second call finds what the first has left. */
    deleteOutdated: beatingDoor(async () => {
      const deleted = await deleteOutdated(deps.db);
      for (const [what, rows] of Object.entries(deleted)) deps.metrics.retentionDeleted.inc({ what }, rows);
      return deleted;
    }),

    /** Makes Temporal's schedules those that the rows want. A second call changes nothing. */
    applySchedules: beatingDoor(async () => {
      await deps.applySchedules();
    }),
  };
}
