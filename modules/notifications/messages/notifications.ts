import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

/** Input of notificationSend. */
export type NotificationSendInput = { notificationId: number; pace?: SendPace };

/** Sends one notification on every channel. */
export const notificationSendWorkflow = defineWorkflow<NotificationSendInput>()({
  type: 'notificationSend',
  versioning: 'AUTO_UPGRADE',
  id: ({ notificationId }: { notificationId: number }) => `notification/${notificationId}`,
});

/**
 * The retry intervals of a notification: milliseconds before the second try (three times as many
 * before each further one), and tries.
 */
export type SendPace = { firstMs: number; longestMs: number; tries: number };
