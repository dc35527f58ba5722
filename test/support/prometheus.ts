import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freeLowPort } from '../../tools/ports.ts';
import { eventually, root, startProcess } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Prometheus = {
  ask<T>(path: string): Promise<T>;
  stop(): Promise<void>;
};

/**
 * Starts Prometheus with the command of `docker-compose.yml`, except folder, scrape interval and
 * targets.
 */
export async function startPrometheus(
  path: string,
  command: readonly string[],
  opsPorts: ReadonlyMap<string, number>,
): Promise<Prometheus> {
  const folder = await temporaryFolder('prometheus');
  const port = await freeLowPort();
  const here = (part: string) =>
    part.replace(/=(\/.*)$/, (_, place: string) => `=${join(folder, place)}`);
  const config = [...opsPorts].reduce(
    (text, [name, opsPort]) => text.replace(`${name}:9464`, `127.0.0.1:${opsPort}`),
    await readFile(`${root}ops/prometheus/prometheus.yml`, 'utf8'),
  );
  const args = [...command.map(here), `--web.listen-address=127.0.0.1:${port}`];
  const place = args
    .map((arg) => /^--config\.file=(.*)$/.exec(arg)?.[1])
    .find((entry) => entry !== undefined)!;
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, config.replaceAll('_interval: 15s', '_interval: 1s'));
  for (const rules of ['alerts.yml', 'servers.yml'])
    await writeFile(
      join(dirname(place), rules),
      await readFile(`${root}ops/prometheus/${rules}`, 'utf8'),
    );
  const started = startProcess('prometheus', path, args, process.env);
  const url = `http://127.0.0.1:${port}`;
  const gone = started.exited.then((code) => {
    throw new Error(`Prometheus ended with ${code}: ${started.output()}`);
  });
  gone.catch(() => undefined);
  const isReady = async () => ((await fetch(`${url}/-/ready`)).ok ? true : undefined);
  await Promise.race([eventually('Prometheus is ready', isReady), gone]);
  return {
    ask: async <T>(asked: string) =>
      ((await (await fetch(`${url}/api/v1/${asked}`)).json()) as { data: T }).data,
    async stop() {
      await started.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
