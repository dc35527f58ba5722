import { startRelay, type RunningRelay } from '../kernel/relays/relay.ts';
import { dispatchWebhooks, EVENTS_CHANNEL } from '../modules/events/dispatch-webhooks.ts';
import type { Product } from '../modules/wire-product.ts';
import { listenTo, watchSilence, type KeptConnection } from '../platform/db/kept-connection.ts';
import { ROLES, type PolledQueue, type Role } from './roles.ts';

const LIMIT_MS = 2 * 60_000;
/** Longest delay of deliveries that become due by their time, and of a lost announcement. */
const EVENTS_EVERY_MS = 1_000;

/**
 * Starts the relays of a role (rule OPS-42): `outbox` delivers what a crash or an outage has left,
 * and retries; `events` numbers committed events and starts their webhooks, woken by NOTIFY.
 * Returns their stop, and that of the connection that listens, which also watches over silence.
 */
export function startRelays(product: Product, role: Role): { stop(): Promise<void>; connection: KeptConnection } {
  const { db, log, env, delivery } = product;
  const queues = ROLES[role] as readonly PolledQueue[];
  const relays: RunningRelay[] = [];
  if (queues.includes('workflows')) {
    const everyMs = env.OUTBOX_SWEEP_EVERY;
    relays.push(startRelay(product, { name: 'outbox', everyMs, limitMs: LIMIT_MS, work: () => delivery.deliver() }));
  }
  const stop = async () => void (await Promise.all(relays.map((relay) => relay.stop())));
  if (!queues.includes('webhooks')) return { stop, connection: watchSilence({ db, log }) };
  const events = startRelay(product, {
    name: 'events',
    everyMs: EVENTS_EVERY_MS,
    limitMs: LIMIT_MS,
    work: () => dispatchWebhooks(product),
  });
  relays.push(events);
  const connection = listenTo({ db, log }, EVENTS_CHANNEL, {
    announced: () => events.wake(),
    connected: () => events.wake(),
  });
  return { stop, connection };
}
