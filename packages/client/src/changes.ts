import { listen, type OpenStream, type StreamEvent } from './event-stream.ts';
import { pause } from './pause.ts';
import { isProblem, type CallOptions } from './transport.ts';

export type WatchPauses = CallOptions & {
  /** Milliseconds between two reads without an event stream. */
  intervalMs?: number | undefined;
  /** Called for failures that are retried: no network, 429, 5xx. */
  onFailure?: ((error: unknown) => void) | undefined;
};

/** Milliseconds between two reads during an event stream, in case an event was lost. */
const STREAMED_EVERY_MS = 300_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * `found` is null if nothing has changed. With `nextInMs` the next read does not wait for an
 * event.
 */
export type Reading<T> = { found: T | null; nextInMs?: number };

type Pauses = {
  intervalMs: number;
  onFailure: WatchPauses['onFailure'] | undefined;
  call: CallOptions;
};

/**
 * Yields the results of `read`, except null: at once, after each event, and at intervals. Pauses
 * grow while reads fail, but follow `Retry-After`.
 */
export async function* changes<T>(
  read: (event: StreamEvent | null) => Promise<Reading<T>>,
  open: OpenStream | null,
  { intervalMs, onFailure, call }: Pauses,
): AsyncGenerator<T, void, undefined> {
  const { signal } = call;
  const isAborted = () => signal?.aborted === true;
  const listener = open === null ? null : listen(open, call);

  try {
    for (let failures = 0; !isAborted();) {
      let pauseMs: number | null = null;

      try {
        const { found, nextInMs = null } = await read(listener?.take() ?? null);
        failures = 0;
        pauseMs = nextInMs;
        if (found !== null) yield found;
      } catch (error) {
        if (isAborted()) return;
        if (isProblem(error) && error.status < 500 && error.status !== 429) throw error;
        onFailure?.(error);
        pauseMs = pauseAfter(error, failures);
        failures += 1;
      }

      if (pauseMs !== null || listener === null) await pause(pauseMs ?? intervalMs, signal);
      else await listener.wait(STREAMED_EVERY_MS, intervalMs);
    }
  } finally {
    listener?.close();
  }
}

/**
 * Returns the delay in ms: as the server requests, otherwise doubled after each failure, with
 * jitter.
 */
function pauseAfter(error: unknown, failures: number): number {
  if (isProblem(error) && error.retryAfter !== null)
    return Math.max(error.retryAfter * 1_000, FIRST_PAUSE_MS);
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  return longest / 2 + (Math.random() * longest) / 2;
}
