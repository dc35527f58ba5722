import { IsolationLevel, MikroORM, type EntityManager, type Options } from '@mikro-orm/postgresql';
import {
  CamelCasePlugin,
  sql,
  type Compilable,
  type Kysely,
  type QueryCreator,
  type QueryResult,
  type RawBuilder,
} from 'kysely';
import pg from 'pg';
import { databaseTls } from '../database-tls.ts';
import type { Tables } from './tables.ts';
import { returnLostConnections } from './lost-connections.ts';
import { DatabaseClient } from './client.ts';
import { Migrator } from './migrator.ts';
import { preparing, startingWith } from './prepared.ts';

/** The pool or a transaction ({@link Tx}). See docs/decisions/0031. */
export type Sql = {
  /**
   * Names are camelCase. bigint and numeric are numbers, timestamptz is a Date, date is a string.
   */
  db: Kysely<Tables>;
};

export type Statements = QueryCreator<Tables>;

/** Typed statements and the unit of work share its connection. */
export type Tx = Sql & { em: EntityManager };

export type TransactionOptions = {
  /** Repeatable read: the second transaction to write a row fails (40001). */
  oneState?: boolean;
  /**
   * False lets the commit return before the disk write. Use it only for rows that are worthless
   * without a later transaction.
   */
  flushed?: boolean;
};

export type Database = Sql & {
  /** Plans each statement once per connection. For requests of guests (decision 56). */
  prepared: Pick<Database, 'db' | 'transaction'>;
  orm: MikroORM;
  /** Take clients only for COPY, LISTEN or session locks. */
  pool: pg.Pool;
  /** Rolls back if `work` throws. Never make network calls inside. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Only for COPY, which Kysely cannot express. */
  copyTransaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void>;
  /**
   * Subscribes to commits that appended events to the outbox. Returns a function that unsubscribes.
   */
  onEventsCommitted(listener: (events: ReadonlySet<string>) => void): () => void;
  /** False without an answer. Rethrows driver errors. */
  answers(): Promise<boolean>;
  connections(): { used: number; idle: number; waiting: number };
  /** Closes even connections in use. For a process that must exit. */
  abandon(): void;
  /** Closes connections whose last statement has no answer (OPS-36). */
  giveUpUnanswered(): void;
  close(): Promise<void>;
};

