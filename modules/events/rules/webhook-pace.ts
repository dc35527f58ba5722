const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * `pausesMs`: pauses after failed attempts, the last one repeated. `warnMs`: time until staff are
 * notified. `giveUpMs`: time until an event is set aside, or its endpoint disabled.
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

/** Returns the pause after the failed attempt with this number, from 1 (rule EVT-10). */
export const pauseMs = ({ pausesMs }: WebhookPace, attempt: number): number =>
  pausesMs[Math.min(attempt, pausesMs.length) - 1] ?? HOUR_MS;

const GONE = 410;

/** Times are Unix ms. */
export type AttemptFacts = {
  /** Null without a response. */
  status: number | null;
  retryAfterMs?: number | undefined;
  /** Failures since `failingSince`, including this one. */
  failures: number;
  /** First failure of the event. */
  failingSince: number;
  /** Last acceptance of any event. */
  lastAcceptedAt: number | null;
  /** End of the attempt. */
  now: number;
};

/**
 * `FAILED` sets the event aside; `GONE` and `FAILING` disable the endpoint (rules EVT-10, EVT-37).
 * `pauseMs`: until the subject's next attempt.
 */
export type AttemptOutcome =
  | { result: 'DELIVERED' | 'FAILED' }
  | { result: 'RETRIED' | 'GONE' | 'FAILING'; pauseMs: number };

export const isAccepted = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

/** Decides the outcome of an attempt. An endpoint that accepts other events stays enabled. */
export function decideOutcome(facts: AttemptFacts, pace: WebhookPace): AttemptOutcome {
  const { status, failures, failingSince, lastAcceptedAt, now } = facts;
  if (isAccepted(status)) return { result: 'DELIVERED' };
  const paused = Math.max(pauseMs(pace, failures), facts.retryAfterMs ?? 0);
  if (status === GONE) return { result: 'GONE', pauseMs: paused };
  if (now - failingSince < pace.giveUpMs) return { result: 'RETRIED', pauseMs: paused };
  const acceptsOthers = lastAcceptedAt !== null && lastAcceptedAt >= failingSince;

  return acceptsOthers ? { result: 'FAILED' } : { result: 'FAILING', pauseMs: paused };
}
