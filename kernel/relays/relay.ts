import { setTimeout as delay } from 'node:timers/promises';
import { loggable, type Log } from '../../platform/log.ts';
import { withLogContext } from '../../platform/log-context.ts';
import type { Metrics } from '../../platform/metrics.ts';

/** Periodic work of each process on committed rows, which needs no workflow (OPS-42). */
export type Relay = {
  name: 'outbox' | 'events';
  /** Longest pause between rounds, ms. */
  everyMs: number;
  /** In ms. The relay does not wait for a slower round. */
  limitMs: number;
  /** Idempotent, and safe in several processes. */
  work: () => Promise<unknown>;
};

export type RunningRelay = { wake: () => void; stop: () => Promise<void> };

type RelayDeps = { log: Log; metrics: Pick<Metrics, 'relayDuration' | 'relaySucceeded'> };

/**
 * Runs a round at once, after each `wake`, and at least every `everyMs`, never concurrently.
 * Failed rounds are logged. `stop` resolves after the running round.
 */
export function startRelay(
  { log, metrics }: RelayDeps,
  { name, everyMs, limitMs, work }: Relay,
): RunningRelay {
  const stopped = new AbortController();
  let isAwake = false;
  let wakeUp = new AbortController();
  metrics.relaySucceeded.set({ relay: name }, Date.now() / 1000);

  async function round(): Promise<void> {
    const began = performance.now();
    const observe = (outcome: 'succeeded' | 'failed') =>
      metrics.relayDuration.observe({ relay: name, outcome }, (performance.now() - began) / 1000);
    const limit = new AbortController();
    const late = delay(limitMs, undefined, { signal: limit.signal }).then(
      () => Promise.reject(new Error(`a round took longer than ${limitMs} ms`)),
      () => undefined,
    );

    try {
      await Promise.race([withLogContext({ activity: `${name} relay` }, work), late]);
      observe('succeeded');
      metrics.relaySucceeded.set({ relay: name }, Date.now() / 1000);
    } catch (error) {
      observe('failed');
      log.warn({ error: loggable(error), relay: name }, 'a relay has failed; it is repeated');
    } finally {
      limit.abort();
    }
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      isAwake = false;
      await round();
      if (isAwake) continue;
      wakeUp = new AbortController();
      const signal = AbortSignal.any([stopped.signal, wakeUp.signal]);
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const running = run();

  return {
    wake() {
      isAwake = true;
      wakeUp.abort();
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
