import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { copyRows } from '../../../modules/mirror/menu/copy-rows.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import {} from '../../support/rows.ts';

/** Tables in which a run updates every row that it saw. */
const SEEN = [
  'mirror_menu_category',
  'mirror_item_menu',
  'mirror_item_placement',
  'mirror_size_menu',
  'mirror_modifier_group',
];
/** Columns with the start of the run that last wrote the row. */
const WRITTEN = {
  mirror_product_category: 'changed_at',
  mirror_item: 'synchronized_at',
  mirror_item_size: 'changed_at',
  mirror_price: 'changed_at',
  mirror_modifier_link: 'changed_at',
};

let fixture: TestFixture;
let menuId: number;
beforeAll(async () => {
  fixture = await mirrorFixture();
  menuId = await importBasics(fixture);
});
afterAll(() => fixture.close());

async function marked(table: string, condition: string, runId: number): Promise<[number, number]> {
  const [row] = await fixture.db.query<{ marked: number; all: number }>(
    `select count(*) filter (where ${condition}) as marked, count(*) as all from ${table} cross join sync_run run where run.id = $1`,
    [runId],
  );
  return [row!.marked, row!.all];
}
const writtenBy = (table: keyof typeof WRITTEN, runId: number) =>
  marked(
    table,
    `date_trunc('milliseconds', ${WRITTEN[table]}) = date_trunc('milliseconds', run.started_at)`,
    runId,
  );
const tables = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[];

describe('the run mark', () => {
  test('[MIR-7] covers every row of every table after the first run', async () => {
    const { runId } = await importMenu(fixture, menuId, 'FULL');

    for (const table of SEEN) {
      const [own, all] = await marked(table, 'synchronized_run = run.id', runId);
      expect([table, own > 0, own]).toEqual([table, true, all]);
    }
    for (const table of tables) {
      const [own, all] = await writtenBy(table, runId);
      expect([table, own > 0, own]).toEqual([table, true, all]);
    }
  });

  test('[MIR-9] covers what a later run saw, without writing other columns', async () => {
    const dish = await fixture.db.db
      .selectFrom('mirror_item as item')
      .innerJoin('mirror_item_size as size', 'size.itemId', 'item.id')
      .innerJoin('mirror_price as price', 'price.itemSizeId', 'size.id')
      .where('item.role', '=', 'DISH')
      .where('size.erpSizeId', '=', '')
      .where('price.lostAt', 'is', null)
      .select('item.erpId')
      .orderBy('item.id')
      .limit(1)
      .executeTakeFirstOrThrow();
    await fixture.emulator.control('rename', { itemId: dish.erpId, name: 'Renamed' });
    await fixture.emulator.control('reprice', { menuId: '9001', itemId: dish.erpId, price: 321 });

    const { runId } = await importMenu(fixture, menuId, 'FULL');

    for (const table of SEEN) {
      const [own, all] = await marked(table, 'synchronized_run = run.id', runId);
      expect([table, own]).toEqual([table, all]);
    }
    const written = await Promise.all(
      tables.map(async (table) => [table, (await writtenBy(table, runId))[0]]),
    );
    expect(Object.fromEntries(written)).toEqual({
      mirror_product_category: 0,
      mirror_item: 1,
      mirror_item_size: 0,
      mirror_price: 2,
      mirror_modifier_link: 0,
    });
  });
});

test('[MIR-10] rows are loaded in chunks of 10,000', async () => {
  const rows = function* () {
    for (let number = 1; number <= 25_001; number += 1) yield [number];
  };
  const commands: unknown[] = [];
  let loaded: unknown;
  await fixture.db.copyTransaction(async (real) => {
    await real.query('create temporary table chunk (number int) on commit drop');
    const client = new Proxy(real, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'query' || typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          commands.push(args[0]);
          return value.apply(target, args) as unknown;
        };
      },
    });
    const count = await copyRows(client, 'chunk', ['number'], rows());
    const stored = await real.query('select count(*) as rows, sum(number) as sum from chunk');
    loaded = { count, ...stored.rows[0] };
  });

  expect(loaded).toEqual({ count: 25_001, rows: 25_001, sum: (25_001 * 25_002) / 2 });
  expect(commands).toHaveLength(3);
});
