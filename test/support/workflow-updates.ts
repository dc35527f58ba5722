import type { WorkflowHandle } from '@temporalio/client';

type RejectedUpdate = { message: string; type: string; isRetryable: boolean };

/** Sends an update that must fail. Returns the rejection. */
export async function rejectedUpdate(
  handle: Pick<WorkflowHandle, 'executeUpdate'>,
  update: { name: string },
  input: unknown,
): Promise<RejectedUpdate> {
  try {
    await handle.executeUpdate(update.name, { args: [input] });
  } catch (error) {
    return rejectionIn(error);
  }
  throw new Error(`the update ${update.name} was not rejected`);
}

export function rejectionIn(error: unknown): RejectedUpdate {
  const { cause } = error as { cause?: { message: string; type?: string; nonRetryable?: boolean } };
  if (cause?.type === undefined) throw error;
  return { message: cause.message, type: cause.type, isRetryable: cause.nonRetryable !== true };
}

/**
 * Counts events of an execution except workflow tasks: a slow answer makes Temporal record the task
 * that rejects an update.
 */
export async function countEvents(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<number> {
  const { events } = await handle.fetchHistory();

  return (events ?? []).filter(
    (event) =>
      event.workflowTaskScheduledEventAttributes == null &&
      event.workflowTaskStartedEventAttributes == null &&
      event.workflowTaskCompletedEventAttributes == null &&
      event.workflowTaskFailedEventAttributes == null &&
      event.workflowTaskTimedOutEventAttributes == null,
  ).length;
}
