import { invalidField } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { clearLoginAttempts, countLoginAttempt } from './login-throttle.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { endSessions } from './user-fields.ts';

/**
 * Gives the signed-in user a new password and ends his other sessions. The present password is asked for, and guessing it is
 * throttled like signing in. Problems: validation, rate-limited.
 */
export async function changePassword(
  { db }: { db: Database },
  who: Extract<Actor, { type: 'USER' }> & { sessionId: string; address: string },
  input: { currentPassword: string; newPassword: string },
): Promise<void> {
  const [user] = await db.query<{ email: string; hash: string | null }>(
    'select lower(email) as email, password_hash as hash from access_user where id = $1',
    [who.userId],
  );
  const attempt = { account: user?.email ?? '', address: who.address };
  await countLoginAttempt(db, attempt);
  if (!(await passwordMatches(user?.hash ?? null, input.currentPassword)))
    throw invalidField('currentPassword', 'invalid', 'Not the present password');
  await clearLoginAttempts(db, attempt);
  const hash = await hashPassword(input.newPassword);
  await db.transaction(async (tx) => {
    await tx.query(
      'update access_user set password_hash = $2, updated_at = now(), version = version + 1 where id = $1',
      [who.userId, hash],
    );
    await endSessions(tx, who.userId, 'PASSWORD_CHANGED', who.sessionId);
    await recordAudit(tx, who, { entityType: 'user', entityId: who.userId, action: 'change-password' });
  });
}
