import { isCancellation } from '@temporalio/workflow';
import type { NotificationSendInput } from '../modules/notifications/messages/notifications.ts';
import { givingUpActivities, notificationActivities } from './support/activity-sets.ts';

/**
 * Sends one notification to administrators, again and again for about four hours when a channel
 * fails, then records that it was given up. The row records what each channel has accepted, so an
 * execution after a lost one continues where that stopped.
 */
export async function notificationSend({ notificationId, pace }: NotificationSendInput): Promise<void> {
  try {
    await notificationActivities(pace).sendNotification({ notificationId });
  } catch (error) {
    if (isCancellation(error)) throw error;
    await givingUpActivities().giveUpNotification({ notificationId });
  }
}
