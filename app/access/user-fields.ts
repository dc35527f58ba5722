import { invalidField, Problem, type FieldError } from '../../contracts/problem.ts';
import type { Sql } from '../database.ts';
import { requiredTexts } from '../required-texts.ts';

/** Long enough to make guessing hopeless with the throttle of sign-ins, short enough to be hashed without harm. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;

/** The trimmed e-mail; its form is a hint against slips, only a letter proves an address. Problem `validation`. */
export function emailOf(text: string): string {
  const { email } = requiredTexts({ email: text }, { email: 254 });
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw invalidField('email', 'format', 'Not an e-mail address');
  return email;
}

/** Ids of roles named by their codes. Problem `validation` that names every unknown one. */
export async function roleIds(sql: Sql, codes: readonly string[]): Promise<number[]> {
  const rows = await sql.query<{ id: number; code: string }>('select id, code from access_role where code = any ($1)', [
    codes,
  ]);
  const known = new Map(rows.map(({ id, code }) => [code, id]));
  const errors = codes.flatMap((code, at): FieldError[] =>
    known.has(code) ? [] : [{ field: `roles.${at}`, code: 'not_found', message: 'No such role' }],
  );
  if (errors.length > 0) throw new Problem('validation', { errors });
  return [...new Set(known.values())].toSorted((a, b) => a - b);
}

/** Gives a user exactly these roles. */
export async function replaceRoles(sql: Sql, userId: number, ids: readonly number[]): Promise<void> {
  await sql.query('delete from access_user_role where user_id = $1 and role_id <> all ($2::bigint[])', [userId, ids]);
  await sql.query(
    `insert into access_user_role (user_id, role_id) select $1, unnest($2::bigint[]) on conflict do nothing`,
    [userId, ids],
  );
}

/** Ends every session of a user, except the one named: whoever holds a token of another is signed out at once. */
export async function endSessions(
  sql: Sql,
  userId: number,
  reason: 'DISABLED' | 'DELETED' | 'PASSWORD_CHANGED',
  exceptSessionId: string | null = null,
): Promise<void> {
  await sql.query(
    `update access_session set ended_at = now(), end_reason = $2
      where user_id = $1 and ended_at is null and ($3::uuid is null or id <> $3)`,
    [userId, reason, exceptSessionId],
  );
}
