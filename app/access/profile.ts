import { PERMISSIONS, type Permission } from '../../contracts/permissions.ts';
import type { Sql } from '../../db/database.ts';
import type { TokenClaims } from './access-token.ts';

export type Profile = {
  userId: number;
  email: string;
  fullName: string;
  /** Role codes. */
  roles: string[];
  permissions: Permission[];
};

/**
 * The signed-in user as of now, or null when the session has ended or the user was disabled. Read for every request:
 * a changed role acts at once (rule ACC-5).
 */
export async function readProfile(db: Sql, { userId, sessionId }: TokenClaims): Promise<Profile | null> {
  const [row] = await db.query<{
    id: number;
    email: string;
    full_name: string;
    roles: string[];
    permissions: string[];
  }>(
    `select u.id, u.email, u.full_name,
            coalesce(array_agg(distinct r.code) filter (where r.id is not null), '{}') as roles,
            coalesce(array_agg(distinct p.name) filter (where p.name is not null), '{}') as permissions
       from access_session s
       join access_user u on u.id = s.user_id
       left join access_user_role ur on ur.user_id = u.id
       left join access_role r on r.id = ur.role_id
       left join lateral unnest(r.permissions) as p (name) on true
      where s.id = $1 and u.id = $2 and s.ended_at is null and s.expires_at > now() and u.is_active
      group by u.id`,
    [sessionId, userId],
  );
  if (row === undefined) return null;
  return {
    userId: row.id,
    email: row.email,
    fullName: row.full_name,
    roles: row.roles,
    // A role may still name a permission of a newer or older release.
    permissions: PERMISSIONS.filter((name) => row.permissions.includes(name)),
  };
}
