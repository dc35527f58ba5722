import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { startGuarded } from '../../tools/guarded-process.ts';
import { freePort } from '../../tools/ports.ts';
import { cpuMs } from './cpu.ts';
import type { Load, Target } from './load.ts';
import { median } from './report.ts';

type Recorded = { status: number; headers: string[]; bodyFile: string | null };
export type Measured = Target & { pid: number };
/** Answers per second, and microseconds of CPU time per answer. */
type Speed = { rate: number; cpuMicros: number };
export type Round = { carte: Speed; yardstick: Speed };

export async function record(
  url: string,
  headers: Record<string, string>,
  bodyFile: string,
): Promise<Recorded> {
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

/** Starts a `node:http` process that replays recorded answers by path. */
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
 * Measures both servers concurrently, so that other load affects both equally. In alternating
 * rounds, the times of one server differed by a factor of two.
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

/** Returns our answer rate over all rounds as a multiple of the baseline's. */
export function computeRatio(rounds: readonly Round[]): number {
  const all = (whose: keyof Round) => rounds.reduce((sum, round) => sum + round[whose].rate, 0);
  return all('carte') / all('yardstick');
}

export function told(rounds: readonly Round[], whose: keyof Round): string {
  const middle = (field: keyof Speed) => median(rounds.map((round) => round[whose][field]));
  return `${Math.round(middle('rate'))} req/s, ${middle('cpuMicros').toFixed(1)} µs of a core each`;
}
