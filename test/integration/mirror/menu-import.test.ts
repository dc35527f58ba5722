import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listErpItems } from '../../../modules/binding/erp-items.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import {
  above,
  addRow,
  countRows,
  deleteRows,
  not,
  plus,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';
import type { CarteEvents } from '../../../kernel/pure/events.ts';

/** Every menu of the emulator has three combos. */
const COMBOS = {
  code: 'COMBO_LEFT_OUT',
  count: expect.any(Number),
  samples: Array(3).fill(expect.stringMatching(/^Комбо /)),
};

let fixture: TestFixture;
let menuId: number;
let organizations: { id: number; erpId: string }[];
beforeAll(async () => {
  fixture = await mirrorFixture();
  menuId = await importBasics(fixture);
  organizations = await selectRows(
    fixture.db,
    'mirror_organization',
    ['id', 'erpId'],
    {},
    { orderBy: 'id' },
  );
});
afterAll(() => fixture.close());

const control = (path: string, body: object = {}) =>
  fixture.emulator.control<never>(path, { menuId: '9001', ...body });
const counters = async (mode?: 'FULL' | 'INCREMENTAL') => {
  const { outcome } = await importMenu(fixture, menuId, mode);
  if (outcome?.outcome !== 'APPLIED') throw new Error(`not applied: ${outcome?.outcome}`);
  return outcome.applied;
};
const one = async <T extends object>(sql: string, params: unknown[] = []): Promise<T> => {
  const [row] = await fixture.db.query<T>(sql, params);
  if (row === undefined) throw new Error(`no row: ${sql}`);
  return row;
};
/** Counts the row versions that a run wrote, per mirror table. */
const versions = () =>
  fixture.db.query<{ table: string; rows: string }>(
    `select t as table, xpath_rows as rows from (values ${MIRROR_TABLES.map((name) => `('${name}')`).join(', ')}) as names (t)
       cross join lateral (select (xpath('/row/v/text()', query_to_xml(format(
         'select coalesce(string_agg(xmin::text || ctid::text, '','' order by ctid), '''') as v from %I', t), false, true, '')))[1]::text as xpath_rows) v`,
  );
const MIRROR_TABLES = [
  'mirror_item',
  'mirror_item_menu',
  'mirror_item_placement',
  'mirror_item_size',
  'mirror_size_menu',
  'mirror_price',
  'mirror_modifier_group',
  'mirror_modifier_link',
  'mirror_menu_category',
  'mirror_product_category',
  'mirror_external_menu',
];

