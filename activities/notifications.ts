import { giveUpNotification, sendNotification, type SendDeps } from '../modules/notifications/send-notification.ts';

/** Activities that tell administrators. */
export type NotificationActivities = ReturnType<typeof createNotificationActivities>;

/** The activities bound to what they need; the worker calls this once. */
export function createNotificationActivities(deps: SendDeps) {
  return {
    /**
     * Sends a notification to the channels that have not taken it yet. A second call finds what the first has recorded; one that ended
     * between sending and recording sends once more under the same id, which receivers drop.
     */
    sendNotification: (input: { notificationId: number }) => sendNotification(deps, input.notificationId),

    /** Records that a notification is not tried any more. A second call changes nothing. */
    giveUpNotification: (input: { notificationId: number }) => giveUpNotification(deps, input.notificationId),
  };
}
