import { sql } from 'kysely';
import { PERMISSIONS, type Permission } from '../../kernel/pure/permissions.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Actor } from '../../kernel/actor.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';

/** The permissions that a user holds through the roles of this moment. */
async function rightsOfUser({ db }: Sql, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('access_role as role')
    .innerJoin('access_user_role as link', 'link.roleId', 'role.id')
    .select(sql<string>`unnest(role.permissions)`.as('right'))
    .distinct()
    .where('link.userId', '=', userId)
    .execute();
  return rows.map((row) => row.right);
}

/** The permissions of these roles together. */
export async function rightsOfRoles({ db }: Sql, ids: readonly number[]): Promise<string[]> {
  const rows = await db
    .selectFrom('access_role')
    .select(sql<string>`unnest(permissions)`.as('right'))
    .distinct()
    .where('id', '=', anyOf(ids))
    .execute();
  return rows.map((row) => row.right);
}

/**
 * Throws `forbidden` unless the actor holds all of these permissions: who manages users gives
 * nobody more than he may do, or managing users would be every right (rule ACC-26). The product
 * itself may give everything.
 */
export async function requireRights(tx: Sql, actor: Actor, wanted: readonly string[]): Promise<void> {
  if (actor.type !== 'USER') return;
  const held = await rightsOfUser(tx, actor.userId);
  // A role may name permissions of another release, which nobody can use.
  const missing = PERMISSIONS.filter((name: Permission) => wanted.includes(name) && !held.includes(name));
  if (missing.length > 0)
    throw new Problem('forbidden', { detail: `This takes permissions that you do not hold: ${missing.join(', ')}` });
}

/** The same for a change of a user: whoever may set the password of somebody can be him. */
export async function requireRightsOf(tx: Sql, actor: Actor, userId: number): Promise<void> {
  await requireRights(tx, actor, await rightsOfUser(tx, userId));
}
