import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from '../../platform/start-failure.ts';

/**
 * Waits until `url` answers 200. Throws StartFailure after five minutes, naming the part. Long, because a busy machine
 * may need two, and harmless: the caller notices a part that ends by itself at once.
 */
export async function waitUntilReady(url: string, name: string, limitMs = 300_000): Promise<void> {
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
