import { randomUUID } from 'node:crypto';

const ACCEPTED = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;

/** Returns the caller's X-Request-Id if it has 8 to 64 safe characters. */
export function chooseRequestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED.test(header) ? header : nextRequestId();
}

const FIRST = 100_000_000;
const LAST = 999_999_999;
let prefix = newPrefix();
let counter = FIRST;

/** Ids must be unique, not unguessable: a random UUID was the largest cost of a 304. */
function nextRequestId(): string {
  if (counter > LAST) {
    prefix = newPrefix();
    counter = FIRST;
  }
  const id = prefix + String(counter);
  counter += 1;

  return id;
}

/** 27 of 36 characters; nine digits follow. */
function newPrefix(): string {
  return randomUUID().slice(0, 27);
}
