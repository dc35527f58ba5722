import type { WorkflowHandle } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';

/** An update that was rejected or failed: the sentence that its sender reads, and its type. */
type RefusedUpdate = { message: string; type: string; isRetryable: boolean };

/** Sends an update that shall be refused, with any input, and returns the refusal. */
export async function refusedUpdate(
  handle: Pick<WorkflowHandle, 'executeUpdate'>,
  update: UpdateDefinition<unknown, never[]>,
  input: unknown,
): Promise<RefusedUpdate> {
  try {
    await handle.executeUpdate(update.name, { args: [input] });
  } catch (error) {
    return refusalIn(error);
  }
  throw new Error(`the update ${update.name} was not refused`);
}

/** The refusal in what the client throws. */
export function refusalIn(error: unknown): RefusedUpdate {
  const { cause } = error as { cause?: { message: string; type?: string; nonRetryable?: boolean } };
  if (cause?.type === undefined) throw error;
  return { message: cause.message, type: cause.type, isRetryable: cause.nonRetryable !== true };
}

/** The number of events in the history of the newest execution. */
export const eventsOf = async (handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<number> =>
  (await handle.fetchHistory()).events?.length ?? 0;
