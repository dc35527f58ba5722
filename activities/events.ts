import type { OutboxDelivery } from '../kernel/events/outbox-delivery.ts';

/** Activities of the outbox. */
export type EventActivities = ReturnType<typeof createEventActivities>;

/** The activities bound to the one delivery of their process; the worker calls this once. */
export function createEventActivities(delivery: OutboxDelivery) {
  return {
    /**
     * Delivers the events that are due: those that a crash or an outage has left, and those whose delay is over. A second call
     * delivers what is left; listeners bear repetition.
     */
    deliverEvents: () => delivery.deliver(),
  };
}
