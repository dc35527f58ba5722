import { expect, test } from '@jest/globals';
import { lintMigrations, readMigrations } from '../../../packages/dev/migrations/lint.ts';

const migration = (isTransactional: boolean, ...statements: string[]) => ({
  name: 'Migration20990101000000_trial.ts',
  isTransactional,
  statements,
});
const findRules = async (isTransactional: boolean, ...statements: string[]) =>
  (await lintMigrations([migration(isTransactional, ...statements)])).map(
    (line) => / (\S+):/.exec(line)?.[1],
  );

test('[OPS-78] no migration blocks guests or breaks processes of the former release', async () => {
  const migrations = await readMigrations();

  expect(migrations.length).toBeGreaterThan(6);
  expect(await lintMigrations(migrations)).toEqual([]);
});

test.each([
  ['create index trial on customer_order (state)', 'require-concurrent-index-creation'],
  ['drop index customer_order_state', 'require-concurrent-index-deletion'],
  [`alter table cart add constraint trial check (lines <> '[]')`, 'constraint-missing-not-valid'],
  ['alter table cart alter column id type text', 'changing-column-type'],
  ['alter table cart alter column comment set not null', 'adding-not-nullable-field'],
  [
    'alter table cart add column trial timestamptz default clock_timestamp()',
    'adding-field-with-default',
  ],
  ['alter table cart add foreign key (trial) references outbox', 'adding-foreign-key-constraint'],
  ['alter table cart drop column lines', 'ban-drop-column'],
])('[OPS-78] the check of migrations rejects %s', async (statement, rule) => {
  expect(await findRules(true, statement)).toContain(rule);
  expect(await findRules(true, `-- squawk-ignore ${rule}\n${statement}`)).not.toContain(rule);
});

test('[OPS-78] the check of migrations accepts an index of a new table, or one that is built concurrently', async () => {
  expect(
    await findRules(true, 'create table trial (id bigint)', 'create index trial_id on trial (id)'),
  ).toEqual([]);
  expect(await findRules(false, 'create index concurrently trial on cart (id)')).toEqual([]);
});

test('[OPS-78] the check of migrations rejects an unreadable statement', async () => {
  expect(await findRules(true, 'create tabel trial')).toContain('syntax-error');
});
