import { notificationSendWorkflow } from './messages/notifications.ts';
import { searchAttributes } from '../../platform/pure/search-attributes.ts';
import { startWorkflow, type TemporalDeps } from '../../kernel/start-workflow.ts';

/** Without a channel, notifications are only stored. */
export type SendingDeps = TemporalDeps & { sendsNotifications: boolean };

/** Does nothing if it is running. A second execution finds that it was sent. */
export async function startSending(deps: SendingDeps, notificationId: number): Promise<void> {
  if (!deps.sendsNotifications) return;
  await startWorkflow(
    deps,
    notificationSendWorkflow,
    {
      input: { notificationId },
      attributes: searchAttributes({ CarteCapability: 'notifications', CarteTrigger: 'EVENT' }),
    },
    'USE_EXISTING',
  );
}
