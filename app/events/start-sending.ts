import { workflowIds } from '../../contracts/ids.ts';
import type { NotificationSendInput } from '../../contracts/messages/notifications.ts';
import { searchAttributes } from '../../contracts/search-attributes.ts';
import type { EventDeps } from './event-deps.ts';

/** Starts the sending of one notice, or leaves the one that is at work. A second sending finds in the row that it was sent. */
export async function startSending(
  deps: Pick<EventDeps, 'temporal' | 'queues'>,
  notificationId: number,
): Promise<void> {
  const input: NotificationSendInput = { notificationId };
  await deps.temporal.workflow.start('notificationSend', {
    workflowId: workflowIds.notificationSend(notificationId),
    taskQueue: deps.queues.workflows,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    typedSearchAttributes: searchAttributes({ CarteCapability: 'notifications', CarteTrigger: 'EVENT' }),
  });
}
