import { randomUUID } from 'node:crypto';

const ACCEPTED = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;

/** The caller's X-Request-Id when it is a harmless word of 8 to 64 characters, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED.test(header) ? header : nextRequestId();
}

const FIRST = 100_000_000;
const LAST = 999_999_999;
let prefix = newPrefix();
let counter = FIRST;

/**
 * A new id in the form of a uuid: random for a process and counted within it. It must be unique,
 * not unguessable, and a random uuid per request was the largest single cost of a 304.
 */
function nextRequestId(): string {
  if (counter > LAST) {
    prefix = newPrefix();
    counter = FIRST;
  }
  const id = prefix + String(counter);
  counter += 1;
  return id;
}

/** The first 27 of the 36 characters of a random uuid; nine digits follow. */
function newPrefix(): string {
  return randomUUID().slice(0, 27);
}
