import type { PasswordChange } from './schemas/access.ts';
import { invalidField } from '../../kernel/problem.ts';
import { AccessUser } from './tables/access.ts';
import { recordAudit } from './audit/record-audit.ts';
import type { Database } from '../../platform/db/database.ts';
import { holdForEdit, saveEdit } from '../../kernel/edits.ts';
import { refuseGuessable } from './guessable-password.ts';
import { hashPassword } from './password.ts';
import { notThePresentOne, requirePresentPassword, type SignedIn } from './present-password.ts';
import type { SecurityDeps } from './security-events.ts';
import { endSessions } from './user-fields.ts';

/**
 * Changes the user's password and ends their other sessions. Problems: validation, rate-limited.
 */
export async function changePassword(
  deps: SecurityDeps & { db: Database },
  who: SignedIn,
  input: PasswordChange,
): Promise<void> {
  if (input.newPassword === input.currentPassword)
    throw invalidField('newPassword', 'same', 'must differ from the current password');
  const present = await requirePresentPassword(deps, who, input.currentPassword);
  const { email, fullName, phone } = present;
  await refuseGuessable('newPassword', input.newPassword, [email, fullName, phone]);
  const passwordHash = await hashPassword(input.newPassword);
  await deps.db.transaction(async (tx) => {
    const user = await holdForEdit(tx, AccessUser, who.userId);
    // An administrator may have locked out this session with a new password (rule ACC-28).
    if (user.passwordHash !== present.passwordHash) throw notThePresentOne();
    await saveEdit(tx, user, { passwordHash, mustChangePassword: false });
    await endSessions(tx, who.userId, 'PASSWORD_CHANGED', who.sessionId);
    await recordAudit(tx, who, {
      entityType: 'user',
      entityId: who.userId,
      action: 'change-password',
    });
  });
}
