import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { importStopLists } from '../../../modules/mirror/import-stop-lists.ts';
import { importTerminals } from '../../../modules/mirror/import-terminals.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { rawMenu, type RawGroup, type RawMenu, type RawPlace } from '../../support/raw-menu.ts';
import { addRow, countRows, deleteRows, selectRows, updateRows } from '../../support/rows.ts';

// Unexpected properties of live menus. Each case first finds its pattern in the emulator's answer,
// and then checks the mirror.
let fixture: TestFixture;
let menuId: number;
let raw: RawMenu;
beforeAll(async () => {
  fixture = await mirrorFixture({ growth: { organizations: 3 } });
  menuId = await importBasics(fixture);
  await importMenu(fixture, menuId, 'FULL');
  raw = await rawMenu(fixture.emulator);
});
afterAll(() => fixture.close());
beforeEach(() => fixture.emulator.control('reset'));

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  fixture.db.query<T>(sql, params);
const control = (action: string, body: object = {}) =>
  fixture.emulator.control<never>(action, { menuId: '9001', ...body });
const applied = async (mode: 'FULL' | 'INCREMENTAL' = 'INCREMENTAL') => {
  const { outcome, runId } = await importMenu(fixture, menuId, mode);
  if (outcome?.outcome !== 'APPLIED') throw new Error(`not applied: ${outcome?.outcome}`);
  return { ...outcome.applied, runId };
};

const places = (): RawPlace[] =>
  raw.itemsGroups.flatMap((group) => group.items).filter((item) => item.productId !== null);
/** Returns the positions with this pattern. Throws if the fixture has none. */
function found(looksLike: (place: RawPlace) => boolean): RawPlace[] {
  const matching = places().filter(looksLike);
  expect(matching.length).toBeGreaterThan(0);
  return matching;
}
const groupsOf = (place: RawPlace): RawGroup[] => place.modifierGroups ?? [];

const readSizes = (place: RawPlace) =>
  fixture.db.db
    .selectFrom('mirror_item_size as size')
    .innerJoin('mirror_item as item', (join) =>
      join.onRef('item.id', '=', 'size.itemId').on('item.role', '=', 'DISH'),
    )
    .innerJoin('mirror_size_menu as listed', 'listed.itemSizeId', 'size.id')
    .where('item.erpId', '=', place.productId)
    .select(['size.erpSizeId', 'size.isDefault', 'listed.isHidden', 'size.weightGrams as weight'])
    .orderBy('size.id')
    .execute();
const readItem = async (id: string | null) => {
  const rows = await fixture.db.db
    .selectFrom('mirror_item as item')
    .innerJoin('mirror_item_menu as listed', 'listed.itemId', 'item.id')
    .where('item.erpId', '=', id)
    .where('item.role', '=', 'DISH')
    .select(['item.id', 'item.name', 'item.description', 'item.type', 'listed.isHidden'])
    .execute();
  expect(rows).toHaveLength(1);
  return rows[0]!;
};
const mirroredGroups = (place: RawPlace) =>
  query<{
    key: string;
    erpId: string | null;
    name: string;
    isHidden: boolean;
    own: boolean;
    links: string[];
  }>(
    `select stored.group_key as key, stored.erp_id as "erpId", stored.name, stored.is_hidden as "isHidden",
            stored.has_child_restrictions as own,
            coalesce(array_agg(modifier.erp_id::text order by link.position) filter (where modifier.id is not null), '{}') as links
       from mirror_modifier_group stored
       join (select min(size.id) as id from mirror_item_size size join mirror_item item on item.id = size.item_id
              where item.erp_id = $1 and item.role = 'DISH') size on size.id = stored.item_size_id
       left join mirror_modifier_link link on link.modifier_group_id = stored.id
       left join mirror_item modifier on modifier.id = link.item_id
      group by stored.id order by stored.position`,
    [place.productId],
  );

