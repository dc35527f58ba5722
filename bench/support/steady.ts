import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';

/**
 * One request that is measured: it resolves when the whole answer is there, and rejects when that
 * is not a success.
 */
export type Send = (at: number) => Promise<unknown>;

/**
 * Milliseconds from the moment a request was due until its answer was complete, and how late each
 * of them began.
 */
export type Steady = { ms: number[]; lateMs: number[] };

/**
 * A request that begins later than this measures more of the load generator, or of the machine,
 * than of the server.
 */
export const LATE_MS = 5;
/** Requests at once when the load generator runs at full speed. */
const AT_ONCE = 32;

/**
 * Sends requests `from` to `to` at a steady rate, whether or not those before have been answered.
 * What begins late counts from when it was due, so a pause of the server is seen by all requests
 * that fall into it.
 */
export async function atRate(send: Send, { rate, from, to }: { rate: number; from: number; to: number }) {
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

/**
 * Requests per second that the load generator reaches when each of them begins as soon as another
 * one has been answered.
 */
export async function ceilingOf(send: Send, seconds: number): Promise<number> {
  const begun = performance.now();
  const last = begun + seconds * 1_000;
  let sent = 0;
  const client = async () => {
    while (performance.now() < last) await send((sent += 1));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return sent / ((performance.now() - begun) / 1_000);
}

/** The value that this share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
}

/** Formatted p50, p95 and p99. */
export const quantiles = (values: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${quantile(values, share).toFixed(1)}`).join(', ');

/** The body of a successful answer. */
export async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<string> {
  return textOf(
    url,
    await request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }),
  );
}

/** The body of a successful answer. */
export async function get(url: string): Promise<string> {
  return textOf(url, await request(url));
}

async function textOf(url: string, { statusCode, body }: Awaited<ReturnType<typeof request>>): Promise<string> {
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${url} answered ${statusCode}: ${text.slice(0, 1_000)}`);
  return text;
}
