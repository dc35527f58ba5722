import { sql } from 'kysely';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import { invalidField, Problem, type FieldError } from '../../kernel/problem.ts';
import { normalPhone } from './rules/phone.ts';
import { typedText } from '../../kernel/pure/typed-text.ts';
import { requiredTexts } from '../../kernel/required-texts.ts';

/** Trims an e-mail and checks its format. Problem `validation`. */
export function normalizeEmail(text: string): string {
  const { email } = requiredTexts({ email: typedText(text) }, { email: 254 });
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw invalidField('email', 'format', 'Not an e-mail address');
  return email;
}

/** Normalizes a phone to the format +79990001122. Null for none. Problem `validation`. */
export function normalizePhone(text: string | null | undefined): string | null {
  if (text == null) return null;
  const phone = normalPhone(text);
  if (phone === null)
    throw invalidField('phone', 'format', 'must be a phone with its country: +7 999 000 11 22');
  return phone;
}

/** Sorts restaurants. Null for all, undefined if absent. */
export function sortLimits(
  organizationIds: readonly number[] | null | undefined,
): number[] | null | undefined {
  return (
    organizationIds?.toSorted((a, b) => a - b) ?? (organizationIds === null ? null : undefined)
  );
}

/** Throws `validation` for unknown codes. */
export async function roleIds({ db }: Sql, codes: readonly string[]): Promise<number[]> {
  const rows = await db
    .selectFrom('access_role')
    .select(['id', 'code'])
    .where('code', '=', anyOf(codes, 'text'))
    .execute();

  const known = new Map(rows.map(({ id, code }) => [code, id]));
  const errors = codes.flatMap((code, at): FieldError[] =>
    known.has(code) ? [] : [{ field: `roles.${at}`, code: 'not_found', message: 'No such role' }],
  );
  if (errors.length > 0) throw new Problem('validation', { errors });

  return [...new Set(known.values())].toSorted((a, b) => a - b);
}

export async function replaceRoles(
  { db }: Sql,
  userId: number,
  ids: readonly number[],
): Promise<void> {
  await db
    .deleteFrom('access_user_role')
    .where('userId', '=', userId)
    .where((eb) => eb.not(eb('roleId', '=', anyOf(ids))))
    .execute();

  if (ids.length === 0) return;
  await db
    .insertInto('access_user_role')
    .values(ids.map((roleId) => ({ userId, roleId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns undefined if the e-mail exists. */
export function insertUser(
  { db }: Sql,
  user: { email: string; fullName: string; passwordHash?: string | null },
): Promise<{ id: number } | undefined> {
  return db
    .insertInto('access_user')
    .values(user)
    .onConflict((conflict) =>
      conflict
        .expression(sql`lower(email)`)
        .where('deletedAt', 'is', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
}

/** Returns false if the role does not exist. */
export async function giveRole({ db }: Sql, userId: number, code: string): Promise<boolean> {
  const role = await db
    .selectFrom('access_role')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirst();
  if (role === undefined) return false;

  await db.insertInto('access_user_role').values({ userId, roleId: role.id }).execute();

  return true;
}

export async function endSessions(
  { db }: Sql,
  userId: number,
  reason: 'DISABLED' | 'DELETED' | 'PASSWORD_CHANGED' | 'SECOND_FACTOR_SET',
  exceptSessionId: string | null = null,
): Promise<void> {
  const ended = db
    .updateTable('access_session')
    .set({ endedAt: sql<Date>`now()`, endReason: reason })
    .where('userId', '=', userId)
    .where('endedAt', 'is', null);

  await (exceptSessionId === null ? ended : ended.where('id', '<>', exceptSessionId)).execute();
}
