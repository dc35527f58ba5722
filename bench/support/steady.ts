import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';

/** Sends a request. Resolves after a complete, successful answer, otherwise rejects. */
export type Send = (at: number) => Promise<unknown>;

/** Milliseconds from the due time to the complete answer, and the delay of each start. */
export type Steady = { ms: number[]; lateMs: number[] };

/** A request that starts later measures the load generator or the machine, not the server. */
export const LATE_MS = 5;
/** Concurrent requests of the load generator at full speed. */
const AT_ONCE = 32;

/**
 * Sends requests at a steady rate (open loop). Times count from the due time, so a pause of the
 * server shows in every request that it delays.
 */
export async function atRate(
  send: Send,
  { rate, from, to }: { rate: number; from: number; to: number },
) {
  const measured: Steady = { ms: [], lateMs: [] };
  const answers: Promise<void>[] = [];
  const begun = performance.now();

  for (let at = from; at < to; at += 1) {
    const due = begun + ((at - from) * 1_000) / rate;
    if (due > performance.now()) await delay(due - performance.now());
    measured.lateMs.push(performance.now() - due);
    answers.push(send(at).then(() => void measured.ms.push(performance.now() - due)));
  }

  await Promise.all(answers);

  return measured;
}

export async function measureCeiling(send: Send, seconds: number): Promise<number> {
  const begun = performance.now();
  const last = begun + seconds * 1_000;
  let sent = 0;
  const client = async () => {
    while (performance.now() < last) await send((sent += 1));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));

  return sent / ((performance.now() - begun) / 1_000);
}

export function quantile(values: readonly number[], share: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ??
    Number.NaN
  );
}

export const quantiles = (values: readonly number[]): string =>
  [0.5, 0.95, 0.99]
    .map((share) => `p${share * 100} ${quantile(values, share).toFixed(1)}`)
    .join(', ');

export async function post(
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<string> {
  return readText(
    url,
    await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    }),
  );
}

export async function get(url: string): Promise<string> {
  return readText(url, await request(url));
}

async function readText(
  url: string,
  { statusCode, body }: Awaited<ReturnType<typeof request>>,
): Promise<string> {
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${url} answered ${statusCode}: ${text.slice(0, 1_000)}`);
  return text;
}
