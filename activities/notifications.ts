import {
  giveUpNotification,
  sendNotification,
  type SendDeps,
} from '../modules/notifications/send-notification.ts';

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
    sendNotification: (input: { notificationId: number }) =>
      sendNotification(deps, input.notificationId),

    /** Records that a notification is no longer retried. A second call changes nothing. */
    giveUpNotification: (input: { notificationId: number }) =>
      giveUpNotification(deps, input.notificationId),
  };
}
