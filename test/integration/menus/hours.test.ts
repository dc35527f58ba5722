import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { WeeklyHours } from '../../../modules/mirror/rules/weekly-hours.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { explainProduct } from '../../../modules/menus/snapshot/explain-product.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import { patchDueHours } from '../../../modules/menus/snapshot/patch-due-hours.ts';
import { oneDish, snapshotTables } from '../../support/one-dish.ts';
import { addRow, ago, saveSetting, selectRows, updateRows } from '../../support/rows.ts';
import { withShiftedClock } from '../../support/shifted-clock.ts';

const ZONE = 'Asia/Yekaterinburg';
const MINUTE = 60_000;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

let fixture: Awaited<ReturnType<typeof snapshotTables>>;
let place: Awaited<ReturnType<typeof oneDish>>['place'];
let dish: Awaited<ReturnType<typeof oneDish>>['dish'];
beforeAll(async () => {
  fixture = await snapshotTables();
});
afterAll(async () => fixture.database.close());
beforeEach(async () => {
  ({ place, dish } = await oneDish(fixture));
  await updateRows(
    fixture.database.db,
    'mirror_organization',
    { timeZone: ZONE },
    { id: place.organizationId },
  );
});

/** Daily hours from `from` to `to` minutes from now, in the restaurant's time zone. */
function hoursFromNow(from: number, to: number): WeeklyHours {
  const clock = (minutes: number) =>
    Temporal.Now.zonedDateTimeISO(ZONE)
      .add({ minutes })
      .toPlainTime()
      .toString({ smallestUnit: 'minute' });
  return [{ days: EVERY_DAY, from: clock(from), to: clock(to) }];
}
const [NOW, LATER] = [hoursFromNow(-60, 120), hoursFromNow(120, 240)];

const inCategory = (hours: WeeklyHours | null, row = {}) =>
  fixture.rows.placed(place.menuId, dish.itemId, hours === null ? null : [...hours], row);
const build = () => buildSnapshot(fixture.deps, place.organizationId);
async function shown() {
  const [row] = await selectRows(
    fixture.database.db,
    'snapshot',
    ['payload', 'availability', 'revision', 'hoursDueAt'],
    {
      organizationId: place.organizationId,
    },
  );
  const menu = JSON.parse(row!.payload.toString('utf8')) as {
    products: { variants: { available: boolean; hours?: WeeklyHours }[] }[];
  };
  const lists = JSON.parse(row!.availability.toString('utf8')) as {
    unavailableVariantIds: number[];
  };
  const [variant] = menu.products.flatMap((product) => product.variants);
  return { variant, lists, revision: row!.revision, dueAt: row!.hoursDueAt };
}

describe('[SNP-75] a dish in a category with hours', () => {
  test('shows its hours and is available during them', async () => {
    await inCategory(NOW);
    await build();

    const { variant, lists } = await shown();
    expect(variant).toMatchObject({ available: true, hours: NOW });
    expect(lists.unavailableVariantIds).toEqual([]);
  });

  test('shows its hours and is unavailable outside them', async () => {
    await inCategory(LATER);
    await build();

    const { variant, lists } = await shown();
    expect(variant).toMatchObject({ available: false, hours: LATER });
    expect(lists.unavailableVariantIds).toEqual([dish.variantId]);
  });

  test.each<[string, { hours: WeeklyHours | null; row?: object }[], WeeklyHours | undefined]>([
    ['shows no hours if another category has none', [{ hours: LATER }, { hours: null }], undefined],
    ['shows the hours of both categories', [{ hours: LATER }, { hours: [{ days: [1], from: LATER[0]!.from, to: LATER[0]!.to }] }], LATER],
    ['ignores a hidden category without hours', [{ hours: LATER }, { hours: null, row: { is_hidden: true } }], LATER],
  ])('%s', async (_, categories, expected) => {
    for (const { hours, row } of categories) await inCategory(hours, row);
    await build();

    expect((await shown()).variant!.hours).toEqual(expected);
  }); // oxfmt-ignore

  test('stays in a menu that hides stopped dishes', async () => {
    await saveSetting(fixture.database.db, 'stoplist_behaviour', 'HIDE');
    await inCategory(LATER);
    await build();

    expect((await shown()).variant).toMatchObject({ available: false });
    expect(await patchAvailability(fixture.deps, place.organizationId)).toEqual({
      outcome: 'UNCHANGED',
      rebuild: false,
    });
  });

  test('stays available without a time zone', async () => {
    await updateRows(
      fixture.database.db,
      'mirror_organization',
      { timeZone: null },
      { id: place.organizationId },
    );
    await inCategory(LATER);
    await build();

    expect((await shown()).variant).toMatchObject({ available: true, hours: LATER });
  });

  test('[SNP-21] shows staff its hours as the reason', async () => {
    await inCategory(LATER);
    await build();
    const { variants } = await explainProduct(
      fixture.database.db,
      dish.productId,
      place.organizationId,
    );

    expect(variants[0]).toMatchObject({ inMenu: true, available: false, reason: 'IN_HOURS' });
    expect(variants[0]!.facts).toContainEqual(
      expect.objectContaining({
        code: 'IN_HOURS',
        holds: false,
        value: `1,2,3,4,5,6,7 ${LATER[0]!.from}-${LATER[0]!.to}`,
      }),
    );
  });
});

describe('[SNP-76] a published menu with hours', () => {
  const due = () =>
    updateRows(
      fixture.database.db,
      'snapshot',
      { hoursDueAt: ago('1 second') },
      { organizationId: place.organizationId },
    );

  test('changes its availability when hours begin and end, with the same revision', async () => {
    await inCategory(LATER);
    await build();
    const before = await shown();
    const seen: (boolean | undefined)[] = [];
    for (const minutes of [119, 121, 241]) {
      await due();
      await withShiftedClock(minutes * MINUTE, () => patchDueHours(fixture.deps));
      seen.push((await shown()).variant?.available);
    }

    expect(seen).toEqual([false, true, false]);
    expect((await shown()).revision).toBe(before.revision);
  });

  test('becomes due at the next change, or after at most 15 minutes', async () => {
    const minutesUntilDue = async () =>
      Math.round(((await shown()).dueAt!.getTime() - Date.now()) / MINUTE);
    await inCategory(LATER);
    await build();
    const far = await minutesUntilDue();
    await updateRows(fixture.database.db, 'mirror_menu_category', {
      hours: [...hoursFromNow(-60, 5)],
    });
    await build();

    expect(far).toBe(15);
    expect(await minutesUntilDue()).toBeLessThanOrEqual(5);
  });

  test('changes once, and never while nothing is due', async () => {
    await inCategory(LATER);
    await build();
    await due();

    expect(await patchDueHours(fixture.deps)).toEqual({ menusPatched: 1 });
    expect(await patchDueHours(fixture.deps)).toEqual({ menusPatched: 0 });
  });

  test('never becomes due without hours', async () => {
    await inCategory(null);
    await build();

    expect((await shown()).dueAt).toBeNull();
  });

  test('follows a new time zone of staff', async () => {
    await inCategory(NOW);
    await build();
    const before = await shown();
    await addRow(fixture.database.db, 'ordering_config', {
      organizationId: place.organizationId,
      timeZone: 'Asia/Magadan',
    });
    await due();
    await patchDueHours(fixture.deps);

    // In that zone it is six hours later, after these hours.
    expect([before.variant?.available, (await shown()).variant?.available]).toEqual([true, false]);
  });
});
