import type { Database } from '../../platform/db/database.ts';
import { systemActor } from '../../kernel/actor.ts';
import { recordAudit } from './audit/record-audit.ts';
import { hasAdministrator, lockAdministrators } from './administrators.ts';
import { StartFailure } from '../../platform/start-failure.ts';
import { isGuessable } from './guessable-password.ts';
import { hashPassword } from './password.ts';
import { giveRole, insertUser } from './user-fields.ts';

/**
 * Creates the first administrator if no user can manage users. Never changes existing users.
 * `signOn`: users may have no password. `refuses`: throws for a guessable password (rule ACC-17).
 * Requires `ensureRoles`.
 */
export async function ensureAdministrator(
  { db, signOn = false, refuses = false }: { db: Database; signOn?: boolean; refuses?: boolean },
  administrator: { email: string; password: string },
): Promise<{ created: boolean }> {
  const passwordHash = await hashPassword(administrator.password);
  return db.transaction(async (tx) => {
    await lockAdministrators(tx);
    if (await hasAdministrator(tx, { withoutPassword: signOn })) return { created: false };
    if (refuses && (await isGuessable(administrator.password, [administrator.email])))
      throw new StartFailure('ADMIN_PASSWORD is easy to guess: use several unrelated words');
    const user = await insertUser(tx, {
      email: administrator.email.trim(),
      fullName: 'Administrator',
      passwordHash,
    });
    if (user === undefined) return { created: false };

    if (!(await giveRole(tx, user.id, 'ADMIN')))
      throw new Error('The role ADMIN does not exist yet');
    await recordAudit(tx, systemActor('first-administrator'), {
      entityType: 'user',
      entityId: user.id,
      action: 'created',
      after: { fullName: 'Administrator', roles: ['ADMIN'] },
    });

    return { created: true };
  });
}
