const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Pauses after failed attempts, the last one repeated, and the time after which an endpoint is
 * disabled; milliseconds.
 */
export type WebhookPace = { pausesMs: readonly number[]; giveUpMs: number };

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
  giveUpMs: 72 * HOUR_MS,
};

/** The pause after the failed attempt of this number, from 1; milliseconds (rule EVT-10). */
export const pauseMs = ({ pausesMs }: WebhookPace, attempt: number): number =>
  pausesMs[Math.min(attempt, pausesMs.length) - 1] ?? HOUR_MS;
