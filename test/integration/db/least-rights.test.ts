import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { longTest } from '../../support/repetitions.ts';
import { openDatabase, type Database } from '../../support/text-database.ts';
import { requireSchema } from '../../../modules/own-database.ts';
import { grantRights, mayChangeSchema } from '../../../platform/db/rights.ts';
import { createLog } from '../../../platform/log.ts';
import {
  APPLICATION,
  asApplication,
  asOwner,
  makeApplicationRole,
  toOwnerUrl,
} from '../../support/database-roles.ts';
import { migratedDatabase } from '../../support/database.ts';
import { testDatabase } from '../../support/postgres.ts';
import { deleteRows } from '../../support/rows.ts';
import { tableNames } from '../../support/whole-schema.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  db = database.db;
});
afterAll(() => database.close());

const tables = () => tableNames(db);

describe('the role of the processes', () => {
  test.each([
    'create table another (id int)',
    'create index another on setting (value)',
    'create view another as select 1',
    `create function another() returns int language sql as 'select 1'`,
    'create schema another',
    'create extension pg_trgm',
    'create role another',
    'alter role postgres nologin',
    'alter table setting add column another int',
    'alter table setting owner to current_user',
    'drop table setting',
    'drop trigger audit_entry_append_only on audit_entry',
    'alter table audit_entry disable trigger user',
    'truncate setting',
    'truncate audit_entry',
    'set session_replication_role = replica',
    'set role postgres',
    `update audit_entry set reason = 'another'`,
    'delete from audit_entry',
    `update audit_seal set digest = ''`,
    'delete from audit_seal',
    `insert into audit_entry (id, actor_type, entity_type, entity_id, action) values (1, 'SYSTEM', 'user', '1', 'x') on conflict (id) do update set action = 'x'`,
    'lock table audit_entry in exclusive mode',
    `update security_event set kind = 'FORBIDDEN'`,
    `update compensation_move set reason = 'another'`,
    'delete from compensation_move',
    'delete from connection',
    'delete from binding_incident',
    `insert into migration (name, executed_at) values ('another', now())`,
    'delete from migration',
    `select pg_read_file('/etc/hostname')`,
    `copy setting to program 'true'`,
    `select pg_terminate_backend(pg_backend_pid()) from pg_authid`,
  ])('[OPS-30] cannot execute: %s', async (statement) => {
    await expect(db.transaction((tx) => tx.query(statement))).rejects.toMatchObject({
      code: '42501',
    });
  });

  // These statements cannot run inside a transaction.
  test.each(['alter system set fsync = off', 'create database another', 'drop database postgres'])(
    '[OPS-30] cannot execute outside a transaction: %s',
    async (statement) => {
      await expect(db.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    },
  );

  test('[OPS-30] may neither act as superuser nor own anything', async () => {
    const [row] = await db.query(
      `select current_user::text as name, rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as more,
              (select count(*) from pg_class where relowner = pg_roles.oid) as owned from pg_roles where rolname = current_user`,
    );
    expect(row).toEqual({ name: APPLICATION, more: false, owned: 0 });
    expect(await mayChangeSchema(db)).toBe(false);
  });

  test('reads every table and adds to every one except the list of migrations', async () => {
    const wrong = await db.query(
      `select name, has_table_privilege(name, 'select') as reads, has_table_privilege(name, 'insert') as adds
       from unnest($1::text[]) name where not has_table_privilege(name, 'select') or not has_table_privilege(name, 'insert')`,
      [await tables()],
    );
    expect(wrong).toEqual([{ name: 'migration', reads: true, adds: false }]);
  });
});

describe('grantRights', () => {
  const owned = async (work: (owner: Database) => Promise<void>) => {
    const owner = await openDatabase({ url: toOwnerUrl(database.url), poolSize: 1 });
    try {
      await work(owner);
    } finally {
      await owner.close();
    }
  };
  const grants = () =>
    asOwner<{ xmin: string }>(
      db,
      `select xmin::text, oid from pg_class where relacl is not null order by oid`,
    );

  test('changes nothing when it is repeated, so that no statement is planned again', async () => {
    const before = await grants();
    await owned((owner) => grantRights(owner, APPLICATION));
    expect(await grants()).toEqual(before);
  });

  test('grants what a new table needs and revokes excess rights', async () => {
    await asOwner(
      db,
      `create table later (id bigint generated by default as identity primary key); grant all on audit_entry to ${APPLICATION}`,
    );
    await owned((owner) => grantRights(owner, APPLICATION));
    await db.query('insert into later default values');
    await expect(deleteRows(db, 'audit_entry')).rejects.toMatchObject({ code: '42501' });
    await asOwner(db, 'drop table later');
  });
});

describe('the command npm run migrate', () => {
  const migrate = (environment: NodeJS.ProcessEnv) =>
    spawnSync(
      process.execPath,
      [fileURLToPath(new URL('../../../tools/migrate.ts', import.meta.url))],
      {
        env: { PATH: process.env['PATH'], NODE_ENV: 'test', ...environment },
        encoding: 'utf8',
      },
    );

  longTest(
    '[OPS-30] grants the role of DATABASE_URL what it needs when it has a role of its own',
    async () => {
      const empty = await testDatabase();
      await makeApplicationRole(empty.serverUrl);
      const logged: string[] = [];
      const log = createLog({
        service: 'test',
        level: 'warn',
        destination: { write: (line) => void logged.push(line) },
      });
      try {
        const before = migrate({ DATABASE_URL: asApplication(empty.url) });
        expect([before.status, before.stderr]).toEqual([
          1,
          expect.stringContaining('permission denied'),
        ]);

        const run = migrate({
          DATABASE_URL: asApplication(empty.url),
          MIGRATION_DATABASE_URL: empty.url,
        });
        expect([run.status, run.stderr]).toEqual([0, '']);
        for (const [url, warnings] of [
          [asApplication(empty.url), 0],
          [empty.url, 1],
        ] as const) {
          const opened = await openDatabase({ url, poolSize: 1 });
          await requireSchema(opened, log);
          await opened.close();
          expect(logged.splice(0)).toHaveLength(warnings);
        }
      } finally {
        await empty.drop();
      }
    },
  );

  test('[OPS-30] reports a role without the rights, with the remedy', async () => {
    await asOwner(db, `revoke select on migration from ${APPLICATION}`);
    const log = createLog({ service: 'test', level: 'silent' });
    await expect(requireSchema(db, log)).rejects.toThrow(
      'run `npm run migrate` with this DATABASE_URL and with MIGRATION_DATABASE_URL',
    );
    await asOwner(db, `grant select on migration to ${APPLICATION}`);
  });
});
