import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uniqueRules } from '../../../tools/locks/unlisted.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';

// The rules come from the committed schema, so a migration that drops one does not drop its test.
const rules = await uniqueRules(fileURLToPath(new URL('../../..', import.meta.url)));

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

/** Rules that hold for some rows only, and what makes a row one of them. */
const ONLY_FOR: Readonly<Record<string, Record<string, string>>> = {
  catalog_product_primary_category_unique: { is_primary: 'true' },
  catalog_variant_default_unique: { is_default: 'true' },
  binding_evaluation_pkey: { only_row: 'true' },
  import_pause_open_unique: { job: `'MENU'` },
};

type Column = { name: string; type: string; isNeeded: boolean; allowed: string | null };

/** Columns of a table, which of them a row must state, and the first value that a list of words allows. */
const columnsOf = (table: string): Promise<Column[]> =>
  database.db.query<Column>(
    `select attname as name, format_type(atttypid, atttypmod) as type,
            attnotnull and not atthasdef and attidentity = '' as "isNeeded",
            (select substring(pg_get_constraintdef(oid) from '''([^'']*)''::text') from pg_constraint
              where conrelid = attrelid and contype = 'c' and conkey = array[attnum] limit 1) as allowed
       from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );

const VALUES: Readonly<Record<string, (seed: number) => string>> = {
  uuid: (seed) => `'00000000-0000-4000-8000-00000000000${seed}'`,
  json: () => `'{}'`,
  jsonb: () => `'{}'`,
  boolean: () => 'false',
  bytea: () => `'\\x00'`,
  'text[]': () => `'{}'`,
  'timestamp with time zone': () => 'now()',
};

/** A row that shares the columns of the rule with every other one and differs in the rest. */
async function insertOf(table: string, rule: { name: string; columns: string[] }, row: number): Promise<string> {
  const inRule = (name: string) => rule.columns.some((column) => column === name || column === `lower(${name})`);
  const only = ONLY_FOR[rule.name] ?? {};
  const columns = (await columnsOf(table)).filter((each) => each.isNeeded || inRule(each.name) || each.name in only);
  const values = columns.map(({ name, type, allowed }) => {
    const seed = inRule(name) ? 9 : row;
    return only[name] ?? (allowed === null ? (VALUES[type] ?? String)(seed) : `'${allowed}'`);
  });
  return `insert into ${table} (${columns.map((each) => each.name).join(', ')}) values (${values.join(', ')})`;
}

/** The number of sessions that wait for another one. */
const waiting = () =>
  database.db.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

test('the committed schema has its unique rules', () => {
  expect(rules.length).toBeGreaterThan(45);
});

test.each(rules)('of two rows at once $name takes one', async ({ table, ...rule }) => {
  const [first, second] = [await insertOf(table, rule, 1), await insertOf(table, rule, 2)];
  const competing = Promise.withResolvers<unknown>();
  await database.db.transaction(async (tx) => {
    // Rows stand alone here: what they refer to is not what is tested.
    await tx.query('set local session_replication_role = replica');
    await tx.query(`delete from ${table}`);
    await tx.query(first);
    const opponent = database.db.transaction(async (other) => {
      await other.query('set local session_replication_role = replica');
      await other.query(second);
    });
    void opponent.then(() => competing.resolve(null), competing.resolve);
    const settled = competing.promise.then(() => true);
    await Promise.race([
      settled,
      eventually('the second waits', async () => ((await waiting()).length > 0 ? true : undefined), 10_000, 5),
    ]);
  });
  expect(await competing.promise).toMatchObject({ code: '23505', constraint: rule.name });
});
