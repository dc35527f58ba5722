import { SEED_ROLES } from '../../contracts/permissions.ts';
import type { Database } from '../../db/database.ts';

/**
 * Creates the roles a new database starts with. Roles that exist keep what staff made of them, except ADMIN, which
 * always holds every permission: a release with a new one must not lock everybody out. Safe to run again and in parallel.
 */
export async function ensureRoles({ db }: { db: Database }): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { code, name, permissions } of SEED_ROLES)
      await tx.query(
        `insert into access_role as r (code, name, permissions) values ($1, $2, $3)
         on conflict (code) do update set permissions = excluded.permissions, updated_at = now(), version = r.version + 1
          where r.code = 'ADMIN' and r.permissions <> excluded.permissions`,
        [code, name, permissions],
      );
  });
}
