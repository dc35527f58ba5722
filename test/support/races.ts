import type { Database, Tx } from './text-database.ts';
import { inOwnerSession } from './database-roles.ts';
import { eventually } from './processes.ts';
import { waitingSessions } from './whole-schema.ts';

/**
 * Commands that are stopped in the middle of their transactions, so that a race is not left to
 * chance.
 */
export type Held = {
  /** Resolves when this many sessions of the database wait for another one. */
  waits(sessions: number): Promise<void>;
  /** Releases them. */
  release(): Promise<void>;
};

/** Blocks writes to a table until `release`: a command stops at its first write there. */
export async function holdTable(db: Database, table: string): Promise<Held> {
  return hold(db, `lock table ${table} in exclusive mode`);
}

/** Blocks locks and changes of one row until `release`. */
export async function holdRow(db: Database, table: string, id: number | string, key = 'id'): Promise<Held> {
  return hold(db, `select 1 from ${table} where ${key} = '${id}' for update`);
}

/** Holds an advisory lock until `release`: other sessions wait for it. */
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
  // The owner's: nothing of the product may lock a table to which it only appends.
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

/** Resolves when this many sessions of the database wait for another one. */
export async function sessionsWait(db: Database, sessions: number): Promise<void> {
  const probe = async (): Promise<true | undefined> => {
    return (await waitingSessions(db)) >= sessions ? true : undefined;
  };
  await eventually(`${sessions} sessions wait`, probe);
}
