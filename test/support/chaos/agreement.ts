import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../processes.ts';
import { wholeInSoak } from '../repetitions.ts';

/**
 * For a product that has work to catch up with: in the soak five hundred orders, on a machine that
 * does other things. An open circuit alone keeps orders waiting for a minute, and for another one
 * after each request that tries it and is late on a busy machine.
 */
const AGREEMENT_MS = wholeInSoak(600_000, 240_000);

/** Waits until there is no difference; the last ones when that does not happen. */
export async function agreement(what: string, differences: () => Promise<string[]>): Promise<string[]> {
  let last: string[] = [`${what}: nothing could be compared`];
  for (const deadline = Date.now() + AGREEMENT_MS; Date.now() < deadline;) {
    const startedAt = Date.now();
    const found = await differences().catch((error: unknown) => [String(error)]);
    if (found.length === 0) return [];
    last = found;
    // Constant polling would slow the processes that the test waits for.
    await delay(Math.max(250, 3 * (Date.now() - startedAt)));
  }
  return last;
}

/** Waits until nothing is left; what is left when that does not happen. */
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