/** Returns a json or jsonb value. The driver would send an array as a PostgreSQL array. */
export function json<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}`;
}

/** Returns `any (…)` for `where('id', '=', anyOf(ids))`. The statement text is constant. */
export function anyOf<T extends number | string>(
  values: readonly T[],
  type: 'bigint' | 'text' | 'uuid' = 'bigint',
): RawBuilder<T> {
  return sql<T>`any (${values}::${sql.raw(type)}[])`;
}

/**
 * Starts a statement with `parts` (`with`) that it does not read. Keeps the type of `db`,
 * because with each additional name the compiler compares all tables again.
 */
export function alongside(
  db: Statements,
  parts: Readonly<Record<string, (db: Statements) => Compilable<unknown>>>,
): Statements {
  return Object.entries(parts).reduce(
    (all, [name, part]) => all.with(name, part as never) as unknown as Statements,
    db,
  );
}

export function touchedBy({ numAffectedRows }: QueryResult<unknown>): number {
  return Number(numAffectedRows ?? 0n);
}

export type DatabaseOptions = {
  url: string;
  poolSize?: number;
  /** 20 s by default. */
  statementTimeoutMs?: number;
  /** Time in ms for the server to end a statement after its limit, 5 s by default. */
  graceMs?: number;
  /** Also limits the wait for a free connection. */
  connectTimeoutMs?: number;
  applicationName?: string;
};

const parsers = new pg.TypeOverrides();
parsers.setTypeParser(pg.types.builtins.INT8, Number);
parsers.setTypeParser(pg.types.builtins.NUMERIC, Number);
parsers.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
const parseInt8Array = pg.types.getTypeParser(1231 as never) as (text: string) => (string | null)[];
parsers.setTypeParser(1016 as never, (text: string) =>
  parseInt8Array(text).map((entry) => (entry === null ? null : Number(entry))),
);

/** In ms. New connections plan every statement again. */
const IDLE_MS = 60_000;

/**
 * By default, PostgreSQL may plan a prepared statement again, ignoring the cost of planning. With
 * nested views, that is five times as much as reading a guest's rows (decision 56).
 */
const PLANNED_ONCE = 'plan_cache_mode = force_generic_plan';
const NOT_FLUSHED = 'synchronous_commit = off';

/** Lets the server detect lost hosts (OPS-37). In ms or seconds. */
const SERVER_LIMITS = {
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 60_000,
  client_connection_check_interval: 5_000,
};

/**
 * Opens the pool and the ORM (OPS-28). Throws the driver's error if the server does not answer.
 * `statement_timeout` is below the request time-out of 30 s unless an import raises it. An
 * exhausted pool throws after 10 s.
 */
export async function connectDatabase(
  entities: NonNullable<Options['entities']>,
  options: DatabaseOptions,
): Promise<Database> {
  const { statementTimeoutMs = 20_000, graceMs = 5_000 } = options;
  const ssl = databaseTls(options.url);
  const orm = await MikroORM.init({
    clientUrl: options.url,
    entities,
    extensions: [Migrator],
    pool: { min: 0, max: options.poolSize ?? 10 },
    driverOptions: {
      Client: DatabaseClient,
      graceMs,
      types: parsers,
      // The ORM reads only host, port, user, password and database from the URL.
      ...(ssl === undefined ? {} : { ssl }),
      statement_timeout: statementTimeoutMs,
      // A process that dies in an unreachable network would keep rows locked for hours.
      idle_in_transaction_session_timeout: statementTimeoutMs + graceMs,
      connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      options: Object.entries(SERVER_LIMITS)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      application_name: options.applicationName ?? 'carte',
    },
    migrations: {
      path: new URL('../../migrations', import.meta.url).pathname,
      glob: 'Migration*.{js,ts}',
      snapshot: false,
      silent: true,
      transactional: true,
      allOrNothing: false,
      tableName: 'migration',
    },
    // A misspelled URL must not create a database.
    ensureDatabase: false,
    ignoreUndefinedInQuery: true,
    allowGlobalContext: false,
  });

  const connection = orm.em.getConnection();
  const pool = (await connection.getNativeClient()) as pg.Pool;
  returnLostConnections(pool);
  const connections = new Set<DatabaseClient>();
  pool.on('acquire', (client) => connections.add(client as unknown as DatabaseClient));
  for (const end of ['release', 'remove'] as const)
    pool.on(end, (...args: unknown[]) => connections.delete(args.at(-1) as DatabaseClient));

  // A wrong URL or password must fail the start, not the first request.
  try {
    (await pool.connect()).release();
  } catch (error) {
    await orm.close(true);
    throw error;
  }

  const listeners = new Set<(events: ReadonlySet<string>) => void>();
  const prepared = preparing(pool);
  const transaction =
    (prepares: boolean): Database['transaction'] =>
    async (work, { oneState = false, flushed = true } = {}) => {
      let events: ReadonlySet<string> = new Set();
      const local = [...(prepares ? [PLANNED_ONCE] : []), ...(flushed ? [] : [NOT_FLUSHED])];
      const result = await startingWith(local, () =>
        orm.em.fork().transactional(
          async (em) => {
            const db = kyselyOf(em);
            const tx = { db: prepares ? prepared(db) : db, em };
            const done = await work(tx);
            events = appendedBy(tx);
            return done;
          },
          oneState ? { isolationLevel: IsolationLevel.REPEATABLE_READ } : {},
        ),
      );

      if (events.size > 0) for (const listener of listeners) listener(events);

      return result;
    };

  const db = kyselyOf(orm.em);

  return {
    db,
    transaction: transaction(false),
    prepared: { db: prepared(db), transaction: transaction(true) },
    orm,
    pool,
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    abandon: () => connections.forEach((client) => client.giveUp()),
    giveUpUnanswered() {
      for (const client of connections) if (client.isUnanswered) client.giveUp();
    },
    answers: async () => (await pool.query('select 1')).rowCount === 1,
    copyTransaction: (work) => copyTransaction(pool, work),
    onEventsCommitted(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      await orm.close(true);
      // The ORM ends the pool only if it has used it.
      if (!pool.ended) await pool.end();
    },
  };
}

/** The content of json is not renamed. */
const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/** Returns the builder on the transaction of `em`, or the pool. */
const kyselyOf = (em: EntityManager): Kysely<Tables> =>
  em.getKysely<Tables>().withPlugin(camelCase);

async function copyTransaction(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;

  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

const appending = new WeakMap<object, Set<string>>();

export function noteAppended(tx: object, event: string): void {
  appending.set(tx, (appending.get(tx) ?? new Set()).add(event));
}

function appendedBy(tx: object): ReadonlySet<string> {
  return appending.get(tx) ?? new Set();
}
