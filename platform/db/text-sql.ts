import { CompiledQuery } from 'kysely';
import { touchedBy, type Sql } from './database.ts';

/** Only files in `packages/dev/imports/import-rules.ts` may import it. */
export type TextSql = {
  /** Column names are unchanged. */
  query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  execute(text: string, params?: readonly unknown[]): Promise<number>;
};

/** Uses the transaction of `sql`, or the pool. */
export function textSql({ db }: Sql): TextSql {
  const plain = db.withoutPlugins();
  const run = <Row>(text: string, params: readonly unknown[] = []) =>
    plain.executeQuery<Row>(CompiledQuery.raw(text, [...params]));

  return {
    query: async <Row extends object>(text: string, params?: readonly unknown[]) =>
      (await run<Row>(text, params)).rows,
    execute: async (text, params) => touchedBy(await run(text, params)),
  };
}
