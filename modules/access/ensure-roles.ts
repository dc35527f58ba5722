import { sql } from 'kysely';
import { SEED_ROLES } from '../../kernel/pure/permissions.ts';
import type { Database } from '../../platform/db/database.ts';

/**
 * Creates the initial roles. ADMIN gets every permission, so that a release cannot lock out
 * administrators. Idempotent; safe to run concurrently.
 */
export async function ensureRoles({ db }: { db: Database }): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { code, name, permissions } of SEED_ROLES)
      await tx.db
        .insertInto('access_role')
        .values({ code, name, permissions: [...permissions] })
        .onConflict((conflict) =>
          conflict
            .column('code')
            .doUpdateSet((eb) => ({
              permissions: eb.ref('excluded.permissions'),
              updatedAt: sql<Date>`now()`,
              version: eb('access_role.version', '+', 1),
            }))
            .where('access_role.code', '=', 'ADMIN')
            .whereRef('access_role.permissions', '<>', 'excluded.permissions'),
        )
        .execute();
  });
}
