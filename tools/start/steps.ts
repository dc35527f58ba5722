import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from '../../platform/start-failure.ts';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Prints a line if a step takes long, and a line with its duration at the end. */
export type Steps = {
  run<T>(title: string, work: (note: (line: string) => void) => Promise<T>): Promise<T>;
  say(line: string): void;
};

export function createSteps(write: (line: string) => void): Steps {
  return {
    say: write,
    async run(title, work) {
      const begun = performance.now();
      write(`  ${title} …`);
      const result = await work((line) => write(`      ${line}`));
      write(`  ${title}: done in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
      return result;
    },
  };
}

/** Returns the message without its last period, and with the network error. */
export function describeError(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string } };
  const reason = cause?.message === undefined ? message : `${message} (${cause.message})`;
  return reason.replace(/\.$/, '');
}

/**
 * Waits until `url` responds with 200. Throws StartFailure after the limit, which is long for busy
 * machines. Callers detect a part that ends.
 */
export async function waitUntilReady(url: string, name: string, limitMs = 300_000): Promise<void> {
  const deadline = Date.now() + limitMs;

  while (Date.now() < deadline) {
    const status = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.status,
      // The server does not listen yet.
      () => 0,
    );
    if (status === 200) return;
    await delay(100);
  }

  throw new StartFailure(`${name} did not become ready within ${limitMs / 1000} s at ${url}.`);
}

/** Returns a sink for `logs/<name>.log` in the data folder, truncated at each start. */
export async function logFile(dataDir: string, name: string): Promise<(line: string) => void> {
  const folder = join(dataDir, 'logs');
  await mkdir(folder, { recursive: true });
  const stream = createWriteStream(join(folder, `${name}.log`), { flags: 'w' });
  return (line) => void stream.write(`${line}\n`);
}
