import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { createVariantAxis } from '../../../modules/catalog/variants/variant-axes.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { eventually } from '../../support/processes.ts';
import { asOwner, inOwnerSession } from '../../support/database-roles.ts';
import { countRows } from '../../support/rows.ts';
import { openDatabase, type Database } from '../../support/text-database.ts';
import { waitingSessions } from '../../support/whole-schema.ts';

let fixture: TestFixture;
let menuId: number;
let sizes: { sizeId: number; itemId: number }[];

beforeAll(async () => {
  fixture = await mirrorFixture();
  menuId = await importBasics(fixture);
  await importMenu(fixture, menuId, 'FULL');
  sizes = await fixture.db.db
    .selectFrom('mirror_item as item')
    .innerJoin('mirror_item_size as size', 'size.itemId', 'item.id')
    .where('item.role', '=', 'DISH')
    .select((row) => [row.fn.min('size.id').as('sizeId'), 'item.id as itemId'])
    .groupBy('item.id')
    .orderBy('item.id')
    .execute();
  const options = ['A', 'B', 'C'].map((code) => ({ code, name: code }));
  await createVariantAxis(
    { db: fixture.db },
    STAFF,
    { code: 'KIND', name: 'Вид', uiType: 'LIST', options },
    null,
  );
});
afterAll(() => fixture.close());

const create = (name: string, of: readonly { sizeId: number }[], db = fixture.db) =>
  createProductOfItems(
    { db },
    STAFF,
    {
      name,
      variantAxisCode: 'KIND',
      mainImageId: null,
      categoryIds: [],
      variants: of.map(({ sizeId }, at) => ({
        erpItemSizeId: sizeId,
        variantOptionCode: 'ABC'[at]!,
        isDefault: at === 0,
      })),
    },
    null,
  );

/**
 * Opens sessions that detect a deadlock after three seconds of waiting, as all later sessions of
 * the database do.
 */
async function openPatient(): Promise<Database> {
  await asOwner(
    fixture.db,
    `do $$ begin execute format('alter database %I set deadlock_timeout = ''3s''', current_database()); end $$`,
  );
  return openDatabase({ url: fixture.url, applicationName: 'carte-test' });
}

async function countDeadlocks(): Promise<number> {
  const [row] = await fixture.db.query<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  return row!.deadlocks;
}

test('a command that is aborted by a deadlock runs again', async () => {
  const [low, high] = [sizes[0]!, sizes[1]!];
  const patient = await openPatient();
  const blocked = Promise.withResolvers<void>();
  const holds = Promise.withResolvers<void>();
  const lock = 'select id from mirror_item where id = $1 for update';

  // Locks the rows in the wrong order and never detects a deadlock, so the command finds it.
  const opponent = inOwnerSession(fixture.db, async (session) => {
    await session.query(`set deadlock_timeout = '1h'`);
    await session.query('begin');
    await session.query(lock, [high.itemId]);
    holds.resolve();
    await blocked.promise;
    await session.query(lock, [low.itemId]);
    await session.query('commit');
  });
  await holds.promise;
  const created = create('Набор', [low, high], patient);
  await eventually('the command waits', async () =>
    (await waitingSessions(fixture.db)) > 0 ? true : undefined,
  );
  blocked.resolve();

  await expect(opponent).resolves.toBeUndefined();
  // PostgreSQL counts when a session is idle.
  await eventually('the deadlock is counted', async () =>
    (await countDeadlocks()) === 1 ? true : undefined,
  );
  expect(await created).toMatchObject({ status: 'DRAFT' });
  expect(await countRows(fixture.db, 'catalog_product', { name: 'Набор' })).toBe(1);
  await patient.close();
});

test('products are created while full imports rewrite every dish', async () => {
  const free = sizes.slice(2);
  const sets = Array.from({ length: Math.floor(free.length / 3) }, (_, at) =>
    free.slice(3 * at, 3 * at + 3).reverse(),
  );
  await fixture.db.query(`update mirror_item set name = name || '!'`);

  const [run, ...products] = await Promise.all([
    importMenu(fixture, menuId, 'FULL'),
    ...sets.map((set, at) => create(`Комплект ${at}`, set)),
  ]);

  expect(run.outcome).toMatchObject({ outcome: 'APPLIED' });
  expect(products).toHaveLength(sets.length);
  const [left] = await fixture.db.query(
    `select count(*) filter (where item.name like '%!') as renamed,
            count(*) filter (where binding.item_id is not null and triage.status is distinct from 'LINKED') as unlinked
       from mirror_item item left join catalog_item_binding binding on binding.item_id = item.id
       left join catalog_item_triage triage on triage.item_id = item.id`,
  );
  expect(left).toEqual({ renamed: 0, unlinked: 0 });
});
