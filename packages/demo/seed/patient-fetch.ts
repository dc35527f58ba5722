import { setTimeout as delay } from 'node:timers/promises';

/** The product's windows are a minute long; who is told to wait longer is told something else. */
const LONGEST_WAIT_SECONDS = 90;

/**
 * `fetch` of a program that may wait: an answer 429 or 503 with `Retry-After` is waited out and the request repeated, as
 * often as it takes. Returns the first other answer; also a refusal without `Retry-After` or with more than 90 seconds.
 */
export async function patientFetch(url: string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init);
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (![429, 503].includes(response.status) || !(wait <= LONGEST_WAIT_SECONDS)) return response;
    await response.body?.cancel();
    await delay(Math.max(wait, 0.2) * 1000, undefined, init.signal ? { signal: init.signal } : {});
  }
}