describe('sizes and prices', () => {
  test('[WIRE-4] 4: list everything and sell nothing without a price list', async () => {
    const live = () =>
      fixture.db.db
        .selectFrom('mirror_price')
        .where('lostAt', 'is', null)
        .select((row) => row.fn.countAll<number>().as('count'))
        .execute();
    const before = await live();
    await control('null-prices');

    const refused = await importMenu(fixture, menuId);
    const afterRefusal = await live();
    await addRow(fixture.db, 'setting', { key: 'sync.shrink_threshold_percent', value: 100 });
    const { counters } = await applied();
    await deleteRows(fixture.db, 'setting');

    expect(refused.outcome).toMatchObject({
      outcome: 'SUSPICIOUS_SHRINK',
      percent: 100,
      vanished: 0,
    });
    expect(afterRefusal).toEqual(before);
    expect(counters.items.deleted).toBe(0);
    expect(await live()).toEqual([{ count: 0 }]);
    await control('reset');
    await control('bump-revision');
    await control('bump-revision');
    await applied('FULL');
  });

  test('[WIRE-5] 5: include exactly one size, without an id, for an unsized dish', async () => {
    const [place] = found(
      ({ sizePrices }) => sizePrices?.length === 1 && sizePrices[0]!.sizeId === null,
    );

    expect(await readSizes(place!)).toMatchObject([{ erpSizeId: '' }]);
  });

  test('[WIRE-6] 6: may have no default for a dish of several sizes', async () => {
    const [place] = found(
      ({ sizePrices }) =>
        (sizePrices?.length ?? 0) > 1 && sizePrices!.every((size) => size.isDefault === false),
    );
    const sizes = await readSizes(place!);

    expect(sizes).toHaveLength(place!.sizePrices!.length);
    expect(sizes.map((size) => size.isDefault)).not.toContain(true);
  });

  test('[WIRE-12] 12: come from the price category of the request if one is set', async () => {
    const requests = async () => {
      const { calls } = await fixture.emulator.control<{
        calls: { request: Record<string, unknown> }[];
      }>('calls?endpoint=/api/menu/v3/by_id');
      return calls.at(-1)?.request;
    };
    await applied('FULL');
    const without = await requests();
    const nil = '00000000-0000-0000-0000-000000000000';
    await updateRows(
      fixture.db,
      'external_menu_setting',
      { priceCategoryId: nil },
      { externalMenuId: menuId },
    );
    const base = await applied();
    const withNil = await requests();
    await updateRows(
      fixture.db,
      'external_menu_setting',
      { priceCategoryId: null },
      { externalMenuId: menuId },
    );

    expect(without).not.toHaveProperty('priceCategoryId');
    expect(withNil).toMatchObject({ priceCategoryId: nil });
    // Case 31: the nil uuid is a price category like any other.
    expect(base.counters.prices.upserted).toBe(0);
  });

  test('[WIRE-28] 28: distinguish null, which is not for sale, from the price zero', async () => {
    const priceRows = (place: RawPlace) =>
      fixture.db.db
        .selectFrom('mirror_price as price')
        .innerJoin('mirror_item_size as size', 'size.id', 'price.itemSizeId')
        .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
        .where('item.erpId', '=', place.productId)
        .where('item.role', '=', 'DISH')
        .where('price.lostAt', 'is', null)
        .select((row) => [
          'price.priceKopecks as kopecks',
          row('price.lostAt', 'is', null).as('isLive'),
        ])
        .execute();
    const stated = (place: RawPlace) =>
      (place.sizePrices ?? []).flatMap((size) => size.prices.map((price) => price.price));
    const [free] = found((place) => stated(place).includes(0));
    const [unsold] = found(
      (place) => stated(place).length > 0 && stated(place).every((price) => price === null),
    );

    expect((await priceRows(free!)).map((row) => row.kopecks)).toContain(0);
    expect(await priceRows(unsold!)).toEqual([]);
  });

  test('[WIRE-33] 33: cut long decimals to a milligram, trim names and keep their emoji', async () => {
    const [weighed] = found(({ sizePrices }) =>
      (sizePrices ?? []).some((size) => String(size.weight).length > 8),
    );
    const [padded] = found(({ name }) => name !== name.trim() && name.includes('🔥'));
    const [long] = found(({ description }) => (description ?? '').includes('\r\n'));
    const sizes = await readSizes(weighed!);

    expect(sizes.every((size) => size.weight === null || String(size.weight).length < 9)).toBe(
      true,
    );
    expect((await readItem(padded!.productId)).name).toBe(padded!.name.trim());
    expect((await readItem(long!.productId)).description).toBe(
      long!.description!.replaceAll('\r\n', '\n').trim(),
    );
  });
});

