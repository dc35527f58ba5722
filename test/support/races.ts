import type { Database, Tx } from './text-database.ts';
import { inOwnerSession } from './database-roles.ts';
import { eventually } from './processes.ts';
import { waitingSessions } from './whole-schema.ts';

/** Commands that are stopped inside their transactions, which makes races deterministic. */
export type Held = {
  waits(sessions: number): Promise<void>;
  release(): Promise<void>;
};

/** Blocks writes to a table: a command stops at its first write to it. */
export async function holdTable(db: Database, table: string): Promise<Held> {
  return hold(db, `lock table ${table} in exclusive mode`);
}

/** Blocks locks and changes of a row. */
export async function holdRow(
  db: Database,
  table: string,
  id: number | string,
  key = 'id',
): Promise<Held> {
  return hold(db, `select 1 from ${table} where ${key} = '${id}' for update`);
}

/** Takes an advisory lock until `release`. */
export async function holdLock(db: Database, take: (tx: Tx) => Promise<unknown>): Promise<Held> {
  return held(db, (isTaken, over) =>
    db.transaction(async (tx) => {
      await take(tx);
      isTaken();
      await over;
    }),
  );
}

async function hold(db: Database, statement: string): Promise<Held> {
  // The product's role has no right to lock append-only tables.
  return held(db, (isTaken, over) =>
    inOwnerSession(db, async (client) => {
      await client.query('begin');
      await client.query(statement);
      isTaken();
      await over;
      await client.query('commit');
    }),
  );
}

async function held(
  db: Database,
  holdUntil: (isTaken: () => void, over: Promise<void>) => Promise<unknown>,
): Promise<Held> {
  const [taken, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = holdUntil(taken.resolve, over.promise);
  await Promise.race([taken.promise, holding]);
  return {
    waits: (sessions) => sessionsWait(db, sessions),
    async release() {
      over.resolve();
      await holding;
    },
  };
}

export async function sessionsWait(db: Database, sessions: number): Promise<void> {
  const probe = async (): Promise<true | undefined> => {
    return (await waitingSessions(db)) >= sessions ? true : undefined;
  };
  await eventually(`${sessions} sessions wait`, probe);
}
