import { isCancellation } from '@temporalio/workflow';
import type { NotificationSendInput } from '../modules/notifications/messages/notifications.ts';
import { givingUpActivities, notificationActivities } from './support/activity-sets.ts';

/**
 * Retries for about four hours, then records the failure. The row records the channels that have
 * accepted the notification.
 */
export async function notificationSend({
  notificationId,
  pace,
}: NotificationSendInput): Promise<void> {
  try {
    await notificationActivities(pace).sendNotification({ notificationId });
  } catch (error) {
    if (isCancellation(error)) throw error;
    await givingUpActivities().giveUpNotification({ notificationId });
  }
}
