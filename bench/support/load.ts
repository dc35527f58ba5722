import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { onPath } from '../../tools/on-path.ts';

export type Target = { url: string; headers: Record<string, string> };
export type Load = { name: string; run(target: Target, seconds: number): Promise<number> };

const CONNECTIONS = 32;

/** The load generator of this machine: wrk where installed, else autocannon. `run` gives answered requests per second. */
export function loadGenerator(): Load {
  const wrk = onPath('wrk', process.env['PATH']);
  return wrk === undefined
    ? { name: 'autocannon', run: withAutocannon }
    : { name: 'wrk', run: (target, seconds) => withWrk(wrk, target, seconds) };
}

async function withWrk(program: string, { url, headers }: Target, seconds: number): Promise<number> {
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

async function withAutocannon({ url, headers }: Target, seconds: number): Promise<number> {
  const result = await autocannon({ url, headers, duration: seconds, connections: CONNECTIONS });
  if (result.errors > 0 || result['4xx'] + result['5xx'] > 0) throw new Error(`autocannon met errors at ${url}`);
  return result.requests.average;
}
