const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Pauses after failed attempts, the last one repeated; the time of failures after which staff are
 * notified; and the time after which an event is set aside, or its endpoint disabled; milliseconds.
 */
export type WebhookPace = { pausesMs: readonly number[]; warnMs: number; giveUpMs: number };

export const WEBHOOK_PACE: WebhookPace = {
  pausesMs: [
    5_000,
    30_000,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    3 * HOUR_MS,
    6 * HOUR_MS,
    12 * HOUR_MS,
  ],
  warnMs: HOUR_MS,
  giveUpMs: 72 * HOUR_MS,
};

/** The pause after the failed attempt of this number, from 1; milliseconds (rule EVT-10). */
export const pauseMs = ({ pausesMs }: WebhookPace, attempt: number): number =>
  pausesMs[Math.min(attempt, pausesMs.length) - 1] ?? HOUR_MS;

const GONE = 410;

/** One attempt to deliver an event. */
export type AttemptFacts = {
  /** Status of the answer; null without one. */
  status: number | null;
  retryAfterMs?: number | undefined;
  /** Failed attempts since `failingSince`, this one included. */
  failures: number;
  /** The first failure of the event. */
  failingSince: number;
  /** The last moment at which the receiver accepted any event. */
  lastAcceptedAt: number | null;
  /** The end of the attempt. Times are milliseconds since 1970. */
  now: number;
};

/**
 * Result of an attempt (rules EVT-10, EVT-37): `FAILED` sets the event aside, `GONE` and `FAILING`
 * disable the endpoint. `pauseMs` is the time until the next attempt of the subject.
 */
export type AttemptOutcome =
  | { result: 'DELIVERED' | 'FAILED' }
  | { result: 'RETRIED' | 'GONE' | 'FAILING'; pauseMs: number };

export const isAccepted = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

/** Decides about an attempt. A receiver that accepts other events keeps its endpoint. */
export function outcomeOf(facts: AttemptFacts, pace: WebhookPace): AttemptOutcome {
  const { status, failures, failingSince, lastAcceptedAt, now } = facts;
  if (isAccepted(status)) return { result: 'DELIVERED' };
  const paused = Math.max(pauseMs(pace, failures), facts.retryAfterMs ?? 0);
  if (status === GONE) return { result: 'GONE', pauseMs: paused };
  if (now - failingSince < pace.giveUpMs) return { result: 'RETRIED', pauseMs: paused };
  const acceptsOthers = lastAcceptedAt !== null && lastAcceptedAt >= failingSince;
  return acceptsOthers ? { result: 'FAILED' } : { result: 'FAILING', pauseMs: paused };
}