describe('the visibility of a row', () => {
  test('[WIRE-8] 8: stays hidden for items, sizes, groups and links, and a category hides its dishes', async () => {
    const hiddenGroup = raw.itemsGroups.find((group) => group.isHidden === true)!;
    const [inHidden] = hiddenGroup.items.filter(
      (place) =>
        place.productId !== null &&
        places().filter((entry) => entry.productId === place.productId).length === 1,
    );
    const [item] = found((place) => place.isHidden === true);
    const [size] = found(({ sizePrices }) =>
      (sizePrices ?? []).some((price) => price.isHidden === true),
    );
    const [group] = found(
      (place) =>
        (place.sizePrices?.length ?? 0) > 0 &&
        groupsOf(place).some((entry) => entry.isHidden === true),
    );
    const [link] = found(
      (place) =>
        (place.sizePrices?.length ?? 0) > 0 &&
        groupsOf(place).some((entry) =>
          (entry.items ?? []).some((inner) => inner.isHidden === true),
        ),
    );
    const hiddenLinks = await fixture.db.db
      .selectFrom('mirror_modifier_link as link')
      .innerJoin('mirror_modifier_group as stored', 'stored.id', 'link.modifierGroupId')
      .innerJoin('mirror_item_size as bearer', 'bearer.id', 'stored.itemSizeId')
      .innerJoin('mirror_item as item', 'item.id', 'bearer.itemId')
      .where('item.erpId', '=', link!.productId)
      .where('link.isHidden', '=', true)
      .select('link.modifierGroupId')
      .execute();

    expect((await readItem(inHidden!.productId)).isHidden).toBe(true);
    expect((await readItem(item!.productId)).isHidden).toBe(true);
    expect((await readSizes(size!)).some((entry) => entry.isHidden)).toBe(true);
    expect((await mirroredGroups(group!)).map((mirroredGroup) => mirroredGroup.isHidden)).toEqual(
      groupsOf(group!).map((entry) => entry.isHidden === true),
    );
    expect(hiddenLinks.length).toBeGreaterThan(0);
  });
});

