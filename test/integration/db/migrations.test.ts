import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { json } from '../../../platform/db/database.ts';
import { openDatabase, type Database, type Sql } from '../../support/text-database.ts';
import { describeSchema } from '../../../platform/db/describe-schema.ts';
import { migrateDown, migrateUp, pendingMigrations } from '../../../platform/db/migrate.ts';
import { Migration20261128012000_own_pickup_minutes } from '../../../migrations/Migration20261128012000_own_pickup_minutes.ts';
import { aConnection } from '../../support/connection.ts';
import { testDatabase } from '../../support/postgres.ts';
import { addRow, countRows } from '../../support/rows.ts';

let target: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
beforeAll(async () => {
  target = await testDatabase();
  db = await openDatabase({ url: target.url });
});
afterAll(async () => {
  await db.close();
  await target.drop();
});

describe('migrations', () => {
  test('run exactly once in concurrent migrate commands', async () => {
    const other = await openDatabase({ url: target.url });
    const applied = await Promise.all([migrateUp(db), migrateUp(other)]);
    await other.close();

    expect(applied.flat().length).toBeGreaterThan(0);
    expect(new Set(applied.flat()).size).toBe(applied.flat().length);
    expect(await pendingMigrations(db)).toEqual([]);
  });

  test('produce the committed schema, and the same one after down and up', async () => {
    await migrateUp(db);
    const committed: unknown = JSON.parse(
      await readFile(new URL('../../../migrations/schema.snapshot.json', import.meta.url), 'utf8'),
    );
    expect(await describeSchema(db)).toEqual(committed);

    await migrateDown(db);
    expect(await describeSchema(db)).toEqual({});

    await migrateUp(db);
    expect(await describeSchema(db)).toEqual(committed);
  });
});

describe('entities', () => {
  test('declare every table and view with its columns, nullability, types and key', async () => {
    await migrateUp(db);
    const schema = await describeSchema(db);
    const metadata = [...db.orm.getMetadata().getAll().values()];
    const differences: string[] = [];
    for (const meta of metadata) {
      const { columns = {}, constraints = {}, view } = schema[meta.tableName] ?? {};
      if ((view !== undefined) !== (meta.view === true))
        differences.push(`${meta.tableName}: a view, or a table?`);
      for (const property of meta.props) {
        const [column = ''] = property.fieldNames ?? [];
        const found = columns[column];
        if (found === undefined) {
          differences.push(`${meta.tableName}.${column} does not exist`);
          continue;
        }
        // PostgreSQL does not report which columns of a view may be null.
        if (view === undefined && found.includes('not null') === (property.nullable ?? false))
          differences.push(`${meta.tableName}.${column} differs in nullability: ${found}`);
        const type = (property.columnTypes ?? [])[0] ?? '';
        if (!found.startsWith(SAME_TYPE[type] ?? type))
          differences.push(`${meta.tableName}.${column} is ${found}, declared as ${type}`);
      }
      const mapped = meta.props.flatMap((property) => property.fieldNames ?? []);
      for (const column of Object.keys(columns))
        if (!mapped.includes(column))
          differences.push(`${meta.tableName}.${column} has no property`);
      const key = Object.values(constraints).find((constraint) =>
        constraint.startsWith('PRIMARY KEY'),
      );
      const declared = meta.primaryKeys.map((name) => meta.properties[name]?.fieldNames[0]);
      // Staging tables have no key, but the ORM requires one.
      if (key !== undefined && key.replaceAll('"', '') !== `PRIMARY KEY (${declared.join(', ')})`)
        differences.push(`${meta.tableName} has ${key}, declared: ${declared.join(', ')}`);
    }

    expect(differences).toEqual([]);
    expect(metadata.map((entry) => entry.tableName).toSorted()).toEqual(
      Object.keys(schema).toSorted(),
    );
  });

  test('describe every view in a comment', async () => {
    await migrateUp(db);
    const views = Object.values(await describeSchema(db)).flatMap(({ view }) => view ?? []);

    expect(views.length).toBeGreaterThan(0);
    expect(views.filter(({ comment }) => comment === null)).toEqual([]);
  });
});

/** Names of types that PostgreSQL and the ORM write differently. */
const SAME_TYPE: Readonly<Record<string, string>> = {
  int: 'integer',
  'timestamptz(6)': 'timestamp with time zone',
  timestamptz: 'timestamp with time zone',
  'varchar(255)': 'character varying(255)',
  jsonb: 'json',
  bigserial: 'bigint not null identity',
};

