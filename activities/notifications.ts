import {
  giveUpNotification,
  sendNotification,
  type SendDeps,
} from '../modules/notifications/send-notification.ts';

export type NotificationActivities = ReturnType<typeof createNotificationActivities>;

/** The worker calls this once. */
export function createNotificationActivities(deps: SendDeps) {
  return {
    /**
     * Sends to channels that have not accepted the notification yet. After a crash it may send
     * again under the same id, which receivers drop.
     */
    sendNotification: (input: { notificationId: number }) =>
      sendNotification(deps, input.notificationId),

    /** Records that a notification is no longer retried. Idempotent. */
    giveUpNotification: (input: { notificationId: number }) =>
      giveUpNotification(deps, input.notificationId),
  };
}
