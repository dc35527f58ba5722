import type { Database } from '../../platform/db/database.ts';
import { systemActor } from '../../kernel/actor.ts';
import { recordAudit } from './audit/record-audit.ts';
import { hasAdministrator, lockAdministrators } from './administrators.ts';
import { StartFailure } from '../../platform/start-failure.ts';
import { isGuessable } from './guessable-password.ts';
import { hashPassword } from './password.ts';
import { giveRole, insertUser } from './user-fields.ts';

/**
 * Creates the first administrator with the role ADMIN, unless somebody can sign in and manage users
 * already: the variables of the environment are for the first start, and another e-mail or password
 * at a later one changes nobody. `signOn`: staff can sign in without a password. `refuses`: throws
 * instead of creating one whose password is guessed soon (rule ACC-17). Needs `ensureRoles` before.
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
      throw new StartFailure('ADMIN_PASSWORD is guessed soon: take several words that do not belong together');
    const user = await insertUser(tx, { email: administrator.email.trim(), fullName: 'Administrator', passwordHash });
    if (user === undefined) return { created: false };
    if (!(await giveRole(tx, user.id, 'ADMIN'))) throw new Error('The role ADMIN does not exist yet');
    await recordAudit(tx, systemActor('first-administrator'), {
      entityType: 'user',
      entityId: user.id,
      action: 'created',
      after: { fullName: 'Administrator', roles: ['ADMIN'] },
    });
    return { created: true };
  });
}
