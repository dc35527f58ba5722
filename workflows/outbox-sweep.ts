import type { OutboxSweepInput } from '../modules/mirror/messages/sync.ts';
import { eventActivities } from './support/activity-sets.ts';

/**
 * Delivers the events that a crash or an outage has left in the outbox. Kept for executions of
 * earlier releases: workers now do it without Temporal (rule OPS-102).
 */
export async function outboxSweep({ queues }: OutboxSweepInput): Promise<void> {
  await eventActivities(queues).deliverEvents();
}
