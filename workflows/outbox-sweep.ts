import type { OutboxSweepInput } from '../modules/mirror/messages/sync.ts';
import { eventActivities } from './support/activity-sets.ts';

/**
 * Delivers the events that a crash or an outage has left in the outbox. Kept for executions that an
 * earlier release began: workers do it without Temporal (rule OPS-102).
 */
export async function outboxSweep({ queues }: OutboxSweepInput): Promise<void> {
  await eventActivities(queues).deliverEvents();
}
