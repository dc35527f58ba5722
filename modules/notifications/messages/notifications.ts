/** Input of notificationSend. */
export type NotificationSendInput = { notificationId: number; pace?: SendPace };

/** How often a notification is tried: milliseconds before the second try (three times as many before each further one), and tries. */
export type SendPace = { firstMs: number; longestMs: number; tries: number };