describe('the import of an external menu', () => {
  test('[MIR-7] equals the ERP the first time: sizes and modifiers with prices per organization', async () => {
    const applied = await counters();

    expect(applied.changed).toBe(true);
    for (const { id, erpId } of organizations) {
      const truth = await fixture.emulator.control<EmulatorTruth>(
        `truth?menuId=9001&organizationId=${erpId}`,
      );
      const mirrored = await fixture.db.query<MirroredRow>(
        `select item.erp_id as "erpId", item.role, size.erp_size_id as "sizeId", price.price_kopecks as "kopecks",
                membership.is_hidden or listed.is_hidden as hidden, item.name, size.sku
           from mirror_item item join mirror_item_size size on size.item_id = item.id
           join mirror_item_menu membership on membership.item_id = item.id and membership.external_menu_id = $1
           join mirror_size_menu listed on listed.item_size_id = size.id and listed.external_menu_id = $1
           left join mirror_price price on price.item_size_id = size.id and price.organization_id = $2 and price.lost_at is null`,
        [menuId, id],
      );
      const expected = [
        ...truth.sizes.map((size) => ({ ...size, erpId: size.productId, role: 'DISH' })),
        ...truth.modifiers.map((modifier) => ({
          ...modifier,
          erpId: modifier.id,
          role: 'MODIFIER',
          sizeId: null,
        })),
      ].map(({ erpId: item, role, sizeId, price, hidden, name, sku }) => ({
        erpId: item,
        role,
        sizeId: sizeId ?? '',
        kopecks: price === null ? null : Math.round(price * 100),
        hidden,
        name: name.trim(),
        sku,
      }));
      expect(sorted(mirrored)).toEqual(sorted(expected));
    }
  });

  test('[BND-20] adds new dishes to triage', async () => {
    const filter = { triage: 'NEW', sort: [], limit: 1, offset: 0 } as const;
    const count = await countRows(fixture.db, 'mirror_item', { role: 'DISH' });
    expect(count).toBeGreaterThan(10);
    expect(await listErpItems(fixture.db, filter)).toMatchObject({
      total: count,
      items: [{ triage: 'NEW' }],
    });
  });

  test('[MIR-3] ends as SKIPPED for an unchanged revision, without mirror row or event', async () => {
    const before = await versions();
    const events = await fixture.db.db
      .selectFrom('outbox')
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();

    const run = await importMenu(fixture, menuId);

    expect(run.skipped).toBe(true);
    expect(await versions()).toEqual(before);
    expect(
      await fixture.db.db
        .selectFrom('outbox')
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    ).toEqual(events);
    expect(
      await selectRow(fixture.db, 'sync_run', ['status', 'reason'], { id: run.runId }),
    ).toEqual({
      status: 'SKIPPED',
      reason: 'UNCHANGED',
    });
  });

  test('[MIR-9] writes only run marks for a higher revision without changes, and marks no menu as outdated', async () => {
    const watched = `select (select string_agg(xmin::text, ',' order by id) from mirror_item) as items,
      (select string_agg(xmin::text, ',' order by id) from mirror_item_size) as sizes,
      (select string_agg(xmin::text, ',' order by item_size_id, organization_id) from mirror_price) as prices,
      (select string_agg(xmin::text, ',' order by modifier_group_id, item_id) from mirror_modifier_link) as links,
      (select count(*) from outbox) as events, (select sum(dirty_seq) from snapshot_request) as dirty`;
    const before = await one<{ events: number }>(watched);
    await control('bump-revision');

    const applied = await counters();

    expect(applied).toMatchObject({
      changed: false,
      counters: { items: { created: 0, updated: 0, deleted: 0 }, prices: { upserted: 0 } },
    });
    expect(await one(watched)).toEqual({ ...before, events: before.events + 1 });
    expect(
      await one(`select payload -> 'changed' as changed from outbox order by id desc limit 1`),
    ).toEqual({
      changed: false,
    });
    const { runs } = await one<{ runs: number }>(
      'select count(distinct synchronized_run) as runs from mirror_item_menu where external_menu_id = $1',
      [menuId],
    );
    expect(runs).toBe(1);
  });

  test('[MIR-4] writes only a new price, with an event, and marks the menus as outdated', async () => {
    const size = await fixture.db.db
      .selectFrom('mirror_price as price')
      .innerJoin('mirror_item_size as size', (join) =>
        join.onRef('size.id', '=', 'price.itemSizeId').on('size.erpSizeId', '=', ''),
      )
      .innerJoin('mirror_item as item', (join) =>
        join.onRef('item.id', '=', 'size.itemId').on('item.role', '=', 'DISH'),
      )
      .where('price.organizationId', '=', organizations[0]!.id)
      .where('price.priceKopecks', '>', 0)
      .select(['item.erpId', 'price.priceKopecks as kopecks'])
      .limit(1)
      .executeTakeFirstOrThrow();
    const dirty = await selectRow(fixture.db, 'snapshot_request', ['dirtySeq as seq'], {
      organizationId: organizations[0]!.id,
    });
    await control('reprice', {
      itemId: size.erpId,
      organizationId: organizations[0]!.erpId,
      price: 777.77,
    });

    const applied = await counters();

    expect(applied.counters.prices.upserted).toBe(1);
    expect(
      await selectRow(fixture.db, 'snapshot_request', ['dirtySeq as seq'], {
        organizationId: organizations[0]!.id,
      }),
    ).toEqual({ seq: dirty.seq + 1 });
    const event = await selectRow(
      fixture.db,
      'outbox',
      ['payload'],
      { event: 'ErpMenuImported' },
      { orderBy: 'id desc', limit: 1 },
    );
    const payload = event.payload as CarteEvents['ErpMenuImported'];
    expect(payload).toMatchObject({
      externalMenuId: menuId,
      mode: 'INCREMENTAL',
      revision: applied.revision,
    });
    expect(payload.organizationIds.toSorted((a, b) => a - b)).toEqual(
      organizations.map((organization) => organization.id),
    );
  });

  test('keeps a price that becomes null, with lost_at, until it returns', async () => {
    const { erpId } = await fixture.db.db
      .selectFrom('mirror_price as price')
      .innerJoin('mirror_item_size as size', 'size.id', 'price.itemSizeId')
      .innerJoin('mirror_item as item', (join) =>
        join.onRef('item.id', '=', 'size.itemId').on('item.role', '=', 'DISH'),
      )
      .where('price.lostAt', 'is', null)
      .where('price.priceKopecks', '>', 0)
      .select('item.erpId')
      .orderBy('item.id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const prices = () =>
      fixture.db.db
        .selectFrom('mirror_price as price')
        .innerJoin('mirror_item_size as size', 'size.id', 'price.itemSizeId')
        .innerJoin('mirror_item as item', (join) =>
          join.onRef('item.id', '=', 'size.itemId').on('item.role', '=', 'DISH'),
        )
        .where('item.erpId', '=', erpId)
        .select((row) => [
          'price.priceKopecks as kopecks',
          row('price.lostAt', 'is not', null).as('lost'),
        ])
        .orderBy('price.itemSizeId')
        .orderBy('price.organizationId')
        .execute();
    const before = await prices();
    await control('null-prices', { itemIds: [erpId] });

    const lost = await counters();
    const afterLoss = await prices();
    await control('reprice', { itemId: erpId, price: 5 });
    await counters();

    expect(lost.changed).toBe(true);
    expect(afterLoss).toEqual(before.map(({ kopecks }) => ({ kopecks, lost: true })));
    expect(
      new Set((await prices()).map(({ kopecks, lost: isLost }) => `${kopecks} ${isLost}`)),
    ).toEqual(new Set(['500 false']));
  });

  test.each([-1, 1_000_000_000.01])(
    '[MIR-39] affects only its dish by a price of %d, which keeps the last price with lost_at',
    async (price) => {
      const { broken, fine } = await one<{ broken: string; fine: string }>(
        `select min(erp_id::text) as broken, max(erp_id::text) as fine from mirror_item where role = 'DISH' and deleted_at is null
          and id in (select size.item_id from mirror_price price join mirror_item_size size on size.id = price.item_size_id
                      where price.lost_at is null)`,
      );
      await control('reprice', { itemId: broken, price: 400 });
      await counters();
      await control('reprice', { itemId: broken, price });
      await control('reprice', { itemId: fine, price: 123.45 });
      const prices = (erpId: string) =>
        fixture.db.db
          .selectFrom('mirror_price as price')
          .innerJoin('mirror_item_size as size', 'size.id', 'price.itemSizeId')
          .innerJoin('mirror_item as item', (join) =>
            join.onRef('item.id', '=', 'size.itemId').on('item.role', '=', 'DISH'),
          )
          .where('item.erpId', '=', erpId)
          .select((row) => [
            'price.priceKopecks as kopecks',
            row('price.lostAt', 'is not', null).as('isLost'),
          ])
          .distinct()
          .execute();

      const { runId, outcome } = await importMenu(fixture, menuId);

      expect(outcome).toMatchObject({ outcome: 'APPLIED' });
      expect([await prices(broken), await prices(fine)]).toEqual([
        [{ kopecks: 40_000, isLost: true }],
        [{ kopecks: 12_345, isLost: false }],
      ]);
      expect(
        (await selectRow(fixture.db, 'sync_run', ['anomalies'], { id: runId })).anomalies,
      ).toEqual([COMBOS, { code: 'INVALID_PRICE', count: expect.any(Number), samples: [broken] }]);
      await control('reprice', { itemId: broken, price: 5 });
      await counters();
      expect(await prices(broken)).toEqual([{ kopecks: 500, isLost: false }]);
    },
  );

  test('[MIR-11] keeps missing rows until a full run deletes them, and restores them with their prices', async () => {
    const live = () =>
      fixture.db.db
        .selectFrom('mirror_item')
        .where('deletedAt', 'is', null)
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
    const before = await live();
    const { itemIds } = (await control('vanish', { percent: 10 })) as { itemIds: string[] };

    await counters('INCREMENTAL');
    const afterIncremental = await live();
    const full = await counters('FULL');
    const afterFull = await live();
    const stillPriced = await fixture.db.db
      .selectFrom('mirror_price as price')
      .innerJoin('mirror_item_size as size', 'size.id', 'price.itemSizeId')
      .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
      .where('item.deletedAt', 'is not', null)
      .where('price.lostAt', 'is', null)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    await control('return');
    const returned = await counters('INCREMENTAL');

    expect(afterIncremental).toEqual(before);
    expect(full.counters.items.deleted).toBe(itemIds.length);
    expect(afterFull.count).toBe(before.count - itemIds.length);
    expect(stillPriced).toEqual({ count: 0 });
    expect(returned.counters.items).toEqual({ created: 0, updated: itemIds.length, deleted: 0 });
    expect(await live()).toEqual(before);
    expect(
      await countRows(fixture.db, 'mirror_price', { lostAt: not(null), priceKopecks: above(0) }),
    ).toBe(0);
  });

  test('[MIR-12] fails and deletes nothing if more rows are missing than the threshold', async () => {
    await control('vanish', { percent: 40 });
    const before = await versions();

    const { runId, outcome } = await importMenu(fixture, menuId, 'FULL');

    expect(outcome).toMatchObject({ outcome: 'SUSPICIOUS_SHRINK', thresholdPercent: 30 });
    expect(await versions()).toEqual(before);
    expect(await selectRow(fixture.db, 'sync_run', ['status', 'reason'], { id: runId })).toEqual({
      status: 'FAILED',
      reason: 'SUSPICIOUS_SHRINK',
    });
    await control('return');
    await counters();
  });

  test('[MIR-12] uses the threshold of the setting', async () => {
    await addRow(fixture.db, 'setting', { key: 'sync.shrink_threshold_percent', value: 5 });
    await control('vanish', { percent: 10 });

    const { outcome } = await importMenu(fixture, menuId, 'FULL');

    expect(outcome).toMatchObject({ outcome: 'SUSPICIOUS_SHRINK', thresholdPercent: 5 });
    await deleteRows(fixture.db, 'setting');
    await control('return');
    await counters();
  });

  test('[MIR-15] omits and counts an unknown organization in the answer', async () => {
    await control('unknown-organization', { on: true });
    await control('bump-revision');

    const { runId } = await importMenu(fixture, menuId);

    await control('unknown-organization', { on: false });
    const { anomalies } = await selectRow(fixture.db, 'sync_run', ['anomalies'], { id: runId });
    expect(anomalies).toEqual([
      COMBOS,
      { code: 'UNKNOWN_ORGANIZATION', count: 1, samples: ['0badcafe-0000-4000-8000-00000000dead'] },
    ]);
  });

  test('counts an older revision and imports it', async () => {
    await updateRows(
      fixture.db,
      'mirror_external_menu',
      { revision: plus('revision', 100) },
      { id: menuId },
    );

    const { runId } = await importMenu(fixture, menuId);

    const run = await one<{ anomalies: { code: string }[]; from: number; to: number }>(
      'select anomalies, revision_from as from, revision_to as to from sync_run where id = $1',
      [runId],
    );
    expect(run.anomalies.map((anomaly) => anomaly.code)).toEqual([
      'COMBO_LEFT_OUT',
      'REVISION_OLDER',
    ]);
    expect(run.to).toBe(run.from - 100);
  });

  test('sends no revision after a change of the request', async () => {
    await updateRows(
      fixture.db,
      'external_menu_setting',
      { organizationIds: [organizations[0]!.id] },
      { externalMenuId: menuId },
    );

    const narrowed = await importMenu(fixture, menuId);
    const again = await importMenu(fixture, menuId);
    await updateRows(
      fixture.db,
      'external_menu_setting',
      { organizationIds: null },
      { externalMenuId: menuId },
    );
    const widened = await importMenu(fixture, menuId);

    expect([narrowed.skipped, again.skipped, widened.skipped]).toEqual([false, true, false]);
  });
});

type MirroredRow = {
  erpId: string;
  role: string;
  sizeId: string;
  kopecks: number | null;
  hidden: boolean;
  name: string;
  sku: string | null;
};
type EmulatorTruth = {
  sizes: {
    productId: string;
    sizeId: string | null;
    price: number | null;
    hidden: boolean;
    name: string;
    sku: string;
  }[];
  modifiers: { id: string; price: number | null; hidden: boolean; name: string; sku: string }[];
};
const sorted = (rows: readonly MirroredRow[]) =>
  rows.toSorted((a, b) =>
    `${a.erpId}${a.role}${a.sizeId}`.localeCompare(`${b.erpId}${b.role}${b.sizeId}`),
  );
