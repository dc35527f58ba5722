import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The committed schema: a migration that drops a rule does not drop its proof. */
const SCHEMA = 'migrations/schema.snapshot.json';

export type UniqueRule = { table: string; name: string };

/** Returns the unique rules, except keys of numbered rows, which protect nothing. */
export async function uniqueRules(root: string): Promise<UniqueRule[]> {
  const schema = JSON.parse(await readFile(join(root, SCHEMA), 'utf8')) as Record<
    string,
    { indexes: string[] }
  >;

  return Object.entries(schema).flatMap(([table, { indexes }]) =>
    indexes.flatMap((definition) => {
      const name = /^CREATE UNIQUE INDEX (\S+) .*? USING btree \((?!(?:id|seq)\))/.exec(
        definition,
      )?.[1];
      return name === undefined ? [] : [{ table, name }];
    }),
  );
}

/** Drops the rule and the foreign keys that need it. */
export function withoutRule({ table, name }: UniqueRule): string {
  return `alter table ${table} drop constraint if exists ${name} cascade; drop index if exists ${name};`;
}

/** Returns a statement that removes the exceptions from a trigger function. */
export function withoutRefusal(name: string): string {
  return `do $do$ begin execute regexp_replace(pg_get_functiondef('${name}'::regproc), 'raise exception[^;]*;', 'null;'); end $do$;`;
}