describe('the items of a menu', () => {
  test('[WIRE-9] 9 and 34: exist once in several categories, with a position and a picture in each', async () => {
    const [place] = found(({ productId, menuItemId }) =>
      places().some((other) => other.productId === productId && other.menuItemId !== menuItemId),
    );
    const item = await readItem(place!.productId);
    const stored = await selectRows(fixture.db, 'mirror_item_placement', ['menuCategoryId'], {
      itemId: item.id,
    });

    expect(stored).toHaveLength(
      places().filter((other) => other.productId === place!.productId).length,
    );
  });

  test('[WIRE-10] 10: keep unknown values of enumerations as words, and weigh nothing in an unknown unit', async () => {
    const product = raw.products.find((entry) => entry.type === 'SEASONAL');
    const [place] = found((entry) => entry.productId === product?.id);

    expect(await readItem(place!.productId)).toMatchObject({ type: 'SEASONAL' });
    expect((await readSizes(place!)).map((size) => size.weight)).toEqual(
      place!.sizePrices!.map(() => null),
    );
  });

  test('[WIRE-11] 11: ignore undeclared fields', async () => {
    const [place] = found((entry) => 'promoWeight' in entry);

    expect(raw).toHaveProperty('overrideTaxCategories');
    expect(await readItem(place!.productId)).toMatchObject({ name: place!.name.trim() });
  });

  test('[WIRE-29] 29: may be unchanged in a higher revision', async () => {
    await applied('FULL');
    await control('bump-revision');

    expect(await applied()).toMatchObject({ changed: false });
  });

  test('[WIRE-30] 30: stay in a category that was recreated under the same name', async () => {
    await applied('FULL');
    const before = await selectRows(
      fixture.db,
      'mirror_item',
      ['id', 'erpId'],
      {},
      { orderBy: 'id' },
    );
    const moved = (await control('recreate-category')) as {
      categoryId: string;
      newCategoryId: string;
    };
    const dishesIn = (erpId: string) =>
      fixture.db.db
        .selectFrom('mirror_item_placement as place')
        .innerJoin('mirror_menu_category as category', 'category.id', 'place.menuCategoryId')
        .where('category.erpId', '=', erpId)
        .select('place.itemId')
        .orderBy('itemId')
        .execute();
    const dishes = await dishesIn(moved.categoryId);

    const { counters } = await applied('FULL');

    expect(dishes.length).toBeGreaterThan(0);
    expect(await dishesIn(moved.newCategoryId)).toEqual(dishes);
    expect(await dishesIn(moved.categoryId)).toEqual([]);
    expect(counters.items).toEqual({ created: 0, updated: 0, deleted: 0 });
    expect(
      await selectRows(fixture.db, 'mirror_item', ['id', 'erpId'], {}, { orderBy: 'id' }),
    ).toEqual(before);
    await control('reset');
    await control('bump-revision');
    await applied('FULL');
  });

  test('[WIRE-32] 32: survive empty lists with a revision, which are counted, and rejected in a full run', async () => {
    await control('empty-lists', { on: true });
    for (let bumps = 0; bumps < 5; bumps += 1) await control('bump-revision');
    const live = () =>
      fixture.db.db
        .selectFrom('mirror_item')
        .where('deletedAt', 'is', null)
        .select((row) => row.fn.countAll<number>().as('count'))
        .execute();
    const before = await live();

    const incremental = await applied();
    const full = await importMenu(fixture, menuId, 'FULL');

    expect(await live()).toEqual(before);
    expect(
      await selectRows(fixture.db, 'sync_run', ['anomalies'], { id: incremental.runId }),
    ).toEqual([{ anomalies: [{ code: 'EMPTY_MENU', count: 1, samples: ['9001'] }] }]);
    expect(full.outcome).toMatchObject({ outcome: 'SUSPICIOUS_SHRINK', percent: 100 });
  });

  test('[MIR-52] exclude combos, which the run names because their components have other prices', async () => {
    const combos = raw.itemsGroups
      .flatMap((group) => group.items)
      .filter((item) => item.itemType === 'COMBO');

    expect(combos.length).toBeGreaterThan(0);
    expect(
      await countRows(fixture.db, 'mirror_item', { name: combos.map((combo) => combo.name) }),
    ).toBe(0);
    const runs = await selectRows(
      fixture.db,
      'sync_run',
      ['anomalies'],
      { status: 'SUCCESS', mode: 'FULL' },
      { orderBy: 'id' },
    );
    const [told] = runs
      .flatMap((run) => run.anomalies)
      .filter((anomaly) => anomaly.code === 'COMBO_LEFT_OUT');
    expect(told?.samples.toSorted()).toEqual(
      combos
        .map((combo) => combo.name.trim())
        .slice(0, 3)
        .toSorted(),
    );
  });
});

