import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../processes.ts';
import { wholeInSoak } from '../repetitions.ts';

/**
 * Enough for a backlog of 500 orders on a busy machine. An open circuit delays them by a minute per
 * failed probe.
 */
const AGREEMENT_MS = wholeInSoak(600_000, 240_000);

/** Waits until there are no differences. Returns the remaining differences after the time limit. */
export async function agreement(
  what: string,
  differences: () => Promise<string[]>,
): Promise<string[]> {
  let last: string[] = [`${what}: nothing could be compared`];
  for (const deadline = Date.now() + AGREEMENT_MS; Date.now() < deadline;) {
    const startedAt = Date.now();
    const found = await differences().catch((error: unknown) => [String(error)]);
    if (found.length === 0) return [];
    last = found;
    // Constant polling would slow down the product.
    await delay(Math.max(250, 3 * (Date.now() - startedAt)));
  }
  return last;
}

/** Waits until no work is left. Returns the remaining work after the time limit. */
export async function rest(
  look: () => Promise<Record<string, number | string>>,
): Promise<Record<string, number | string>> {
  let last: Record<string, number | string> = {};
  await eventually(
    'rest',
    async () => {
      last = await look();
      return Object.keys(last).length === 0 ? true : undefined;
    },
    AGREEMENT_MS,
    500,
  ).catch(() => undefined);
  return last;
}
