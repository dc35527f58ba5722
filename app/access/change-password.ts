import type { PasswordChange } from '../../contracts/access.ts';
import { invalidField } from '../../contracts/problem.ts';
import { AccessUser } from '../../db/entities/access.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { holdForEdit, saveEdit } from '../edits.ts';
import { refuseGuessable } from './guessable-password.ts';
import { clearPasswordAttempts, countPasswordAttempt } from './login-throttle.ts';
import { noteSecurityEvent, type SecurityDeps } from './security-events.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { endSessions } from './user-fields.ts';

/**
 * Gives the signed-in user a new password and ends his other sessions. The present password is asked for, and guessing it is
 * throttled, with a count of its own for each session. Problems: validation, rate-limited.
 */
export async function changePassword(
  deps: SecurityDeps & { db: Database },
  who: Extract<Actor, { type: 'USER' }> & { sessionId: string; address: string },
  input: PasswordChange,
): Promise<void> {
  const { db } = deps;
  const user = await db.db
    .selectFrom('access_user')
    .select(['passwordHash', 'email', 'fullName', 'phone'])
    .where('id', '=', who.userId)
    .executeTakeFirst();
  await countPasswordAttempt(db, who.sessionId);
  if (!(await passwordMatches(user?.passwordHash ?? null, input.currentPassword))) {
    const { userId, requestId, address } = who;
    await noteSecurityEvent(deps, { kind: 'PASSWORD_REFUSED', userId, requestId, address });
    throw invalidField('currentPassword', 'invalid', 'Not the present password');
  }
  await clearPasswordAttempts(db, who.sessionId);
  await refuseGuessable('newPassword', input.newPassword, [
    user?.email ?? null,
    user?.fullName ?? null,
    user?.phone ?? null,
  ]);
  const passwordHash = await hashPassword(input.newPassword);
  await db.transaction(async (tx) => {
    await saveEdit(tx, await holdForEdit(tx, AccessUser, who.userId), { passwordHash });
    await endSessions(tx, who.userId, 'PASSWORD_CHANGED', who.sessionId);
    await recordAudit(tx, who, { entityType: 'user', entityId: who.userId, action: 'change-password' });
  });
}
