import type { Listeners } from '../../kernel/events/listeners.ts';
import { startSending, type SendingDeps } from './start-sending.ts';

/** Sends stored notifications. */
export const NOTIFICATION_LISTENERS = {
  NotificationRaised: ({ notificationId }, deps) => startSending(deps, notificationId),
} satisfies Listeners<SendingDeps>;