describe('the modifier groups of a dish', () => {
  test('[WIRE-7, WIRE-27] 7 and 27: keep their own composition without an id', async () => {
    const [place] = found(
      (entry) =>
        (entry.sizePrices?.length ?? 0) > 0 &&
        groupsOf(entry).filter((group) => group.id === null).length >
          new Set(groupsOf(entry).flatMap((group) => (group.id === null ? [group.name] : []))).size,
    );
    const stored = await mirroredGroups(place!);

    expect(stored.map(({ name, erpId, links }) => ({ name, erpId, links }))).toEqual(
      groupsOf(place!).map(({ name, id, items }) => ({
        name,
        erpId: id,
        links: (items ?? []).map((link) => link.id),
      })),
    );
    expect(new Set(stored.map((group) => group.key)).size).toBe(stored.length);
  });

  test('[WIRE-26] 26: need childModifiersHaveMinMaxRestrictions for limits; default 1, maximum 0 is kept', async () => {
    const odd = found(
      ({ modifierGroups, sizePrices }) =>
        (sizePrices?.length ?? 0) > 0 &&
        (modifierGroups ?? []).some((group) =>
          (group.items ?? []).some(
            (link) =>
              link.restrictions?.defaultQuantity === 1 && link.restrictions.maxQuantity === 0,
          ),
        ),
    )[0]!;
    const links = await query(
      `select stored.has_child_restrictions as own, link.max_quantity as max, link.default_quantity as default
         from mirror_modifier_link link join mirror_modifier_group stored on stored.id = link.modifier_group_id
         join mirror_item_size size on size.id = stored.item_size_id join mirror_item item on item.id = size.item_id
        where item.erp_id = $1 and link.default_quantity = 1 and link.max_quantity = 0`,
      [odd.productId],
    );

    expect(links.length).toBeGreaterThan(0);
    expect((await mirroredGroups(odd)).map((group) => group.own)).toEqual(
      groupsOf(odd).map((group) => group.childModifiersHaveMinMaxRestrictions === true),
    );
  });

  test('[WIRE-34] 34: may have no modifiers and no links', async () => {
    const [place] = found(
      (entry) =>
        (entry.sizePrices?.length ?? 0) > 0 &&
        groupsOf(entry).some((group) => (group.items ?? []).length === 0),
    );

    expect((await mirroredGroups(place!)).map((group) => group.links.length)).toContain(0);
  });
});

describe('the other lists of the ERP', () => {
  const run = async <T>(
    job: 'STOP_LIST' | 'TERMINALS',
    work: (run: { runId: number; connectionId: number }) => Promise<T>,
  ) => {
    const runId = await fixture.open(job);
    const result = await work({ runId, connectionId: fixture.connectionId });
    await closeRun(fixture.deps, { runId, status: 'SUCCESS', reason: null });
    return result;
  };

  test('[WIRE-13, WIRE-14] 13 and 14: contain modifiers in a stop-list, with fractional balances', async () => {
    await run('STOP_LIST', (input) => importStopLists(fixture.deps, input));

    expect(
      (
        await fixture.db.db
          .selectFrom('mirror_stop_list as stop')
          .innerJoin('mirror_item as item', 'item.erpId', 'stop.itemErpId')
          .select('item.role')
          .distinct()
          .orderBy('role')
          .execute()
      ).map((row) => row.role),
    ).toEqual(['DISH', 'MODIFIER']);
    expect(
      (
        await fixture.db.db
          .selectFrom('mirror_stop_list')
          .select('balance')
          .distinct()
          .orderBy('balance')
          .execute()
      ).map((row) => row.balance),
    ).toEqual([0, 3.5]);
  });

  test('[WIRE-31] 31: may contain an offset as time zone', async () => {
    await run('TERMINALS', (input) => importTerminals(fixture.deps, input));

    expect(
      await selectRows(
        fixture.db,
        'mirror_organization',
        ['timeZone as zone'],
        {},
        { orderBy: 'id' },
      ),
    ).toMatchObject([
      { zone: 'Europe/Moscow' },
      { zone: 'Europe/Moscow' },
      { zone: expect.stringMatching(/^(\+03:00|Etc\/GMT-3)$/) },
    ]);
  });

  test('23: end with a server error and its status for an HTML page of a gateway', async () => {
    await control('fault', { kind: '502-html', endpoint: '/api/menu/v3/by_id' });

    await expect(importMenu(fixture, menuId, 'FULL')).rejects.toMatchObject({
      kind: 'SERVER',
      status: 502,
      retryable: true,
    });
  });
});
