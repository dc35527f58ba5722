import type { CompiledQuery, Kysely } from 'kysely';
import type { Sql } from './database.ts';
import type { Tables } from './tables.ts';

/** A placeholder for a value that each execution supplies. */
class StandIn {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Built<Row> = { compile(db: Kysely<Tables>): CompiledQuery<Row> };

/**
 * Returns a statement that is compiled once per process (decision 70): building a large statement
 * costs as much as reading its result. `build` must not read its placeholders.
 *
 * @throws Error if a value does not reach the statement.
 */
export function compileOnce<Given extends object, Row>(
  build: (tx: Sql, given: Given) => Built<Row>,
): (tx: Sql, given: Given) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (tx, values) => {
    compiled ??= compile(build, tx, values);
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof StandIn ? values[parameter.name as keyof Given] : parameter,
    );
    const { rows } = await tx.db.executeQuery<Row>({ ...compiled, parameters });

    return rows;
  };
}

function compile<Given extends object, Row>(
  build: (tx: Sql, given: Given) => Built<Row>,
  tx: Sql,
  values: Given,
): CompiledQuery<Row> {
  const names = Object.keys(values);
  const standIns = Object.fromEntries(names.map((name) => [name, new StandIn(name)])) as Given;
  const compiled = build(tx, standIns).compile(tx.db);

  for (const name of names)
    if (
      !compiled.parameters.some(
        (parameter) => parameter instanceof StandIn && parameter.name === name,
      )
    )
      throw new Error(`The value ${name} does not reach the statement that is compiled once`);

  return compiled;
}
