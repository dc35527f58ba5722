import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { startGuarded } from '../../tools/guarded-process.ts';
import { freePort } from '../../tools/ports.ts';
import type { Load, Target } from './load.ts';

type Recorded = { status: number; headers: string[]; bodyFile: string | null };
export type Round = { carte: number; yardstick: number };

/** What the yardstick must answer: status, header lines and bytes of one recorded answer. */
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

/** Starts bare `node:http` in a process of its own; it answers each path as it was recorded. */
export async function startBare(
  folder: string,
  recorded: Readonly<Record<string, Recorded>>,
): Promise<{ url: string; stop(): Promise<unknown> }> {
  const port = await freePort();
  const answers = join(folder, 'answers.json');
  await writeFile(answers, JSON.stringify(recorded));
  const process_ = await startGuarded({
    command: process.execPath,
    args: [join(import.meta.dirname, 'bare-server.ts'), String(port), answers],
    output: () => undefined,
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => process_.stop() };
}

/** Requests per second of both, in turns, after a second of warming up each. */
export async function inTurns(
  load: Load,
  { carte, yardstick }: { carte: Target; yardstick: Target },
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Round[]> {
  await load.run(carte, 1);
  await load.run(yardstick, 1);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push({ carte: await load.run(carte, seconds), yardstick: await load.run(yardstick, seconds) });
  }
  return measured;
}
