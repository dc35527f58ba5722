import type { KyselyPlugin } from 'kysely';
import type { Sql } from '../../db/database.ts';

/**
 * The same statements, with a word in between: `after` runs when a statement has given its rows and before its caller gets them.
 * For counting statements, and for races that must happen between two of them.
 */
export function watched<S extends Sql>(sql: S, after: () => unknown): S {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await after();
      return result;
    },
  };
  return {
    ...sql,
    db: sql.db.withPlugin(plugin),
    async query<Row extends object>(text: string, params?: readonly unknown[]) {
      const rows = await sql.query<Row>(text, params);
      await after();
      return rows;
    },
    async execute(text: string, params?: readonly unknown[]) {
      const touched = await sql.execute(text, params);
      await after();
      return touched;
    },
  };
}
