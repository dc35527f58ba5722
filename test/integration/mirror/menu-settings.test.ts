import type { ExternalMenuEdit } from '../../../modules/mirror/schemas/mirror.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { updateExternalMenu } from '../../../modules/mirror/external-menus.ts';
import { importMenuList } from '../../../modules/mirror/import-menu-list.ts';
import { applyImport } from '../../../modules/mirror/menu/apply-import.ts';
import { planMenuImport } from '../../../modules/mirror/menu/plan-menu-import.ts';
import { testActor } from '../../support/connection.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { asksWithRevision, aTwin, stagedRun, type OwnedMenu } from '../../support/two-menus.ts';
import { databaseNow, selectRow, selectRows, updateRows } from '../../support/rows.ts';

// Settings take effect although the ERP's revision does not change.
let fixture: TestFixture;
let menu: OwnedMenu;
let twin: OwnedMenu;
let organizations: { id: number }[];
let dish: { erpId: string; name: string };
beforeAll(async () => {
  fixture = await mirrorFixture();
  menu = { connectionId: fixture.connectionId, externalMenuId: await importBasics(fixture) };
  organizations = await selectRows(
    fixture.db,
    'mirror_organization',
    ['id'],
    {},
    { orderBy: 'id' },
  );
  await importMenu(fixture, menu.externalMenuId);
  [dish] = (await selectRows(
    fixture.db,
    'mirror_item',
    ['erpId', 'name'],
    { role: 'DISH' },
    { orderBy: 'id', limit: 1 },
  )) as [typeof dish];
});
afterAll(() => fixture.close());

async function set(
  { externalMenuId }: OwnedMenu,
  change: Omit<ExternalMenuEdit, 'version'>,
): Promise<void> {
  const [setting] = await selectRows(fixture.db, 'external_menu_setting', ['version'], {
    externalMenuId,
  });
  await updateExternalMenu({ db: fixture.db }, testActor, externalMenuId, {
    version: setting?.version ?? 0,
    ...change,
  });
}
const nextRun = () => importMenu(fixture, menu.externalMenuId, 'INCREMENTAL');
const prices = () =>
  fixture.db.db
    .selectFrom('mirror_price')
    .where('externalMenuId', '=', menu.externalMenuId)
    .select((row) => [
      'organizationId as organization',
      row.fn.sum<number>('priceKopecks').as('sum'),
    ])
    .groupBy('organizationId')
    .orderBy('organization')
    .execute();
const shown = async () => {
  const [row] = await fixture.db.db
    .selectFrom('mirror_item')
    .where('erpId', '=', dish.erpId)
    .where('role', '=', 'DISH')
    .select((row) => ['name', row('deletedAt', 'is not', null).as('deleted')])
    .execute();
  return row;
};

