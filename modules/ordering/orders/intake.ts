import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';

/** Seconds after which a guest may try again. */
const RETRY_AFTER = '60';

/**
 * Returns whether orders are neither accepted nor sent, because the restored database is not
 * reconciled yet.
 */
export async function isIntakeClosed({ db }: Sql): Promise<boolean> {
  return (await unfinished(db).executeTakeFirst()) !== undefined;
}

/** The unfinished restoration, also as a part of another statement. */
export const unfinished = (db: Sql['db']) =>
  db.selectFrom('restoration').select('onlyRow').where('finishedAt', 'is', null).limit(1);

/**
 * Prevents intake from being closed until the transaction ends (rule ORD-118). Call it before the
 * first statement of the transaction: `lock table` takes no snapshot, so a transaction that waited
 * for the closing sees it. Transactions with this lock never wait for each other. PostgreSQL takes
 * it on the fast path, without its shared lock table.
 */
export async function keepIntake({ db }: Tx): Promise<void> {
  await sql`lock table restoration in row share mode`.execute(db);
}

/** Problem `unavailable` while intake is closed (rule ORD-112). */
export async function requireOpenIntake(from: Sql): Promise<void> {
  if (await isIntakeClosed(from)) throw intakeClosed();
}

export const intakeClosed = (): Problem =>
  new Problem('unavailable', {
    detail: 'Orders are not accepted at the moment, because the service is being restored. The cart stays as it is.',
    headers: { 'Retry-After': RETRY_AFTER },
  });

/**
 * Closes intake and returns the time to which the database was restored. Waits for orders that are
 * being accepted or sent (rule ORD-118). An unfinished restoration continues with its own time.
 * Null if no time was given and no restoration is unfinished.
 */
export async function closeIntake(database: Database, restoredTo: Date | null): Promise<Date | null> {
  return database.transaction(async ({ db }) => {
    await sql`lock table restoration in exclusive mode`.execute(db);
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
  });
}
