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

/**
 * The target of statements: on the pool, or inside an open transaction ({@link Tx}). The use of
 * both tools is described in docs/decisions/0031.
 */
export type Sql = {
  /**
   * Typed statements. Row types come from the entities, names are camelCase on both sides, also in
   * rows of Kysely's `sql` tag. bigint and numeric arrive as numbers, timestamptz as Date, date as
   * string.
   */
  db: Kysely<Tables>;
};

/**
 * The start of a statement: `db` of {@link Sql}, or a part of a statement with several (`with`).
 */
export type Statements = QueryCreator<Tables>;

/**
 * One open transaction: typed statements and the unit of work share its connection and end
 * together.
 */
export type Tx = Sql & { em: EntityManager };

export type TransactionOptions = {
  /**
   * Every statement sees the state of the first one; of two that write one row the later is
   * rejected (40001).
   */
  oneState?: boolean;
  /**
   * False for a commit that does not wait for the disk. Only for rows that mean nothing without a
   * later transaction: its commit writes them to disk as well.
   */
  flushed?: boolean;
};

export type Database = Sql & {
  /**
   * The same database, whose connections plan each statement of the query builder once: for
   * requests that guests wait for. The only way to prepare statements (decision 56).
   */
  prepared: Pick<Database, 'db' | 'transaction'>;
  orm: MikroORM;
  /**
   * The one pool of the process; take a client from it only for COPY, LISTEN or a lock of a
   * session.
   */
  pool: pg.Pool;
  /** Commits when `work` resolves, rolls back when it throws. No network call belongs inside. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * The same on a bare client, for COPY alone: its streams are what typed Kysely cannot express.
   */
  copyTransaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void>;
  /**
   * Calls `listener` with their kinds after the commit of each transaction that has appended events
   * to the outbox; returns how to end that.
   */
  onEventsCommitted(listener: (events: ReadonlySet<string>) => void): () => void;
  /** True when the server answers a statement; rethrows errors of the driver. */
  answers(): Promise<boolean>;
  /** Returns the number of used and idle connections, and of callers that wait for one. */
  connections(): { used: number; idle: number; waiting: number };
  /**
   * Ends the connections in use: waiting callers get an error immediately. For a process that must
   * end.
   */
  abandon(): void;
  /**
   * Ends the connections whose last statement has no answer yet (OPS-36). For callers that have
   * detected a silent server.
   */
  giveUpUnanswered(): void;
  close(): Promise<void>;
};

/**
 * A value for a json or jsonb column: the driver would take an array for an array of PostgreSQL.
 */
export function json<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}`;
}

/**
 * `any (…)` of a list, for `where('id', '=', anyOf(ids))`: the list is one parameter, so it may be
 * as long as it likes and the text of the statement stays the same.
 */
export function anyOf<T extends number | string>(
  values: readonly T[],
  type: 'bigint' | 'text' | 'uuid' = 'bigint',
): RawBuilder<T> {
  return sql<T>`any (${values}::${sql.raw(type)}[])`;
}

/**
 * Starts a statement with other `parts` (`with`) that it does not read. The type stays that of
 * `db`: with each name that Kysely adds, the compiler compares all tables again, and seven of them
 * took it more than a quarter of its time.
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

/** Returns the number of rows that a statement has written. */
export function touchedBy({ numAffectedRows }: QueryResult<unknown>): number {
  return Number(numAffectedRows ?? 0n);
}

export type DatabaseOptions = {
  url: string;
  poolSize?: number;
  /** Longest time of a statement, milliseconds; 20 s when left out. */
  statementTimeoutMs?: number;
  /**
   * The time that a responsive server needs to end a statement after its limit, milliseconds; 5 s
   * when left out.
   */
  graceMs?: number;
  /** The time to wait for the server or for a free connection of the pool. */
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

/**
 * Idle time after which a connection is closed, in ms. A new one plans every statement again, just
 * when many requests arrive.
 */
const IDLE_MS = 60_000;

/**
 * By default, PostgreSQL plans a prepared statement for its values each time if it expects a
 * cheaper result, and ignores the cost of planning: nested views take five times as long to plan as
 * the few rows of a guest take to read (decision 56).
 */
const PLANNED_ONCE = 'plan_cache_mode = force_generic_plan';
const NOT_FLUSHED = 'synchronous_commit = off';

/**
 * Settings by which the server detects the loss of one of our hosts, in ms or seconds as PostgreSQL
 * expects them (rule OPS-37): it probes silent connections, drops unacknowledged bytes, and checks
 * during a statement if its client is still connected.
 */
const SERVER_LIMITS = {
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 60_000,
  client_connection_check_interval: 5_000,
};

/**
 * Opens the pool and the ORM on one PostgreSQL database, encrypted according to the URL (OPS-28).
 * Throws the driver's error when the server does not answer. `statement_timeout` stays below the
 * request time-out of 30 s unless a caller (import) requests more. When the pool is exhausted, the
 * caller gets an error after 10 s: callers that wait for each other must not wait permanently. A
 * server that is silent for longer than a statement may take is given up, and it ends a transaction
 * without a message for that long.
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
      // The ORM takes only host, port, user, password and database out of the URL.
      ...(ssl === undefined ? {} : { ssl }),
      statement_timeout: statementTimeoutMs,
      // A process that died behind a silent network would keep its rows locked until TCP times out,
      // which takes hours.
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
    // A misspelt URL must stop the start, not create an empty database.
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
    pool.on(end, (...told: unknown[]) => connections.delete(told.at(-1) as DatabaseClient));
  // Force one real connection now: a wrong URL or password must stop the start, not the first
  // request.
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
      // The ORM ends the pool only when it has used it itself.
      if (!pool.ended) await pool.end();
    },
  };
}

/** Only names of columns are renamed: the content of a json column is a value. */
const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/**
 * Returns the query builder on the connection of `em`: that of its open transaction, or the pool.
 */
const kyselyOf = (em: EntityManager): Kysely<Tables> => em.getKysely<Tables>().withPlugin(camelCase);

async function copyTransaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
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

/** Events appended by transactions that have not committed yet. */
const appending = new WeakMap<object, Set<string>>();

/** Records that `tx` has appended an event of this kind. */
export function noteAppended(tx: object, event: string): void {
  appending.set(tx, (appending.get(tx) ?? new Set()).add(event));
}

/** Returns the kinds of events that `tx` has appended. They are delivered after its commit. */
function appendedBy(tx: object): ReadonlySet<string> {
  return appending.get(tx) ?? new Set();
}
