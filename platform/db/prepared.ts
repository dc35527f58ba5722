import { AsyncLocalStorage } from 'node:async_hooks';
import {
  AggregateFunctionNode,
  Kysely,
  PostgresDialect,
  SelectionNode,
  type CompiledQuery,
  type DatabaseConnection,
} from 'kysely';
import type pg from 'pg';

/** Prepared texts use memory of each connection. */
const MOST = 300;
/** A migration has changed the column types of a prepared statement. */
export const RESULT_TYPE_CHANGED = '0A000';

/** Names by text. Null if the text is not prepared. */
const names = new Map<string, string | null>();

const sending = new AsyncLocalStorage<string>();

export const statementName = (): string | undefined => sending.getStore();

const settings = new AsyncLocalStorage<readonly string[]>();

/** Starts the next transaction of `work` with these settings, without a round trip. */
export const startingWith = <T>(local: readonly string[], work: () => Promise<T>): Promise<T> =>
  settings.run(local, work);

export function withSettings(text: string): string {
  const local = settings.getStore() ?? [];
  if (local.length === 0 || !/^(?:begin|start transaction)\b/.test(text)) return text;
  return [text, ...local.map((setting) => `set local ${setting}`)].join('; ');
}

/**
 * Makes `db` prepare statements: each connection plans a text once (decision 56). If a migration
 * changes column types, the statement fails once with 0A000.
 */
export function preparing(pool: pg.Pool): <Tables>(db: Kysely<Tables>) => Kysely<Tables> {
  const dialect = new PostgresDialect({ pool });
  const driver = dialect.createDriver();

  return <Tables>(db: Kysely<Tables>) => {
    const inner = db.getExecutor();
    const executor = inner.withConnectionProvider({
      provideConnection: (consumer, options) =>
        inner.provideConnection((connection) => consumer(preparingConnection(connection)), options),
    });

    return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
  };
}

const preparingConnection = (connection: DatabaseConnection): DatabaseConnection => ({
  executeQuery: (query, options) => {
    const name = nameStatement(query);
    if (name === null) return connection.executeQuery(query, options);

    return sending
      .run(name, () => connection.executeQuery<never>(query, options))
      .catch((error: unknown) => {
        if ((error as { code?: unknown }).code === RESULT_TYPE_CHANGED) names.set(query.sql, null);
        throw error;
      });
  },
  streamQuery: (...query) => connection.streamQuery(...query),
});

function nameStatement({ sql, query }: CompiledQuery): string | null {
  const existing = names.get(sql);
  if (existing !== undefined) return existing;
  if (names.size >= MOST) return null;
  const name = selectsAll(query) ? null : `carte_${names.size}`;
  names.set(sql, name);

  return name;
}

/** `select *` would fail after a migration that adds a column. */
function selectsAll(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  // `count(*)` has the same nodes as a star.
  if (AggregateFunctionNode.is(node as AggregateFunctionNode)) return false;
  if (SelectionNode.is(node as SelectionNode) && isAll((node as SelectionNode).selection))
    return true;

  return Object.values(node).some(selectsAll);
}

const isAll = (selection: SelectionNode['selection']): boolean =>
  selection.kind === 'SelectAllNode' ||
  (selection.kind === 'ReferenceNode' && selection.column.kind === 'SelectAllNode');
