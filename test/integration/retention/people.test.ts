import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LIFE_TIMES } from '../../../modules/retention.ts';
import { migratedDatabase } from '../../support/database.ts';

/** Names of columns with personal data, or with a reference to a person. */
const ABOUT_PEOPLE =
  /phone|e_?mail|full_name|user_agent|customer_id$|client_id$|user_id$|_by$|actor_id$|actor_name$|personal_data_id$|cart_id$|^subject$|_digest$|^raw$|^body$/;
/** Matching columns without personal data. */
const OF_NOBODY: Readonly<Record<string, string>> = {
  'mirror_external_menu.outranked_by': 'a menu',
  'mirror_organization.raw': 'a restaurant',
  'ordering_config.phone': 'a restaurant',
  'marker_clearing.held_by': 'a reason',
};
/** Tables about people with neutral column names. */
const BY_CONTENT = ['geocoder_answer', 'order_claim', 'outbox', 'personal_data', 'window_count'];

/** Words of the page for rows that are deleted at once when they are due. */
const DUE_AT_ONCE: Readonly<Record<string, string>> = {
  geocoder_answer: '30 days',
  personal_data: 'addresses with their last reference',
};

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let documented: Map<string, string>;
beforeAll(async () => {
  database = await migratedDatabase();
  const page = await readFile(new URL('../../../docs/personal-data.md', import.meta.url), 'utf8');
  const list = page.slice(page.indexOf('## Every table about people'));
  documented = new Map(
    [...list.matchAll(/^\| `(\w+)` +\| [^|]+ \| ([^|]+?) +\|$/gm)].map(([, table, life]) => [
      table!,
      life!,
    ]),
  );
});
afterAll(() => database.close());

test('[OPS-7] the page about personal data lists every table with personal data, and no other table', async () => {
  const columns = await database.db.query<{ table: string; column: string }>(
    `select c.table_name as "table", c.column_name as "column" from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`,
  );
  const names = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const aboutPeople = columns
    .filter(
      ({ table, column }) =>
        ABOUT_PEOPLE.test(column) && OF_NOBODY[`${table}.${column}`] === undefined,
    )
    .map(({ table }) => table);

  expect([...documented.keys()].toSorted()).toEqual(
    [...new Set([...aboutPeople, ...BY_CONTENT])].toSorted(),
  );
  expect(Object.keys(OF_NOBODY).filter((name) => !names.has(name))).toEqual([]);
});

test('[OPS-7] the page about personal data lists how long rows of each table are kept', () => {
  const lifeOf = ({ table, kept }: (typeof LIFE_TIMES)[number]) =>
    kept === '0 seconds' ? (DUE_AT_ONCE[table] ?? kept) : kept;
  const wrong = LIFE_TIMES.filter(
    (entry) => documented.get(entry.table)?.includes(lifeOf(entry)) === false,
  );
  const permanent = LIFE_TIMES.filter(
    ({ table }) => documented.get(table)?.startsWith('permanently') === true,
  );

  expect([...wrong, ...permanent]).toEqual([]);
  expect(LIFE_TIMES.filter(({ table }) => documented.has(table)).length).toBeGreaterThan(10);
});

test('a column name with personal data is recognized', () => {
  expect(
    ['phone_digest', 'email', 'accepted_by_user_id', 'closed_by', 'network_digest'].every((name) =>
      ABOUT_PEOPLE.test(name),
    ),
  ).toBe(true);
  expect(
    ['name', 'revision', 'body_bytes', 'organization_id'].some((name) => ABOUT_PEOPLE.test(name)),
  ).toBe(false);
});
