import { Problem } from '../../contracts/problem.ts';
import type { Sql } from '../../db/database.ts';
import { countInWindow, takeBack } from '../window-count.ts';

const WINDOW_SECONDS = 15 * 60;
const LIMITS = { account: 10, address: 50 } as const;

export type LoginAttempt = { account: string; address: string };

/**
 * Counts one login attempt against its address and then against its account. Throws `rate-limited` when one of them has used up its
 * attempts of 15 minutes; such an attempt costs no password check, and an address that has used up its own costs no account any.
 */
export async function countLoginAttempt(sql: Sql, attempt: LoginAttempt): Promise<void> {
  for (const kind of ['address', 'account'] as const) {
    const limit = { kind: `login-${kind}`, of: attempt[kind], most: LIMITS[kind] };
    const { isOver, seconds } = await countInWindow(sql, WINDOW_SECONDS, [limit]);
    if (isOver)
      throw new Problem('rate-limited', {
        detail: 'Too many sign-in attempts',
        headers: { 'Retry-After': String(seconds) },
      });
  }
}

/** Forgets the attempts of an account that has signed in, and takes the success off its address. */
export function clearLoginAttempts(sql: Sql, { account, address }: LoginAttempt): Promise<void> {
  return takeBack(sql, { all: { kind: 'login-account', of: account }, one: { kind: 'login-address', of: address } });
}
