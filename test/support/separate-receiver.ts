import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freeLowPort } from '../../tools/ports.ts';
import type { Runnable } from './chaos/supervise.ts';
import { eventually, startEntry } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Secrets of the receiver, and the probability of each fault (0 to 1). */
export type Behavior = {
  secrets: readonly string[];
  silent: number;
  fail: number;
  die: number;
};

/** A stored message. A rejected message has the `secret` index -1. */
export type Receipt = { id: number; subject: string; messageId: string; secret: number };

/** Runs a webhook receiver as a process that `start` restarts after each death. */
export async function separateReceiver(seed: number) {
  const folder = await temporaryFolder('receiver');
  const [port, settings, log] = [
    await freeLowPort(),
    join(folder, 'settings.json'),
    join(folder, 'log'),
  ];
  await writeFile(log, '');
  let behavior: Behavior = { secrets: [], silent: 0, fail: 0, die: 0 };
  let starts = 0;
  const url = `http://127.0.0.1:${port}/hook`;

  async function behave(change: Partial<Behavior>): Promise<void> {
    behavior = { ...behavior, ...change };
    // Replaces the file atomically: readers see the former or the new file.
    await writeFile(`${settings}.new`, JSON.stringify(behavior));
    await rename(`${settings}.new`, settings);
  }
  await behave({});

  return {
    url,
    behave,
    start: async (): Promise<Runnable> => {
      starts += 1;
      const args = [String(port), settings, log, String(seed + starts)];
      const started = startEntry('receiver', 'test/support/fixtures/separate-receiver.ts', args, {
        PATH: process.env['PATH'],
      });
      const ready = eventually('the receiver accepts connections', async () =>
        (await fetch(url)).ok ? true : undefined,
      );
      await Promise.race([ready, started.exited]);
      return { pid: started.child.pid!, exited: started.exited, stop: () => started.stop() };
    },
    async receipts(): Promise<Receipt[]> {
      const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Receipt);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Lists violations of EVT-11, one sentence each. */
export function receiptDifferences(
  receipts: readonly Receipt[],
  events: readonly { id: number; subject: string }[],
): string[] {
  const waiting = new Map(
    Map.groupBy(events, ({ subject }) => subject)
      .entries()
      .map(([subject, some]) => [subject, some.map(({ id }) => id)]),
  );
  const stored = new Set<number>();
  const differences: string[] = [];
  for (const { id, subject, messageId, secret } of receipts) {
    if (secret < 0) differences.push(`${messageId} was rejected`);
    if (messageId !== `evt_${id}`) differences.push(`event ${id} has the message id ${messageId}`);
    if (secret < 0 || stored.has(id)) continue;
    stored.add(id);
    const [next] = waiting.get(subject) ?? [];
    if (next === id) waiting.get(subject)!.shift();
    else differences.push(`event ${id} of ${subject} arrived when ${next ?? 'none'} was next`);
  }
  const missing = [...waiting.values()].flat().filter((id) => !stored.has(id));
  return [...differences, ...missing.map((id) => `event ${id} is missing`)];
}
