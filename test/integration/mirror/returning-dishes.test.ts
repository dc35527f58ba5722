import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ImportMode } from '../../../modules/mirror/rules/jobs.ts';
import { applyImport } from '../../../modules/mirror/menu/apply-import.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { aTwin, stagedRun, type OwnedMenu } from '../../support/two-menus.ts';
import { selectRow, updateRows } from '../../support/rows.ts';

const BETTER = { name: 'Name of the better menu', deleted: false };
const WORSE = { name: 'Name of the worse menu', deleted: false };

let fixture: TestFixture;
let better: OwnedMenu;
let worse: OwnedMenu;
let dish: { id: number; erpId: string };
beforeAll(async () => {
  fixture = await mirrorFixture();
  worse = { connectionId: fixture.connectionId, externalMenuId: await importBasics(fixture) };
  await importMenu(fixture, worse.externalMenuId);
  better = await aTwin(fixture, 1);
  const first = await selectRow(
    fixture.db,
    'mirror_item',
    ['id', 'erpId'],
    { role: 'DISH' },
    { orderBy: 'id', limit: 1 },
  );
  dish = first;
});
afterAll(() => fixture.close());

const shown = async () =>
  (
    await fixture.db.db
      .selectFrom('mirror_item')
      .where('id', '=', dish.id)
      .select((row) => ['name', row('deletedAt', 'is not', null).as('deleted')])
      .execute()
  )[0];
const apply = async (menu: OwnedMenu, mode: ImportMode) => {
  const { name } = menu === better ? BETTER : WORSE;
  const { outcome } = await applyImport(
    fixture.deps,
    await stagedRun(fixture, menu, mode, { [dish.erpId]: name }),
  );
  expect(outcome).toBe('APPLIED');
  return shown();
};
const switchBetter = (status: 'ACTIVE' | 'DISABLED') =>
  updateRows(fixture.db, 'connection', { status }, { id: better.connectionId });
/** True if the next run resolves names again, although the ERP's revision is unchanged. */
const settlesAnew = async () =>
  (
    await fixture.db.db
      .selectFrom('mirror_external_menu')
      .where('id', '=', better.externalMenuId)
      .select((row) => row('outrankedBy', 'is', null).as('anew'))
      .executeTakeFirstOrThrow()
  ).anew;

test('[MIR-54] a dish deleted while its best menu was disabled returns with the name in that menu', async () => {
  expect(await apply(better, 'FULL')).toEqual(BETTER);
  expect(await apply(worse, 'FULL')).toEqual(BETTER);
  expect(await settlesAnew()).toBe(false);

  await switchBetter('DISABLED');
  expect(await apply(worse, 'INCREMENTAL')).toEqual(WORSE);
  await fixture.emulator.control('vanish', { menuId: '9001', itemIds: [dish.erpId] });
  expect(await apply(worse, 'FULL')).toMatchObject({ deleted: true });
  await fixture.emulator.control('return', { menuId: '9001' });
  await switchBetter('ACTIVE');

  expect(await apply(worse, 'INCREMENTAL')).toEqual(BETTER);
});

test('[MIR-54] the menu of an enabled connection is fetched completely if another menu deleted its dish', async () => {
  expect(await apply(better, 'FULL')).toEqual(BETTER);
  expect(await settlesAnew()).toBe(false);

  await switchBetter('DISABLED');
  await fixture.emulator.control('vanish', { menuId: '9001', itemIds: [dish.erpId] });
  expect(await apply(worse, 'FULL')).toMatchObject({ deleted: true });
  await fixture.emulator.control('return', { menuId: '9001' });
  await switchBetter('ACTIVE');

  expect(await settlesAnew()).toBe(true);
  expect(await apply(better, 'INCREMENTAL')).toEqual(BETTER);
});
