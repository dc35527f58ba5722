import { sql } from 'kysely';
import { advisory } from '../../platform/db/locks.ts';
import { Problem } from '../../kernel/problem.ts';
import type { IdentityProvider } from '../../platform/identity-provider.ts';
import type { Database, Sql } from '../../platform/db/database.ts';

/**
 * Dependencies of changes of users and roles. `identityProvider`: null when staff can sign in with
 * a password only.
 */
export type AdministratorDeps = { db: Database; identityProvider: IdentityProvider | null };

/**
 * Makes changes of users and roles wait for each other until their transactions end: two
 * administrators who take the right from one another at once must not both succeed. Take it before
 * anything else is read.
 */
export async function lockAdministrators(tx: Sql): Promise<void> {
  await advisory.administrators(tx);
}

/**
 * Returns whether an active user of all restaurants may manage users: with a password, or without
 * one where `withoutPassword` is possible.
 */
export async function hasAdministrator(
  { db }: Sql,
  { withoutPassword }: { withoutPassword: boolean },
): Promise<boolean> {
  const administrators = db
    .selectFrom('access_user as user')
    .innerJoin('access_user_role as link', 'link.userId', 'user.id')
    .innerJoin('access_role as role', 'role.id', 'link.roleId')
    .select('user.id')
    .where(sql<boolean>`'users.manage' = any (${sql.ref('role.permissions')})`)
    .where('user.isActive', '=', true)
    .where('user.organizationIds', 'is', null)
    .where('user.deletedAt', 'is', null)
    .limit(1);
  const able = withoutPassword ? administrators : administrators.where('user.passwordHash', 'is not', null);
  return (await able.executeTakeFirst()) !== undefined;
}

/**
 * Throws `last-administrator` when, after the change of this transaction, no user who can sign in
 * may manage users: administration would be locked. Without an identity provider, users without a
 * password cannot sign in. Needs {@link lockAdministrators}.
 */
export async function requireAdministrator(
  tx: Sql,
  { identityProvider }: Pick<AdministratorDeps, 'identityProvider'>,
): Promise<void> {
  if (!(await hasAdministrator(tx, { withoutPassword: identityProvider !== null })))
    throw new Problem('last-administrator', { detail: 'At least one active user must be able to manage users' });
}
