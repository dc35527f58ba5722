import type { KyselyPlugin, QueryId } from 'kysely';
import type { Sql } from './text-database.ts';

/** `has` searches a part of the text, or a word of a typed statement. */
type Statement = { has: (part: string) => boolean };

/** Runs `after` before the caller gets the rows. */
export function watched<S extends Sql>(sql: S, after: (statement: Statement) => unknown): S {
  const statements = new WeakMap<QueryId, Statement>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.set(queryId, { has: (part) => JSON.stringify(node).includes(part) });
      return node;
    },
    async transformResult({ result, queryId }) {
      await after(statements.get(queryId)!);
      return result;
    },
  };
  return {
    ...sql,
    db: sql.db.withPlugin(plugin),
    async query<Row extends object>(text: string, params?: readonly unknown[]) {
      const rows = await sql.query<Row>(text, params);
      await after({ has: (part) => text.includes(part) });
      return rows;
    },
    async execute(text: string, params?: readonly unknown[]) {
      const touched = await sql.execute(text, params);
      await after({ has: (part) => text.includes(part) });
      return touched;
    },
  };
}
