import { sql } from 'kysely';
import { PERMISSIONS, type Permission } from '../../kernel/pure/permissions.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Sql } from '../../platform/db/database.ts';

/** The permissions that a user holds through the roles of this moment. */
async function rightsOfUser({ db }: Sql, userId: number): Promise<string[]> {
  const { rows } = await sql<{ right: string }>`
    select distinct unnest(role.permissions) as right from access_role role
      join access_user_role link on link.role_id = role.id where link.user_id = ${userId}`.execute(db);
  return rows.map((row) => row.right);
}

/** The permissions of these roles together. */
export async function rightsOfRoles({ db }: Sql, ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ right: string }>`
    select distinct unnest(permissions) as right from access_role where id = any (${[...ids]}::bigint[])`.execute(db);
  return rows.map((row) => row.right);
}

/**
 * Throws `forbidden` unless the actor holds all of these permissions: who manages users gives nobody more than he may do, or managing users
 * would be every right (rule ACC-26). The product itself may give everything.
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
