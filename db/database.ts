import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { entities } from './entities/index.ts';

/** Runs one statement with `$1` parameters. bigint and numeric arrive as numbers, timestamptz as Date, date as string. */
export type Sql = { query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> };

/** One open transaction: SQL and the unit of work share its connection and end together. */
export type Tx = Sql & { em: EntityManager };

export type Database = Sql & {
  orm: MikroORM;
  /** The one pool of the process; take a client from it only for COPY, LISTEN or a bulk transaction. */
  pool: pg.Pool;
  /** A fresh unit of work; one per request, activity attempt or batch. */
  em(): EntityManager;
  /** Commits when `work` resolves, rolls back when it throws. No network call belongs inside. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A transaction on a plain client, for bulk work (COPY) that never touches the unit of work. */
  bulkTransaction<T>(work: (tx: BulkTx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** A transaction without the ORM; `client` is there for COPY streams. */
export type BulkTx = Sql & { client: pg.PoolClient };

export type DatabaseOptions = {
  url: string;
  poolSize?: number;
  statementTimeoutMs?: number;
  /** How long to wait for the server or for a free connection of the pool. */
  connectTimeoutMs?: number;
  applicationName?: string;
};

const parsers = new pg.TypeOverrides();
parsers.setTypeParser(pg.types.builtins.INT8, Number);
parsers.setTypeParser(pg.types.builtins.NUMERIC, Number);
parsers.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
const parseInt8Array = pg.types.getTypeParser(1231 as never) as (text: string) => (string | null)[];
parsers.setTypeParser(1016 as never, (text: string) =>
  parseInt8Array(text).map((each) => (each === null ? null : Number(each))),
);

/**
 * Opens the pool and the ORM on one PostgreSQL database. Throws the driver's error when the server does not answer.
 * `statement_timeout` stays below the request time-out of 30 s unless a caller (import) asks for more. Who finds the pool
 * exhausted gets an error after 10 s: holders that wait for each other must not wait for ever.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    clientUrl: options.url,
    entities,
    extensions: [Migrator],
    pool: { min: 0, max: options.poolSize ?? 10 },
    driverOptions: {
      types: parsers,
      statement_timeout: options.statementTimeoutMs ?? 25_000,
      connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
      application_name: options.applicationName ?? 'carte',
    },
    migrations: {
      path: new URL('../migrations', import.meta.url).pathname,
      snapshot: false,
      silent: true,
      transactional: true,
      tableName: 'migration',
    },
    // A misspelt address must stop the start, not create an empty database.
    ensureDatabase: false,
    ignoreUndefinedInQuery: true,
    allowGlobalContext: false,
  });
  const connection = orm.em.getConnection();
  const pool = (await connection.getNativeClient()) as pg.Pool;
  // Force one real connection now: a wrong URL or password must stop the start, not the first request.
  try {
    (await pool.connect()).release();
  } catch (error) {
    await orm.close(true);
    throw error;
  }
  const query: Sql['query'] = async <Row extends object>(text: string, params: readonly unknown[] = []) =>
    (await pool.query<Row>(text, params as unknown[])).rows;
  return {
    orm,
    pool,
    query,
    em: () => orm.em.fork(),
    transaction: (work) => orm.em.fork().transactional((em) => work(txOf(em))),
    bulkTransaction: (work) => bulkTransaction(pool, work),
    async close() {
      await orm.close(true);
      // The ORM ends the pool only when it has used it itself.
      if (!pool.ended) await pool.end();
    },
  };
}

/** SQL on the connection of the transaction that `em` has open; throws when there is none. */
function txOf(em: EntityManager): Tx {
  const context = em.getTransactionContext<{ executeQuery<Row>(query: CompiledQuery): Promise<{ rows: Row[] }> }>();
  if (context === undefined) throw new Error('txOf needs an open transaction');
  return {
    em,
    query: async <Row extends object>(text: string, params: readonly unknown[] = []) =>
      (await context.executeQuery<Row>(CompiledQuery.raw(text, [...params]))).rows,
  };
}

async function bulkTransaction<T>(pool: pg.Pool, work: (tx: BulkTx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work({
      client,
      query: async <Row extends object>(text: string, params: readonly unknown[] = []) =>
        (await client.query<Row>(text, params as unknown[])).rows,
    });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