describe('the settings of a menu in its next incremental run with an equal revision', () => {
  test('[MIR-16] select the prices of a price category, or the base prices for null', async () => {
    const base = await prices();
    const category = await selectRow(fixture.db, 'mirror_price_category', ['erpId'], {
      name: 'Самовывоз',
    });
    await set(menu, { priceCategoryId: category.erpId });

    const cheaper = await nextRun();
    const reduced = await prices();
    const again = await nextRun();
    await set(menu, { priceCategoryId: null });
    await nextRun();

    expect([cheaper.skipped, again.skipped]).toEqual([false, true]);
    expect(reduced.every(({ sum }, index) => sum < base[index]!.sum)).toBe(true);
    expect(await prices()).toEqual(base);
  });

  test('[MIR-16] remove the prices of an organization removed from the menu, until it is added again', async () => {
    const before = await prices();
    await set(menu, { organizationIds: [organizations[0]!.id] });

    await nextRun();
    const narrowed = await prices();
    await set(menu, { organizationIds: null });
    await nextRun();

    expect(before).toHaveLength(2);
    expect(narrowed).toEqual(before.slice(0, 1));
    expect(await prices()).toEqual(before);
  });

  test('keep the prices of an organization that is inactive for a while', async () => {
    const before = await prices();
    const inactive = (inactiveAt: Date | null) =>
      updateRows(fixture.db, 'mirror_organization', { inactiveAt }, { id: organizations[1]!.id });
    await inactive(new Date());

    await nextRun();
    await importMenu(fixture, menu.externalMenuId, 'FULL');
    const meanwhile = await prices();
    await inactive(null);

    expect(meanwhile).toEqual(before);
    expect((await nextRun()).skipped).toBe(false);
  });

  test('request the asynchronous mode', async () => {
    const plan = async () => {
      const runId = await fixture.open('MENU', { ...menu, mode: 'INCREMENTAL' });
      return planMenuImport(fixture.db, { runId, ...menu });
    };
    await set(menu, { isAsync: true });
    const asynchronous = await plan();
    await set(menu, { isAsync: false });

    expect([asynchronous, await plan()]).toMatchObject([{ isAsync: true }, { isAsync: false }]);
  });

  test('decide by priority which menu names a dish, and become stable', async () => {
    twin = await aTwin(fixture, 200);
    await applyImport(
      fixture.deps,
      await stagedRun(fixture, twin, 'FULL', { [dish.erpId]: 'Name of the twin' }),
    );
    const withWorse = await shown();
    const quiet = await asksWithRevision(fixture, menu);
    await set(twin, { priority: 1 });
    const asked = await asksWithRevision(fixture, twin).catch(() => false);
    await applyImport(
      fixture.deps,
      await stagedRun(fixture, twin, 'INCREMENTAL', { [dish.erpId]: 'Name of the twin' }),
    );
    const withBetter = await shown();
    const before = await asksWithRevision(fixture, menu);
    await nextRun();
    const settled = await asksWithRevision(fixture, menu);
    await set(twin, { priority: 200 });

    expect(withWorse).toEqual({ name: dish.name, deleted: false });
    expect(withBetter).toEqual({ name: 'Name of the twin', deleted: false });
    // The menu that lost its rank requests everything once.
    expect({ quiet, asked, before, settled }).toEqual({
      quiet: true,
      asked: false,
      before: false,
      settled: true,
    });
    expect((await nextRun()).skipped).toBe(false);
    expect(await shown()).toEqual({ name: dish.name, deleted: false });
  });

  test('restore the names of a menu that regains its rank before its next run', async () => {
    await set(twin, { priority: 1 });
    await applyImport(
      fixture.deps,
      await stagedRun(fixture, twin, 'INCREMENTAL', { [dish.erpId]: 'Name of the twin' }),
    );
    await set(twin, { priority: 200 });
    await nextRun();
    const named = await shown();
    await set(twin, { priority: 1 });

    const [row] = await selectRows(fixture.db, 'mirror_external_menu', ['outrankedBy as known'], {
      id: twin.externalMenuId,
    });
    await applyImport(
      fixture.deps,
      await stagedRun(fixture, twin, 'INCREMENTAL', { [dish.erpId]: 'Name of the twin' }),
    );
    const settled = await shown();
    await set(twin, { priority: 200 });
    await nextRun();

    expect(named?.name).toBe(dish.name);
    // The list of higher-priority menus is not stored, so the next run requests everything.
    expect(row).toEqual({ known: null });
    expect(settled?.name).toBe('Name of the twin');
  });

  test('disable a menu but keep its rows, and restore deleted dishes when it is enabled', async () => {
    const rows = () =>
      fixture.db.db
        .selectFrom('mirror_item_menu')
        .where('externalMenuId', '=', menu.externalMenuId)
        .select((row) => row.fn.countAll<number>().as('count'))
        .execute();
    const before = await rows();
    await set(menu, { isEnabled: false });
    await expect(nextRun()).rejects.toThrow('MENU_DISABLED');
    await fixture.emulator.control('vanish', {
      menuId: '9001',
      itemIds: [dish.erpId],
      bump: false,
    });
    await applyImport(fixture.deps, await stagedRun(fixture, twin, 'FULL'));
    const off = await shown();
    await fixture.emulator.control('return', { menuId: '9001', bump: false });
    const kept = await rows();
    await set(menu, { isEnabled: true });

    const on = await nextRun();

    expect(off).toMatchObject({ deleted: true });
    expect(kept).toEqual(before);
    expect(on.skipped).toBe(false);
    expect(await shown()).toEqual({ name: dish.name, deleted: false });
  });

  test('request a menu completely that the ERP lists again', async () => {
    await nextRun();
    const quiet = await asksWithRevision(fixture, menu);
    await updateRows(
      fixture.db,
      'mirror_external_menu',
      { inactiveAt: databaseNow() },
      { id: menu.externalMenuId },
    );
    await importMenuList(fixture.deps, {
      runId: await fixture.open('MENU_LIST'),
      connectionId: fixture.connectionId,
    });

    expect([quiet, await asksWithRevision(fixture, menu)]).toEqual([true, false]);
  });
});

test('a menu that is disabled during its import is not applied', async () => {
  await fixture.emulator.control('reprice', { menuId: '9001', percent: 10 });
  const input = await stagedRun(fixture, menu, 'FULL');
  const before = await prices();
  await set(menu, { isEnabled: false });

  const outcome = await applyImport(fixture.deps, input);

  await set(menu, { isEnabled: true });
  expect(outcome).toEqual({ outcome: 'NOT_IMPORTED', reason: 'MENU_DISABLED' });
  expect(await prices()).toEqual(before);
});
