import { startRelay, type RunningRelay } from '../kernel/relays/relay.ts';
import { dispatchWebhooks } from '../modules/events/deliveries/dispatch-webhooks.ts';
import type { Product } from '../modules/wire-product.ts';
import { ROLES, type PolledQueue, type Role } from './roles.ts';

const LIMIT_MS = 2 * 60_000;
/** Longest delay of due deliveries, and of a lost announcement. */
const EVENTS_EVERY_MS = 1_000;

/** `events` is null unless the role sends webhooks. */
export type Relays = { events: RunningRelay | null; stop(): Promise<void> };

/**
 * Starts the relays of a role (rule OPS-42). `outbox` delivers events that a crash or an outage has
 * left, and retries. `events` numbers committed events and starts their webhooks.
 */
export function startRelays(product: Product, role: Role): Relays {
  const { env, delivery } = product;
  const queues = ROLES[role] as readonly PolledQueue[];
  const outbox = queues.includes('workflows')
    ? startRelay(product, {
        name: 'outbox',
        everyMs: env.OUTBOX_SWEEP_EVERY,
        limitMs: LIMIT_MS,
        work: () => delivery.deliver(),
      })
    : null;

  const events = queues.includes('webhooks')
    ? startRelay(product, {
        name: 'events',
        everyMs: EVENTS_EVERY_MS,
        limitMs: LIMIT_MS,
        work: () => dispatchWebhooks(product),
      })
    : null;

  return { events, stop: async () => void (await Promise.all([outbox?.stop(), events?.stop()])) };
}
