import { upkeepActivities } from './activity-sets.ts';

/** Delivers the events that a crash or an outage has left in the outbox. */
export async function outboxSweep(): Promise<void> {
  await upkeepActivities().deliverEvents();
}
