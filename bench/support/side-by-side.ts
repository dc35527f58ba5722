import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { startGuarded } from '../../tools/guarded-process.ts';
import { freePort } from '../../tools/ports.ts';
import { cpuMs } from './cpu.ts';
import type { Load, Target } from './load.ts';
import { median } from './report.ts';

type Recorded = { status: number; headers: string[]; bodyFile: string | null };
/** A server under load. */
export type Measured = Target & { pid: number };
/** Answers per second, and the processor time of one answer in microseconds. */
type Speed = { rate: number; cpuMicros: number };
export type Round = { carte: Speed; yardstick: Speed };

/**
 * Records the answer that the yardstick must give: status, header lines and bytes of one recorded
 * answer.
 */
export async function record(url: string, headers: Record<string, string>, bodyFile: string): Promise<Recorded> {
  const answer = await request(url, { headers });
  const body = Buffer.from(await answer.body.arrayBuffer());
  await writeFile(bodyFile, body);
  const kept = Object.entries(answer.headers).filter(
    ([name]) => !['connection', 'keep-alive', 'date', 'transfer-encoding'].includes(name),
  );
  return {
    status: answer.statusCode,
    headers: kept.flatMap(([name, value]) => [name, String(value)]),
    bodyFile: body.length === 0 ? null : bodyFile,
  };
}

/**
 * Starts bare `node:http` in a process of its own, which listens then; it answers each path as it
 * was recorded.
 */
export async function startBare(
  folder: string,
  recorded: Readonly<Record<string, Recorded>>,
): Promise<{ url: string; pid: number; stop(): Promise<unknown> }> {
  const port = await freePort();
  const answers = join(folder, 'answers.json');
  await writeFile(answers, JSON.stringify(recorded));
  const listening = Promise.withResolvers<void>();
  const process_ = await startGuarded({
    command: process.execPath,
    args: [join(import.meta.dirname, 'bare-server.ts'), String(port), answers],
    output: () => listening.resolve(),
  });
  void process_.exited.then(() => listening.reject(new Error('The yardstick has ended')));
  await listening.promise;
  return { url: `http://127.0.0.1:${port}`, pid: process_.pid, stop: () => process_.stop() };
}

/**
 * The speed of both under load at the same time, after a second of warming up each. Load of a
 * shared machine affects both of them equally, unlike alternating turns: one and the same server
 * takes twice as long in one round as in the next.
 */
export async function sideBySide(
  load: Load,
  { carte, yardstick }: { carte: Measured; yardstick: Measured },
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Round[]> {
  await load.run(carte, 1);
  await load.run(yardstick, 1);
  const speed = async (target: Measured): Promise<Speed> => {
    const before = cpuMs(target.pid);
    const rate = await load.run(target, seconds);
    return { rate, cpuMicros: ((cpuMs(target.pid) - before) * 1000) / (rate * seconds) };
  };
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [ours, bare] = await Promise.all([speed(carte), speed(yardstick)]);
    measured.push({ carte: ours, yardstick: bare });
  }
  return measured;
}

/** Our answers of all rounds as a multiple of those of the yardstick. */
export function ratioOf(rounds: readonly Round[]): number {
  const all = (whose: keyof Round) => rounds.reduce((sum, round) => sum + round[whose].rate, 0);
  return all('carte') / all('yardstick');
}

/** The formatted median of one server's rounds. */
export function told(rounds: readonly Round[], whose: keyof Round): string {
  const middle = (field: keyof Speed) => median(rounds.map((round) => round[whose][field]));
  return `${Math.round(middle('rate'))} req/s, ${middle('cpuMicros').toFixed(1)} µs of a core each`;
}
