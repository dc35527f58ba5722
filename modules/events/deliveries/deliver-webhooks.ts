import { setTimeout as delay } from 'node:timers/promises';
import type { Failpoint } from '../../../platform/failpoint.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { repeatingProgress, reportProgress } from '../../../platform/progress.ts';
import { WEBHOOK_LIMIT_MS, type WebhookSender } from '../../../platform/webhook-sender.ts';
import {
  recordAttempts,
  type Attempted,
  type RecordDeps,
  type SentQueue,
} from './record-attempts.ts';
import { isAccepted, type WebhookPace } from '../rules/webhook-pace.ts';
import { signedRequest, type SigningEndpoint } from './webhook-message.ts';
import {
  freeSlots,
  nextAttemptMs,
  queueKey,
  readDue,
  returnLease,
  takeEvents,
  type DueQueue,
  type Lane,
  LANES,
  type ServedEndpoint,
} from './webhook-queue.ts';

export type DeliverDeps = RecordDeps & {
  secrets: SecretBox;
  sendWebhook: WebhookSender;
  failpoint: Failpoint;
};

/** After this time, a round sends no further delivery of a subject. */
const ROUND_MS = 1_000;
/** Wait for further events, and pause between two reads. */
const [LINGER_MS, LOOK_MS] = [3_000, 500];
/** After this time, a call returns to its workflow. */
const CALL_MS = 20_000;
/** After this, a call sends only new events, because it ends with its slowest request. */
const NEW_ONLY_MS = 10_000;

type Sending = { queue: DueQueue; sent: Promise<void> };

/**
 * Delivers due events to one endpoint, in order per subject (rule EVT-11). Rejected subjects,
 * replays and slow requests do not delay others (rule EVT-36). Returns ms until the next attempt, 0
 * if more is due, null if nothing waits or the endpoint is disabled. A crash repeats requests
 * without recorded results.
 */
export async function deliverWebhooks(
  deps: DeliverDeps,
  endpointId: number,
  pace: WebhookPace,
  signal: AbortSignal,
): Promise<{ waitMs: number | null }> {
  const sending = new Map<string, Sending>();
  try {
    return await deliverWhileDue(deps, endpointId, pace, { signal, sending });
  } finally {
    // A failed call must not leave a request that could overtake later ones.
    await Promise.allSettled([...sending.values()].map(({ sent }) => sent));
  }
}

async function deliverWhileDue(
  deps: DeliverDeps,
  endpointId: number,
  pace: WebhookPace,
  { signal, sending }: { signal: AbortSignal; sending: Map<string, Sending> },
): Promise<{ waitMs: number | null }> {
  const began = performance.now();
  const ended: SentQueue[] = [];
  let [idleSince, readsOn] = [began, true];
  let served: ServedEndpoint | null = null;
  const record = async () =>
    served !== null && (await recordAttempts(deps, served, ended.splice(0), pace));
  let isEnabled = true;

  while (!signal.aborted && performance.now() - began < CALL_MS) {
    const endpoint = await takeEvents(deps.db, endpointId, { readsOn });
    isEnabled = endpoint !== null;
    if (endpoint === null) break;
    served = endpoint;
    // Ended queues are not recorded yet.
    const busy = [...sending.values(), ...ended].map(({ queue }) => queue);
    const free = freeSlots(busy, { isLate: performance.now() - began > NEW_ONLY_MS });
    const due = await readDue(deps.db, endpointId, free, busy);
    const until = performance.now() + ROUND_MS;
    for (const queue of due) send(deps, endpoint, queue, { signal, until, sending, ended });
    const isFull = (lane: Lane) =>
      free[lane] > 0 && due.filter((queue) => queue.lane === lane).length >= free[lane];
    readsOn = free.NEW > 0 && !isFull('NEW');
    reportProgress({ requests: sending.size });
    await waitForAll(sending, LOOK_MS);
    const isAllSent = sending.size === 0 && ended.every(({ isEmpty }) => isEmpty);
    if (sending.size > 0 || ended.length > 0) idleSince = performance.now();
    await record();
    if (!isAllSent || endpoint.hasMore || LANES.some(isFull)) continue;
    if (performance.now() - idleSince > LINGER_MS) return endCall(deps, endpointId);
    await pauseBetweenLooks(signal);
  }

  await repeatingProgress(WEBHOOK_LIMIT_MS, () =>
    Promise.all([...sending.values()].map(({ sent }) => sent)),
  );
  await record();
  if (isEnabled) return { waitMs: 0 };
  // Enabling the endpoint starts the next call at once.
  await returnLease(deps.db, endpointId);

  return { waitMs: null };
}

async function endCall(
  { db }: DeliverDeps,
  endpointId: number,
): Promise<{ waitMs: number | null }> {
  await returnLease(db, endpointId);
  return { waitMs: await nextAttemptMs(db, endpointId) };
}

const pauseBetweenLooks = (signal: AbortSignal): Promise<void> =>
  delay(LOOK_MS, undefined, { signal }).catch(() => {});

/** Waits at most `limitMs`; slow queues are awaited later. */
async function waitForAll(sending: ReadonlyMap<string, Sending>, limitMs: number): Promise<void> {
  if (sending.size === 0) return;
  const limit = new AbortController();
  const all = Promise.all([...sending.values()].map(({ sent }) => sent));
  await Promise.race([all, delay(limitMs, undefined, { signal: limit.signal }).catch(() => {})]);
  limit.abort();
}

type Round = { signal: AbortSignal; until: number };

/** Sends a queue, which then moves to `ended`. */
function send(
  deps: DeliverDeps,
  endpoint: SigningEndpoint,
  queue: DueQueue,
  { sending, ended, ...round }: Round & { sending: Map<string, Sending>; ended: SentQueue[] },
): void {
  const key = queueKey(queue);
  const sent = sendInOrder(deps, endpoint, queue, round).then((entry) => {
    sending.delete(key);
    ended.push(entry);
  });

  // Errors are handled where the round waits.
  sent.catch(() => {});
  sending.set(key, { queue, sent });
}

/**
 * Sends one subject's deliveries until one fails. After `until`, sends only the first, so that the
 * results of slow receivers are recorded.
 */
async function sendInOrder(
  deps: DeliverDeps,
  endpoint: SigningEndpoint,
  queue: DueQueue,
  { signal, until }: Round,
): Promise<SentQueue> {
  const attempted: Attempted[] = [];
  const droppedIds: number[] = [];

  for (const delivery of queue.deliveries) {
    if (signal.aborted || (attempted.length > 0 && performance.now() > until)) break;
    const { event } = delivery;
    // The event was deleted, which also ends its delivery.
    if (event === null) {
      droppedIds.push(delivery.id);
      continue;
    }

    const at = new Date();
    const message = signedRequest(deps.secrets, endpoint, {
      messageId: toMessageId(event.id),
      payload: event,
      at,
    });

    const result = await deps.sendWebhook(message, signal);
    deps.failpoint('webhook-sent');
    if (result.error === 'CANCELLED') break;
    attempted.push({ delivery, at, endedAt: Date.now(), result });
    if (!isAccepted(result.status)) break;
  }

  const isComplete = attempted.length + droppedIds.length === queue.deliveries.length;
  const isLastAccepted = attempted.length === 0 || isAccepted(attempted.at(-1)!.result.status);

  return { queue, attempted, droppedIds, isEmpty: queue.isWhole && isComplete && isLastAccepted };
}

/** Header `webhook-id`. */
const toMessageId = (eventId: number): string => `evt_${eventId}`;
