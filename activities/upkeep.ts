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
import { sweepMedia, type SweepDeps, type Swept } from '../modules/media/sweep-media.ts';
import type { MediaBatchInput } from '../modules/media/messages/media.ts';
import { giveUpNotification, sendNotification, type SendDeps } from '../modules/notifications/send-notification.ts';

/** Activities that do what a row still asks for. */
export type UpkeepActivities = ReturnType<typeof createUpkeepActivities>;

export type UpkeepDeps = ListenerDeps &
  ReconcileDeps & {
    metrics: Pick<Metrics, 'retentionDeleted'>;
    /** Deletes rows whose time is over and returns how many of each table. */
    deleteOutdated: (db: Database) => Promise<Record<string, number>>;
  };

/** The activities bound to what they need; the worker calls this once. */
export function createUpkeepActivities(deps: UpkeepDeps) {
  return {
    /** Resumes imports that have a row and no execution. A second call finds them running. */
    reconcileImports: () => reconcileImports(deps),

    /**
     * Marks menus of builders of an earlier release, and signals rebuilds and clocks of pins whose
     * signal was lost. Signaling one twice has it look at its row twice.
     */
    reconcileSnapshots: async () => ({
      ...(await markOlderBuilds(deps)),
      ...(await reconcileRebuilds(deps)),
      ...(await reconcilePins(deps)),
    }),

    /**
     * Starts the sending of notifications whose start was lost. Starting one that is at work
     * changes nothing.
     */
    reconcileNotifications: () => reconcileNotifications(deps),

    /**
     * Starts evaluations and incident workflows that rows ask for and nobody does. Starting one
     * that runs only has it look again.
     */
    reconcileBindings: () => reconcileBindings(deps),

    /** Ends busy modes whose time is over and whose timer was lost. A second call finds none. */
    reconcileBusyModes: async () => ({ busyModesEnded: (await endDueBusyModes(deps)).ended }),

    /**
     * Starts the workflows of open orders that have none. Starting one that is at work changes
     * nothing.
     */
    reconcileOrders: () => reconcileOrders(deps),

    /**
     * Ends rights to gifts whose term is over, and looks at the items of all gifts: rights to
     * broken ones are blocked, and granted again when they can be given. Then evaluates the
     * conditions of gifts that need staff. A second call finds nothing to move.
     */
    reconcileRights: async () => ({
      ...(await expireRights(deps)),
      ...(await checkRewards(deps)),
      ...(await raiseGiftAlerts(deps, { ...GIFT_ALERTS, ...COMPARISON_ALERTS })),
    }),

    /**
     * Starts the clearing of markers and the company of gifts that rows ask for and nobody does. A
     * second call finds them running.
     */
    reconcileGifts: () => reconcileGifts(deps),

    /** Takes new entries of the audit into its chain of digests. A second call finds none. */
    sealAudit: () => sealAudit(deps),

    /** Deletes rows whose time is over. A second call finds what the first has left. */
    deleteOutdated: async () => {
      const deleted = await deps.deleteOutdated(deps.db);
      for (const [what, rows] of Object.entries(deleted)) deps.metrics.retentionDeleted.inc({ what }, rows);
      return deleted;
    },

    /** Makes Temporal's schedules those that the rows want. A second call changes nothing. */
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
     * Delivers the events that are due: those that a crash or an outage has left, and those whose
     * delay is over. A second call delivers what is left; listeners bear repetition.
     */
    deliverEvents: () => delivery.deliver(),
  };
}

/** Activities on the media store. */
export type MediaActivities = ReturnType<typeof createMediaActivities>;

/** The activities bound to what they need; the worker calls this once. */
export function createMediaActivities(deps: SweepDeps) {
  return {
    /**
     * Removes files that no media has, one batch. A second call finds those gone that the first has
     * removed.
     */
    sweepMedia: (input: MediaBatchInput): Promise<Swept> => sweepMedia(deps, input, cancellationSignal()),
  };
}

/** Activities that notify administrators. */
export type NotificationActivities = ReturnType<typeof createNotificationActivities>;

/** The activities bound to what they need; the worker calls this once. */
export function createNotificationActivities(deps: SendDeps) {
  return {
    /**
     * Sends a notification to the channels that have not taken it yet. A second call finds what the
     * first has recorded; one that ended between sending and recording sends once more under the
     * same id, which receivers drop.
     */
    sendNotification: (input: { notificationId: number }) => sendNotification(deps, input.notificationId),

    /** Records that a notification is not tried any more. A second call changes nothing. */
    giveUpNotification: (input: { notificationId: number }) => giveUpNotification(deps, input.notificationId),
  };
}
