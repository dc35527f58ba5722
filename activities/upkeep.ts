import { sealAudit } from '../modules/access/audit/seal-audit.ts';
import { endDueBusyModes } from '../modules/delivery/end-busy-mode.ts';
import { reconcileBindings } from '../modules/binding/reconcile-bindings.ts';
import { checkRewards } from '../modules/gifts/check-rewards.ts';
import { GIFT_ALERTS, raiseGiftAlerts } from '../modules/gifts/gift-alerts.ts';
import { expireRights } from '../modules/gifts/expire-rights.ts';
import { reconcileGifts } from '../modules/gifts/reconcile-gifts.ts';
import type { ListenerDeps } from '../modules/event-listeners.ts';
import { reconcileImports, type ReconcileDeps } from '../modules/mirror/reconcile.ts';
import { applySchedules, noteReconciled } from '../modules/mirror/schedules/apply-schedules.ts';
import { reconcileNotifications } from '../modules/notifications/reconcile-notifications.ts';
import { reconcileRebuilds } from '../modules/rebuilds/reconcile-rebuilds.ts';
import { COMPARISON_ALERTS } from '../modules/ordering/check-gift-days.ts';
import { reconcileOrders } from '../modules/ordering/reconcile-orders.ts';
import { markOlderBuilds } from '../modules/menus/snapshot/mark-older-builds.ts';
import { reconcilePins } from '../modules/menus/snapshot/watch-pin.ts';
import type { Database } from '../platform/db/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { OutboxDelivery } from '../kernel/events/outbox-delivery.ts';
import { cancellationSignal } from '@temporalio/activity';
import { sweepBatches, type SweepDeps, type Swept } from '../modules/media/sweep-media.ts';
import type { MediaBatchInput } from '../modules/media/messages/media.ts';
import { giveUpNotification, sendNotification, type SendDeps } from '../modules/notifications/send-notification.ts';

/** Activities for rows with pending work. */
export type UpkeepActivities = ReturnType<typeof createUpkeepActivities>;

export type UpkeepDeps = ListenerDeps &
  ReconcileDeps & {
    metrics: Pick<Metrics, 'retentionDeleted'>;
    /** Deletes rows whose time is over and returns how many of each table. */
    deleteOutdated: (db: Database) => Promise<Record<string, number>>;
  };

/** The activities bound to their dependencies; the worker calls this once. */
export function createUpkeepActivities(deps: UpkeepDeps) {
  return {
    /** Resumes imports that have a row and no execution. A second call finds them running. */
    reconcileImports: () => reconcileImports(deps),

    /**
     * Marks menus of builders of an earlier release, and signals rebuilds and clocks of pins whose
     * signal was lost. Signaling one twice makes it check its row twice.
     */
    reconcileSnapshots: async () => ({
      ...(await markOlderBuilds(deps)),
      ...(await reconcileRebuilds(deps)),
      ...(await reconcilePins(deps)),
    }),

    /**
     * Starts the sending of notifications whose start was lost. Starting a running one changes
     * nothing.
     */
    reconcileNotifications: () => reconcileNotifications(deps),

    /**
     * Starts missing evaluations and incident workflows for pending rows. Starting a running one
     * only makes it check again.
     */
    reconcileBindings: () => reconcileBindings(deps),

    /** Ends busy modes whose time is over and whose timer was lost. A second call finds none. */
    reconcileBusyModes: async () => ({ busyModesEnded: (await endDueBusyModes(deps)).ended }),

    /**
     * Starts the workflows of open orders that have none. Starting a running one changes nothing.
     */
    reconcileOrders: () => reconcileOrders(deps),

    /**
     * Expires rights to gifts, and checks the items of all gifts: rights to broken ones are
     * blocked, and granted again when they can be given. Then evaluates the conditions of gifts
     * that need staff. A second call finds nothing to move.
     */
    reconcileRights: async () => ({
      ...(await expireRights(deps)),
      ...(await checkRewards(deps)),
      ...(await raiseGiftAlerts(deps, { ...GIFT_ALERTS, ...COMPARISON_ALERTS })),
    }),

    /**
     * Starts missing workflows for markers and gifts with pending rows. A second call finds them
     * running.
     */
    reconcileGifts: () => reconcileGifts(deps),

    /** Takes new entries of the audit into its chain of digests. A second call finds none. */
    sealAudit: () => sealAudit(deps),

    /** Deletes outdated rows. A second call deletes the rest. */
    deleteOutdated: async () => {
      const deleted = await deps.deleteOutdated(deps.db);
      for (const [what, rows] of Object.entries(deleted)) deps.metrics.retentionDeleted.inc({ what }, rows);
      return deleted;
    },

    /** Updates Temporal's schedules from the rows. A second call changes nothing. */
    applySchedules: async () => {
      await applySchedules(deps);
      await noteReconciled(deps);
    },
  };
}

/** Activities of the outbox. */
export type EventActivities = ReturnType<typeof createEventActivities>;

/** The activities bound to the one delivery of their process; the worker calls this once. */
export function createEventActivities(delivery: OutboxDelivery) {
  return {
    /**
     * Delivers due events: those left by a crash or an outage, and those after a delay. A second
     * call delivers the rest; listeners are idempotent.
     */
    deliverEvents: () => delivery.deliver(),
  };
}

/** Activities on the media store. */
export type MediaActivities = ReturnType<typeof createMediaActivities>;

/** The activities bound to their dependencies; the worker calls this once. */
export function createMediaActivities(deps: SweepDeps) {
  return {
    /**
     * Removes files without media for half a minute. A second call removes the rest, and a retry
     * continues at the place in the list that the last one has reached.
     */
    sweepMedia: (input: MediaBatchInput): Promise<Swept> => sweepBatches(deps, input, cancellationSignal()),
  };
}

/** Activities that notify administrators. */
export type NotificationActivities = ReturnType<typeof createNotificationActivities>;

/** The activities bound to their dependencies; the worker calls this once. */
export function createNotificationActivities(deps: SendDeps) {
  return {
    /**
     * Sends a notification to the channels that have not accepted it yet. A second call finds the
     * records of the first; after a crash between sending and recording, it sends again under the
     * same id, which receivers drop.
     */
    sendNotification: (input: { notificationId: number }) => sendNotification(deps, input.notificationId),

    /** Records that a notification is no longer retried. A second call changes nothing. */
    giveUpNotification: (input: { notificationId: number }) => giveUpNotification(deps, input.notificationId),
  };
}
