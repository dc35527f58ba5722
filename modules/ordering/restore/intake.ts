import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import type { Sql } from '../../../platform/db/database.ts';

/** Seconds after which a guest may try again. */
const RETRY_AFTER = '60';

/**
 * Returns whether orders are neither accepted nor sent, because the restored database is not
 * reconciled yet.
 */
export async function isIntakeClosed({ db }: Sql): Promise<boolean> {
  const open = await db
    .selectFrom('restoration')
    .select('onlyRow')
    .where('finishedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

/** Problem `unavailable` while intake is closed (rule ORD-112). */
export async function requireOpenIntake(from: Sql): Promise<void> {
  if (await isIntakeClosed(from))
    throw new Problem('unavailable', {
      detail: 'Orders are not accepted at the moment, because the service is being restored. The cart stays as it is.',
      headers: { 'Retry-After': RETRY_AFTER },
    });
}

/**
 * Closes intake and returns the moment to which the database was restored. A restoration that is
 * not finished goes on with its own moment. Null if none was named and none is under way.
 */
export async function closeIntake({ db }: Sql, restoredTo: Date | null): Promise<Date | null> {
  const current = await db.selectFrom('restoration').select(['restoredTo', 'finishedAt']).executeTakeFirst();
  if (current?.finishedAt === null) return current.restoredTo;
  if (restoredTo === null) return null;
  const begun = { restoredTo, beganAt: sql<Date>`now()`, finishedAt: null, report: null };
  await db
    .insertInto('restoration')
    .values(begun)
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(begun))
    .execute();
  return restoredTo;
}
