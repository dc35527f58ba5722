import { invalidField } from '../../kernel/problem.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Database } from '../../platform/db/database.ts';
import { clearPasswordAttempts, countPasswordAttempt } from './login-throttle.ts';
import { passwordMatches } from './password.ts';
import { noteSecurityEvent, type SecurityDeps } from './security-events.ts';

export type SignedIn = Extract<Actor, { type: 'USER' }> & { sessionId: string; address: string };

export const notThePresentOne = () =>
  invalidField('currentPassword', 'invalid', 'is not the current password');

/**
 * Checks the current password. Attempts are limited per session. Problems: validation
 * (`currentPassword`), rate-limited.
 */
export async function requirePresentPassword(
  deps: SecurityDeps & { db: Database },
  { userId, sessionId, requestId, address }: SignedIn,
  currentPassword: string,
): Promise<{ passwordHash: string | null; email: string; fullName: string; phone: string | null }> {
  const { db } = deps;
  const user = await db.db
    .selectFrom('access_user')
    .select(['passwordHash', 'email', 'fullName', 'phone'])
    .where('id', '=', userId)
    .executeTakeFirst();

  await countPasswordAttempt(db, sessionId);
  if (user === undefined || !(await passwordMatches(user.passwordHash, currentPassword))) {
    await noteSecurityEvent(deps, { kind: 'PASSWORD_REFUSED', userId, requestId, address });
    throw notThePresentOne();
  }

  await clearPasswordAttempts(db, sessionId);

  return user;
}
