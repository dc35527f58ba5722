import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { onPath } from '../../tools/cached-program.ts';

export type Target = { url: string; headers: Record<string, string> };
export type Load = { name: string; run(target: Target, seconds: number): Promise<number> };

const CONNECTIONS = 16;

/**
 * Creates a load generator: wrk if installed, else our loop, which is slower than the measured
 * server. `run` returns answers per second.
 */
export function loadGenerator(): Load {
  const wrk = onPath('wrk', process.env['PATH']);
  return wrk === undefined
    ? { name: 'undici', run: withUndici }
    : { name: 'wrk', run: (target, seconds) => withWrk(wrk, target, seconds) };
}

async function withWrk(
  program: string,
  { url, headers }: Target,
  seconds: number,
): Promise<number> {
  const args = [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    url,
  ];

  const { stdout } = await promisify(execFile)(program, args);
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1];
  if (rate === undefined || /Socket errors|Non-2xx or 3xx/.test(stdout))
    throw new Error(`wrk did not measure ${url}: ${stdout}`);

  return Number(rate);
}

async function withUndici({ url, headers }: Target, seconds: number): Promise<number> {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const begun = performance.now();
  let answered = 0;
  const client = async () => {
    while (performance.now() - begun < seconds * 1000) {
      const { statusCode, body } = await pool.request({
        path: pathname + search,
        method: 'GET',
        headers,
      });

      await body.dump();
      if (statusCode >= 400) throw new Error(`${url} answered ${statusCode}`);
      answered += 1;
    }
  };

  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, client));
    return answered / ((performance.now() - begun) / 1000);
  } finally {
    await pool.destroy();
  }
}
