import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mutation } from './mutation.ts';
import { NO_LOCKS } from './no-locks.ts';

const SOURCES = '{app,db,api,erp,platform,activities,workers,workflows}/**/*.ts';
/** Words of statements that lock a row or claim a key. */
const LOCK =
  /pg_(try_)?advisory|\badvisory\.|\bfor (no key )?update\b|\bfor (key )?share\b|skip locked|on conflict|PESSIMISTIC_|\.for(No)?(Key)?(Update|Share)\(|\.skipLocked\(|\.onConflict\(/;
const SCHEMA = 'migrations/schema.snapshot.json';

/**
 * Statements that lock or claim and that no mutation touches, and unique rules that none drops; except those of which `no-locks.ts`
 * says why nothing competes there.
 */
export async function unlistedLocks(root: string, mutations: readonly Mutation[]): Promise<string[]> {
  return [...(await unlistedStatements(root, mutations)), ...(await unlistedRules(root, mutations))];
}

async function unlistedStatements(root: string, mutations: readonly Mutation[]): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(SOURCES, { cwd: root })) {
    const touching = [...mutations, ...NO_LOCKS].filter((each) => each.file === file).map((each) => each.from);
    const lines = (await readFile(join(root, file), 'utf8')).split('\n');
    for (const [at, line] of lines.entries()) {
      if (!LOCK.test(line) || /^\s*(\*|\/)/.test(line)) continue;
      if (!touching.some((part) => line.includes(part))) found.push(`${file}:${at + 1} ${line.trim().slice(0, 110)}`);
    }
  }
  return found.toSorted();
}

/** Names of the unique rules of the schema; the key of a numbered row guards nothing anybody could claim twice. */
export async function uniqueRules(root: string): Promise<{ table: string; name: string; columns: string[] }[]> {
  const schema = JSON.parse(await readFile(join(root, SCHEMA), 'utf8')) as Record<string, { indexes: string[] }>;
  return Object.entries(schema).flatMap(([table, { indexes }]) =>
    indexes.flatMap((definition) => {
      const [, name = '', columns = ''] =
        /^CREATE UNIQUE INDEX (\S+) .*? USING btree \((.*?)\)(?: NULLS NOT DISTINCT)?(?: WHERE .*)?$/.exec(
          definition,
        ) ?? [];
      return name === '' || columns === 'id' ? [] : [{ table, name, columns: columns.split(', ') }];
    }),
  );
}

async function unlistedRules(root: string, mutations: readonly Mutation[]): Promise<string[]> {
  const dropped = new Set(mutations.map(({ id }) => id));
  const exempt = new Set(NO_LOCKS.map((each) => each.from));
  const rules = await uniqueRules(root);
  return rules
    .filter(({ name }) => !dropped.has(`unique/${name}`) && !exempt.has(name))
    .map(({ name }) => `unique rule ${name}`);
}
