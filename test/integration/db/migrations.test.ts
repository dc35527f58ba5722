import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../../db/database.ts';
import { describeSchema } from '../../../db/describe-schema.ts';
import { migrateDown, migrateUp, pendingMigrations } from '../../../db/migrate.ts';
import { testDatabase } from '../../support/postgres.ts';

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
  test('two migrate commands at once apply every migration exactly once', async () => {
    const other = await openDatabase({ url: target.url });
    const applied = await Promise.all([migrateUp(db), migrateUp(other)]);
    await other.close();

    expect(applied.flat().length).toBeGreaterThan(0);
    expect(new Set(applied.flat()).size).toBe(applied.flat().length);
    expect(await pendingMigrations(db)).toEqual([]);
  });

  test('give the committed schema, and the same one again after down and up', async () => {
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
  test('name existing columns with the same nullability', async () => {
    await migrateUp(db);
    const schema = await describeSchema(db);
    const differences: string[] = [];
    for (const meta of db.orm.getMetadata().getAll().values()) {
      const columns = schema[meta.tableName]?.columns ?? {};
      for (const property of meta.props) {
        for (const column of property.fieldNames ?? []) {
          const found = columns[column];
          if (found === undefined) differences.push(`${meta.tableName}.${column} does not exist`);
          else if (found.includes('not null') === (property.nullable ?? false))
            differences.push(`${meta.tableName}.${column} differs in nullability: ${found}`);
        }
      }
      const mapped = meta.props.flatMap((property) => property.fieldNames ?? []);
      for (const column of Object.keys(columns))
        if (!mapped.includes(column)) differences.push(`${meta.tableName}.${column} has no property`);
    }

    expect(db.orm.getMetadata().getAll().size).toBeGreaterThan(10);
    expect(differences).toEqual([]);
  });
});

describe('audit_entry', () => {
  test.each([
    ['update', `update audit_entry set action = 'other'`],
    ['delete', 'delete from audit_entry'],
    ['truncate', 'truncate audit_entry'],
  ])('refuses %s', async (_, statement) => {
    await migrateUp(db);
    await db.query(
      `insert into audit_entry (actor_type, entity_type, entity_id, action) values ('SYSTEM', 'test', '1', 'created')`,
    );

    await expect(db.query(statement)).rejects.toThrow('append-only');
  });
});

describe('transactions', () => {
  test('share one connection between SQL and the unit of work, and give numbers and dates', async () => {
    await migrateUp(db);
    const rows = await db.transaction(async (tx) => {
      await tx.query('create temporary table probe (id bigint, at timestamptz, ids bigint[]) on commit drop');
      await tx.query('insert into probe values (1, now(), array[1, 2])');
      return tx.query<{ id: number; at: Date; ids: number[] }>('select * from probe');
    });

    expect(rows).toEqual([{ id: 1, at: expect.any(Date), ids: [1, 2] }]);
  });

  test('a bulk transaction that throws leaves nothing behind and gives its connection back', async () => {
    await migrateUp(db);
    const failing = db.bulkTransaction(async (tx) => {
      await tx.query(`insert into setting (key, value) values ('probe', '1')`);
      throw new Error('stop');
    });

    await expect(failing).rejects.toThrow('stop');
    expect(await db.query(`select 1 from setting where key = 'probe'`)).toEqual([]);
    expect(db.pool.idleCount).toBe(db.pool.totalCount);
  });
});
