import { CompiledQuery, type Kysely } from 'kysely';
import type { Sql } from './database.ts';
import type { Tables } from '../../modules/registry.ts';
import { asPrepared } from './prepared.ts';

/** Stands in a statement for a value that each run fills in. */
class StandIn {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** What the query builder makes of a statement. */
type Built<Row> = { compile(db: Kysely<Tables>): CompiledQuery<Row> };
type Kept = { text: string; parameters: readonly unknown[] };

/**
 * A statement that is built once in the life of the process and planned once for each connection (decision 70): building one of ten tables costs
 * as much as reading its answer. `build` gets a stand-in for each value, so it may hand values to the statement but must not look
 * at them: one whose text depends on a value is two statements. Throws when a value does not reach the statement.
 */
export function keptStatement<Given extends object, Row>(
  build: (tx: Sql, given: Given) => Built<Row>,
): (tx: Sql, given: Given) => Promise<Row[]> {
  let kept: Kept | undefined;
  return async (tx, given) => {
    kept ??= compiled(build, tx, given);
    const values = kept.parameters.map((each) => (each instanceof StandIn ? given[each.name as keyof Given] : each));
    const { rows } = await tx.db.executeQuery<Row>(CompiledQuery.raw(kept.text, values));
    return rows;
  };
}

function compiled<Given extends object, Row>(
  build: (tx: Sql, given: Given) => Built<Row>,
  tx: Sql,
  given: Given,
): Kept {
  const names = Object.keys(given);
  const standIns = Object.fromEntries(names.map((name) => [name, new StandIn(name)])) as Given;
  const { sql: text, parameters } = build(tx, standIns).compile(tx.db);
  for (const name of names)
    if (!parameters.some((each) => each instanceof StandIn && each.name === name))
      throw new Error(`The value ${name} does not reach the statement that is to be kept`);
  return { text: asPrepared(text), parameters };
}
