import { randomUUID } from 'node:crypto';

const ACCEPTED = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The caller's X-Request-Id when it is a harmless word of at most 128 characters, else a new uuid. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED.test(header) ? header : randomUUID();
}
