import { Problem } from '../../contracts/problem.ts';
import type { IdentityProvider } from '../../platform/identity-provider.ts';
import type { Database, Sql } from '../database.ts';

/** What a change of users and roles needs. `identityProvider`: null when staff can sign in with a password only. */
export type AdministratorDeps = { db: Database; identityProvider: IdentityProvider | null };

/**
 * Makes changes of users and roles wait for each other until their transactions end: two administrators who take the right
 * from one another at once must not both succeed. Take it before anything else is read.
 */
export async function lockAdministrators(tx: Sql): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('access/administrators', 0))`);
}

/** Whether somebody who can sign in may manage users: with a password, or without one where `withoutPassword` is possible. */
export async function hasAdministrator(sql: Sql, { withoutPassword }: { withoutPassword: boolean }): Promise<boolean> {
  const found = await sql.query(
    `select 1 from access_user u
       join access_user_role link on link.user_id = u.id
       join access_role role on role.id = link.role_id and 'users.manage' = any (role.permissions)
      where u.is_active and u.deleted_at is null and ($1 or u.password_hash is not null) limit 1`,
    [withoutPassword],
  );
  return found.length > 0;
}

/**
 * Throws `last-administrator` when, after the change of this transaction, nobody who can sign in may manage users: the product
 * would be locked from inside. Without an identity provider somebody without a password cannot sign in. Needs {@link lockAdministrators}.
 */
export async function requireAdministrator(
  tx: Sql,
  { identityProvider }: Pick<AdministratorDeps, 'identityProvider'>,
): Promise<void> {
  if (!(await hasAdministrator(tx, { withoutPassword: identityProvider !== null })))
    throw new Problem('last-administrator', { detail: 'Nobody would be left who may manage users' });
}
