import type { PasswordChange } from '../../contracts/access.ts';
import { invalidField } from '../../contracts/problem.ts';
import { AccessUser } from '../../db/entities/access.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { holdForEdit, saveEdit } from '../edits.ts';
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
  input: PasswordChange,
): Promise<void> {
  const user = await db.db
    .selectFrom('access_user')
    .select(['email', 'passwordHash'])
    .where('id', '=', who.userId)
    .executeTakeFirst();
  const attempt = { account: user?.email.toLowerCase() ?? '', address: who.address };
  await countLoginAttempt(db, attempt);
  if (!(await passwordMatches(user?.passwordHash ?? null, input.currentPassword)))
    throw invalidField('currentPassword', 'invalid', 'Not the present password');
  await clearLoginAttempts(db, attempt);
  const passwordHash = await hashPassword(input.newPassword);
  await db.transaction(async (tx) => {
    await saveEdit(tx, await holdForEdit(tx, AccessUser, who.userId), { passwordHash });
    await endSessions(tx, who.userId, 'PASSWORD_CHANGED', who.sessionId);
    await recordAudit(tx, who, { entityType: 'user', entityId: who.userId, action: 'change-password' });
  });
}