describe('typed statements', () => {
  test('fail the type check for a misspelled column, use camelCase and keep json values', async () => {
    await migrateUp(db);
    await db.transaction(async (tx) => {
      await tx.db
        .insertInto('outbox')
        .values({ event: 'ErpStopListsMarked', payload: json({ some_key: [1] }) })
        .execute();
      const typed = await tx.db
        .selectFrom('outbox')
        .select(['createdAt', 'payload'])
        .executeTakeFirstOrThrow();
      expect(typed).toEqual({ createdAt: expect.any(Date), payload: { some_key: [1] } });
      const { rows } = await sql`select last_error, 1::bigint as some_number from outbox`.execute(
        tx.db,
      );
      expect(rows).toEqual([{ lastError: null, someNumber: 1 }]);
      // @ts-expect-error The entity has no such property.
      tx.db.selectFrom('outbox').select('createdOn');
    });
  });

  test('join the open transaction, and a nested transaction is independent', async () => {
    await migrateUp(db);
    const insert = (tx: Sql, key: 'binding.missing_grace' | 'snapshot.revision_days') =>
      tx.db
        .insertInto('setting')
        .values({ key, value: json(1) })
        .execute();
    const failing = db.transaction(async (tx) => {
      await insert(tx, 'binding.missing_grace');
      await db.transaction((inner) => insert(inner, 'snapshot.revision_days'));
      throw new Error('stop');
    });

    await expect(failing).rejects.toThrow('stop');
    expect(await db.db.selectFrom('setting').select('key').execute()).toEqual([
      { key: 'snapshot.revision_days' },
    ]);
    await db.db.deleteFrom('setting').execute();
  });
});

describe('audit_entry', () => {
  test.each([
    ['update', `update audit_entry set action = 'other'`],
    ['delete', 'delete from audit_entry'],
    ['truncate', 'truncate audit_entry'],
  ])('rejects %s', async (_, statement) => {
    await migrateUp(db);
    await addRow(db, 'audit_entry', {
      actorType: 'SYSTEM',
      entityType: 'test' as never,
      entityId: '1',
      action: 'created',
    });

    await expect(db.query(statement)).rejects.toThrow('append-only');
  });
});

describe('transactions', () => {
  test('share one connection between SQL and the unit of work, and return numbers and dates', async () => {
    await migrateUp(db);
    const rows = await db.transaction(async (tx) => {
      await tx.query(
        'create temporary table probe (id bigint, at timestamptz, ids bigint[]) on commit drop',
      );
      await tx.query('insert into probe values (1, now(), array[1, 2])');
      return tx.query<{ id: number; at: Date; ids: number[] }>('select * from probe');
    });

    expect(rows).toEqual([{ id: 1, at: expect.any(Date), ids: [1, 2] }]);
  });

  test('leave nothing behind when a copy fails, and return its connection', async () => {
    await migrateUp(db);
    const failing = db.copyTransaction(async (client) => {
      await client.query(`insert into setting (key, value) values ('probe', '1')`);
      throw new Error('stop');
    });

    await expect(failing).rejects.toThrow('stop');
    expect(await countRows(db, 'setting', { key: 'probe' as never })).toBe(0);
    expect(db.pool.idleCount).toBe(db.pool.totalCount);
  });
});

describe('the migration of pickup minutes', () => {
  test('[FUL-58] clears a 20 that staff have never set, and restores it on the way down', async () => {
    await migrateUp(db);
    const { id: connectionId } = await aConnection(db, 'login of minutes');
    const of = async (pickupCookingMinutes: number, edited?: object) => {
      const { id } = await addRow(db, 'mirror_organization', { connectionId, name: 'Restaurant' });
      await addRow(db, 'ordering_config', { organizationId: id, pickupCookingMinutes });
      const entry = {
        entityType: 'organization-ordering' as const,
        entityId: String(id),
        action: 'update',
      };
      if (edited !== undefined)
        await addRow(db, 'audit_entry', { actorType: 'USER', ...entry, after: edited as never });
      return id;
    };
    const ids = [
      await of(20),
      await of(20, { deliveryEnabled: true }),
      await of(20, { pickupCookingMinutes: 20 }),
      await of(25, { pickupCookingMinutes: 25 }),
    ];
    const run = async (way: 'up' | 'down') => {
      const migration = new Migration20261128012000_own_pickup_minutes(
        db.orm.em.getDriver(),
        db.orm.config,
      );
      migration[way]();
      for (const statement of migration.getQueries()) await db.query(statement as string);
    };
    const minutes = async () =>
      (
        await db.query<{ minutes: number | null }>(
          `select pickup_cooking_minutes as minutes from ordering_config where organization_id in (${ids.join(', ')}) order by organization_id`,
        )
      ).map((row) => row.minutes);

    await run('up');
    expect(await minutes()).toEqual([null, null, 20, 25]);
    await run('down');
    expect(await minutes()).toEqual([20, 20, 20, 25]);
    await run('up');
  });
});
