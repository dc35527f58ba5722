import { sql } from 'kysely';
import { advisory } from '../../platform/db/locks.ts';
import { Problem } from '../../kernel/problem.ts';
import type { IdentityProvider } from '../../platform/identity-provider.ts';
import type { Database, Sql } from '../../platform/db/database.ts';

/** `identityProvider` is null if staff sign in with passwords only. */
export type AdministratorDeps = { db: Database; identityProvider: IdentityProvider | null };

/**
 * Serializes changes of users and roles, so that administrators cannot remove each other's rights.
 * Call it before reading.
 */
export async function lockAdministrators(tx: Sql): Promise<void> {
  await advisory.administrators(tx);
}

/**
 * True if an active user without restaurant limits can sign in and manage users. `withoutPassword`
 * includes single sign-on.
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

  const able = withoutPassword
    ? administrators
    : administrators.where('user.passwordHash', 'is not', null);

  return (await able.executeTakeFirst()) !== undefined;
}

/**
 * Throws `last-administrator` if no one is left to manage users. Requires {@link
 * lockAdministrators}.
 */
export async function requireAdministrator(
  tx: Sql,
  { identityProvider }: Pick<AdministratorDeps, 'identityProvider'>,
): Promise<void> {
  if (!(await hasAdministrator(tx, { withoutPassword: identityProvider !== null })))
    throw new Problem('last-administrator', {
      detail: 'At least one active user must be able to manage users',
    });
}
