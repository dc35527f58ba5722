import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { getRun } from '../../../modules/mirror/runs/list-runs.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { deleteRows, saveSetting, selectRows } from '../../support/rows.ts';

const uuid = (tail: number) => `00000000-0000-4000-8000-${String(tail).padStart(12, '0')}`;
const range = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + index);
/** Dishes of all restaurants, of the first only, and of the second only. */
const [OF_ALL, OF_FIRST, OF_SECOND] = [range(1, 40), range(101, 20), range(201, 30)] as const;

describe('[MIR-70] a full run without the rows of one restaurant', () => {
  const fixtures: TestFixture[] = [];
  let fixture: TestFixture;
  let menuId: number;
  let organizations: string[];
  beforeEach(async () => {
    fixture = await mirrorFixture({ growth: { organizations: 3 } });
    fixtures.push(fixture);
    menuId = await importBasics(fixture);
    const rows = await selectRows(
      fixture.db,
      'mirror_organization',
      ['erpId'],
      {},
      { orderBy: 'id', limit: 3 },
    );
    organizations = rows.map(({ erpId }) => erpId);
    await put([...OF_ALL, ...OF_FIRST, ...OF_SECOND]);
    await setThreshold(100);
    await importMenu(fixture, menuId, 'FULL');
    await deleteRows(fixture.db, 'setting', { key: 'sync.shrink_threshold_percent' });
  });
  afterAll(async () => {
    for (const entry of fixtures) await entry.close();
  });

  const setThreshold = (value: number) =>
    saveSetting(fixture.db, 'sync.shrink_threshold_percent', value);
  const listSellers = (dish: number) => {
    if (dish > 200) return organizations.slice(1, 2);
    return dish > 100 ? organizations.slice(0, 1) : organizations;
  };
  const put = (dishes: readonly number[]) =>
    fixture.emulator.control('put-menu', {
      menuId: '9001',
      organizationIds: organizations,
      modifiers: [
        {
          id: uuid(900),
          sku: 'M900',
          name: 'Соус',
          prices: Object.fromEntries(organizations.map((id) => [id, 10])),
        },
      ],
      dishes: dishes.map((dish) => ({
        id: uuid(dish),
        sku: `S${dish}`,
        name: `Dish ${dish}`,
        sizes: [
          { sku: `S${dish}`, prices: Object.fromEntries(listSellers(dish).map((id) => [id, 100])) },
        ],
        groups: [],
      })),
      categories: [{ id: 'c', name: 'C', dishIds: dishes.map(uuid) }],
    });
  const soldBy = async (index: number, among: readonly number[]) => {
    const rows = await fixture.db.query<{ erpId: string }>(
      `select distinct item.erp_id as "erpId" from mirror_item item
         join mirror_item_size size on size.item_id = item.id and size.deleted_at is null
         join mirror_price price on price.item_size_id = size.id and price.lost_at is null
         join mirror_organization organization on organization.id = price.organization_id
         join mirror_item_menu membership on membership.item_id = item.id
         join mirror_item_placement place on place.item_id = item.id
         join mirror_menu_category category on category.id = place.menu_category_id
        where item.deleted_at is null and organization.erp_id = $1`,
      [organizations[index]],
    );
    return rows.filter(({ erpId }) => among.some((dish) => uuid(dish) === erpId)).length;
  };

  test('keeps the dishes that are sold only in the restaurant held back', async () => {
    await put([...OF_ALL, ...OF_SECOND.slice(1)]);
    const { runId } = await importMenu(fixture, menuId, 'FULL');
    const run = await getRun(fixture.db, runId);

    expect(run).toMatchObject({ status: 'SUCCESS', heldBack: [{ what: 'PRICES' }] });
    expect(await soldBy(0, OF_FIRST)).toBe(20);
    expect(await soldBy(1, OF_SECOND)).toBe(29);
    expect(run.items.deleted).toBe(1);
  });

  test('[MIR-44] keeps its notification open while later runs do not check the missing rows', async () => {
    const open = () =>
      selectRows(fixture.db, 'notification', ['subjectId'], {
        kind: 'SUSPICIOUS_SHRINK',
        resolvedAt: null,
      });
    await put([...OF_ALL, ...OF_SECOND]);
    await importMenu(fixture, menuId, 'FULL');
    expect(await open()).toHaveLength(1);

    await importMenu(fixture, menuId, 'INCREMENTAL');
    expect(await open()).toHaveLength(1);

    await put([...OF_ALL, ...OF_FIRST, ...OF_SECOND]);
    await importMenu(fixture, menuId, 'FULL');
    expect(await open()).toEqual([]);
  });

  test('[MIR-88] closes its notification when the prices return, also in an incremental run', async () => {
    const open = () =>
      selectRows(fixture.db, 'notification', ['subjectId'], {
        kind: 'SUSPICIOUS_SHRINK',
        resolvedAt: null,
      });
    await put([...OF_ALL, ...OF_SECOND]);
    await importMenu(fixture, menuId, 'FULL');
    expect(await open()).toHaveLength(1);

    // A quarter of the dishes is missing. That is below the threshold, but the restaurant must be
    // read.
    const back = () => put([...OF_ALL, ...OF_FIRST.slice(5), ...OF_SECOND]);
    await back();
    await fixture.emulator.control('refuse-organization', {
      organizationId: organizations[0],
      status: 403,
    });
    await importMenu(fixture, menuId, 'INCREMENTAL');
    expect(await open()).toHaveLength(1);

    await fixture.emulator.control('accept-organizations', {});
    await back();
    await importMenu(fixture, menuId, 'INCREMENTAL');
    expect(await open()).toEqual([]);
  });

  test.each(['FULL', 'INCREMENTAL'] as const)(
    '[MIR-88] closes the notification of a failed full run after a complete one: %s',
    async (mode) => {
      const open = () =>
        selectRows(fixture.db, 'notification', ['subjectId'], {
          kind: 'SUSPICIOUS_SHRINK',
          resolvedAt: null,
        });
      await put(OF_ALL.slice(0, 5));
      expect((await importMenu(fixture, menuId, 'FULL')).outcome).toMatchObject({
        outcome: 'SUSPICIOUS_SHRINK',
      });
      const raised = await open();
      await put([...OF_ALL, ...OF_FIRST, ...OF_SECOND]);
      await importMenu(fixture, menuId, mode);

      expect([raised.length, await open()]).toEqual([1, []]);
    },
  );

  test.each([403, 400])(
    'keeps the dishes that are sold only in the rejected restaurant: %i',
    async (status) => {
      await fixture.emulator.control('refuse-organization', {
        organizationId: organizations[0],
        status,
      });
      await put([...OF_ALL, ...OF_SECOND.slice(2)]);
      const { runId } = await importMenu(fixture, menuId, 'FULL');

      expect(await soldBy(0, [...OF_FIRST, ...OF_ALL])).toBe(60);
      expect((await getRun(fixture.db, runId)).items.deleted).toBe(2);

      await fixture.emulator.control('accept-organizations', {});
      await setThreshold(100);
      await importMenu(fixture, menuId, 'FULL');
      expect(await soldBy(0, [...OF_FIRST, ...OF_ALL])).toBe(40);
    },
  );
});
