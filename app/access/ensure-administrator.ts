import type { Database } from '../../db/database.ts';
import { systemActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { hasAdministrator, lockAdministrators } from './administrators.ts';
import { hashPassword } from './password.ts';

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
    const [user] = await tx.query<{ id: number }>(
      `insert into access_user (email, full_name, password_hash) values ($1, 'Administrator', $2)
       on conflict (lower(email)) where deleted_at is null do nothing returning id`,
      [administrator.email.trim(), passwordHash],
    );
    if (user === undefined) return { created: false };
    const linked = await tx.query(
      `insert into access_user_role (user_id, role_id) select $1, id from access_role where code = 'ADMIN' returning role_id`,
      [user.id],
    );
    if (linked.length === 0) throw new Error('The role ADMIN does not exist yet');
    await recordAudit(tx, systemActor('first-administrator'), {
      entityType: 'user',
      entityId: user.id,
      action: 'created',
      after: { fullName: 'Administrator', roles: ['ADMIN'] },
    });
    return { created: true };
  });
}
