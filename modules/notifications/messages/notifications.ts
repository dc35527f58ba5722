import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

export type NotificationSendInput = { notificationId: number; pace?: SendPace };

/** Sends one notification on every channel. */
export const notificationSendWorkflow = defineWorkflow<NotificationSendInput>()({
  type: 'notificationSend',
  versioning: 'AUTO_UPGRADE',
  id: ({ notificationId }: { notificationId: number }) => `notification/${notificationId}`,
});

/** `firstMs`: before the second try, tripled for each further one. */
export type SendPace = { firstMs: number; longestMs: number; tries: number };
