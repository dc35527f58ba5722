import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';

/** In seconds. */
const RETRY_AFTER = '60';

/** True while a restored database is not reconciled. */
export async function isIntakeClosed({ db }: Sql): Promise<boolean> {
  return (await unfinished(db).executeTakeFirst()) !== undefined;
}

export const unfinished = (db: Sql['db']) =>
  db.selectFrom('restoration').select('onlyRow').where('finishedAt', 'is', null).limit(1);

/**
 * Keeps intake open until the transaction ends (rule ORD-118). Must be its first statement: `lock
 * table` takes no snapshot, so the transaction sees a closing that it waited for. These locks do
 * not conflict and use the fast path.
 */
export async function keepIntake({ db }: Tx): Promise<void> {
  await sql`lock table restoration in row share mode`.execute(db);
}

/** Throws `unavailable` while intake is closed (rule ORD-112). */
export async function requireOpenIntake(from: Sql): Promise<void> {
  if (await isIntakeClosed(from)) throw intakeClosed();
}

export const intakeClosed = (): Problem =>
  new Problem('unavailable', {
    detail:
      'Orders are not accepted at the moment, because the service is being restored. The cart stays as it is.',
    headers: { 'Retry-After': RETRY_AFTER },
  });

/**
 * Waits for orders in progress (rule ORD-118). Returns the time of the backup, or null. An
 * unfinished restoration takes precedence.
 */
export async function closeIntake(
  database: Database,
  restoredTo: Date | null,
): Promise<Date | null> {
  return database.transaction(async ({ db }) => {
    await sql`lock table restoration in exclusive mode`.execute(db);
    const current = await db
      .selectFrom('restoration')
      .select(['restoredTo', 'finishedAt'])
      .executeTakeFirst();
    if (current?.finishedAt === null) return current.restoredTo;

    if (restoredTo === null) return null;
    const restoration = { restoredTo, beganAt: sql<Date>`now()`, finishedAt: null, report: null };
    await db
      .insertInto('restoration')
      .values(restoration)
      .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(restoration))
      .execute();

    return restoredTo;
  });
}
