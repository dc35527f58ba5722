import { sql, type RawBuilder } from 'kysely';
import { PERMISSIONS, type Permission } from '../../kernel/pure/permissions.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Actor } from '../../kernel/actor.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';

/**
 * Returns the permissions that this release has, in their order. A newer one may have stored
 * others.
 */
export const selectKnown = (permissions: RawBuilder<unknown>) => sql<Permission[]>`
  array(select stored.name from unnest(${permissions}) with ordinality as stored (name, position)
         where stored.name = ${anyOf(PERMISSIONS, 'text')} order by stored.position)`;

/** Adds the permissions of a newer release in `stored`, which no form shows (rule ACC-65). */
export function withUnknown(
  stored: readonly Permission[],
  permissions: readonly Permission[],
): Permission[] {
  return [...permissions, ...stored.filter((name) => !PERMISSIONS.includes(name))];
}

/** Permissions of `key` that its owner has; all without an owner (rule ACC-54). */
export const EFFECTIVE_PERMISSIONS = sql<Permission[]>`(
  select coalesce(array_agg(granted.name order by granted.name), '{}')
    from unnest(${selectKnown(sql.ref('key.permissions'))}) as granted (name)
   where key.owner_id is null or exists (
     select from access_user owner
       join access_user_role link on link.user_id = owner.id
       join access_role role on role.id = link.role_id
      where owner.id = key.owner_id and owner.is_active and owner.deleted_at is null
        and granted.name = any (role.permissions)))`;

/** Restaurants of both `key` and its owner; null for all (rule ACC-61). */
export const EFFECTIVE_ORGANIZATIONS = sql<number[] | null>`(
  select case when key.organization_ids is null then owner.organization_ids
              when owner.organization_ids is null then key.organization_ids
              else array(select unnest(key.organization_ids) intersect select unnest(owner.organization_ids)) end
    from (select) as always left join access_user owner on owner.id = key.owner_id)`;

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
 * Throws `forbidden` unless the actor has these permissions, so that managing users does not
 * include every right (rule ACC-26). System actors have all.
 */
export async function requireRights(
  tx: Sql,
  actor: Actor,
  permissions: readonly string[],
): Promise<void> {
  if (actor.type !== 'USER') return;
  const rights = await rightsOfUser(tx, actor.userId);
  // Ignores permissions of another release.
  const missing = PERMISSIONS.filter(
    (name: Permission) => permissions.includes(name) && !rights.includes(name),
  );
  if (missing.length > 0)
    throw new Problem('forbidden', {
      detail: `This requires permissions that you do not have: ${missing.join(', ')}`,
    });
}

/** Requires every right of a user, because an actor who sets their password can sign in as them. */
export async function requireRightsOfUser(tx: Sql, actor: Actor, userId: number): Promise<void> {
  await requireRights(tx, actor, await rightsOfUser(tx, userId));
}
