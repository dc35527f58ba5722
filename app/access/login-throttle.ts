import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Problem } from '../../contracts/problem.ts';
import type { Sql } from '../../db/database.ts';

const WINDOW_MINUTES = 15;
const LIMITS = { account: 10, address: 50 } as const;

export type LoginAttempt = { account: string; address: string };

/**
 * Counts one login attempt against its account and its address, for all instances together. Throws `rate-limited` when
 * one of them has used up its attempts of 15 minutes; such an attempt costs no password check. Counting comes before
 * checking, so parallel guesses cannot slip through. Only digests are stored.
 */
export async function countLoginAttempt({ db }: Sql, attempt: LoginAttempt): Promise<void> {
  for (const kind of ['address', 'account'] as const) {
    const counted = await sql<{ attempts: number; seconds: number }>`
      insert into access_login_throttle as t (key, attempts, window_ends_at)
      values (${keyOf(kind, attempt)}, 1, now() + ${WINDOW_MINUTES} * interval '1 minute')
      on conflict (key) do update set
        attempts = case when t.window_ends_at > now() then t.attempts + 1 else 1 end,
        window_ends_at = case when t.window_ends_at > now() then t.window_ends_at else excluded.window_ends_at end
      returning attempts, greatest(1, ceil(extract(epoch from window_ends_at - now())))::int as seconds`.execute(db);
    const [row] = counted.rows;
    if (row !== undefined && row.attempts > LIMITS[kind])
      throw new Problem('rate-limited', {
        detail: 'Too many sign-in attempts',
        headers: { 'Retry-After': String(row.seconds) },
      });
  }
}

/** Forgets the attempts of an account that has signed in, takes the success off its address, and drops old rows. */
export async function clearLoginAttempts({ db }: Sql, attempt: LoginAttempt): Promise<void> {
  await db
    .deleteFrom('access_login_throttle')
    .where((eb) => eb('key', '=', keyOf('account', attempt)).or('windowEndsAt', '<', sql<Date>`now()`))
    .execute();
  await db
    .updateTable('access_login_throttle')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('key', '=', keyOf('address', attempt))
    .execute();
}

function keyOf(kind: keyof LoginAttempt, attempt: LoginAttempt): string {
  return `${kind}:${createHash('sha256').update(attempt[kind]).digest('base64url')}`;
}
