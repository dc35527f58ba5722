import type { Database } from '../../db/database.ts';
import { systemActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { hasAdministrator, lockAdministrators } from './administrators.ts';
import { hashPassword } from './password.ts';
import { giveRole, insertUser } from './user-fields.ts';

/**
 * Creates the first administrator with the role ADMIN, unless somebody can sign in and manage users already: the variables of the
 * environment are for the first start, and another e-mail or password at a later one changes nobody. `signOn`: staff can sign in
 * without a password. Needs `ensureRoles` before.
 */
export async function ensureAdministrator(
  { db, signOn = false }: { db: Database; signOn?: boolean },
  administrator: { email: string; password: string },
): Promise<{ created: boolean }> {
  const passwordHash = await hashPassword(administrator.password);
  return db.transaction(async (tx) => {
    await lockAdministrators(tx);
    if (await hasAdministrator(tx, { withoutPassword: signOn })) return { created: false };
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
