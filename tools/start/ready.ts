import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from '../../platform/start-failure.ts';

/** Waits until `url` answers 200. Throws StartFailure after a minute, naming the part. */
export async function waitUntilReady(url: string, name: string, limitMs = 60_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    const status = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.status,
      // Not listening yet: the deadline decides.
      () => 0,
    );
    if (status === 200) return;
    await delay(100);
  }
  throw new StartFailure(`${name} did not become ready within ${limitMs / 1000} s at ${url}.`);
}
