import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ImportMode } from '../../../modules/mirror/rules/jobs.ts';
import { applyImport } from '../../../modules/mirror/menu/apply-import.ts';
import { importBasics, importMenu, mirrorWorld, type TestWorld } from '../../support/mirror.ts';
import { aTwin, stagedRun, type OwnedMenu } from '../../support/two-menus.ts';
import { selectRow, updateRows } from '../../support/rows.ts';

const BETTER = { name: 'Name of the better menu', deleted: false };
const WORSE = { name: 'Name of the worse menu', deleted: false };

let world: TestWorld;
/** Two menus of two connections that share every dish. */
let better: OwnedMenu;
let worse: OwnedMenu;
let dish: { id: number; erpId: string };
beforeAll(async () => {
  world = await mirrorWorld();
  worse = { connectionId: world.connectionId, externalMenuId: await importBasics(world) };
  await importMenu(world, worse.externalMenuId);
  better = await aTwin(world, 1);
  const first = await selectRow(
    world.db,
    'mirror_item',
    ['id', 'erpId'],
    { role: 'DISH' },
    { orderBy: 'id', limit: 1 },
  );
  dish = first;
});
afterAll(() => world.close());

const shown = async () =>
  (
    await world.db.db
      .selectFrom('mirror_item')
      .where('id', '=', dish.id)
      .select((row) => ['name', row('deletedAt', 'is not', null).as('deleted')])
      .execute()
  )[0];
const apply = async (menu: OwnedMenu, mode: ImportMode) => {
  const { name } = menu === better ? BETTER : WORSE;
  const { outcome } = await applyImport(
    world.deps,
    await stagedRun(world, menu, mode, { [dish.erpId]: name }),
  );
  expect(outcome).toBe('APPLIED');
  return shown();
};
const switchBetter = (status: 'ACTIVE' | 'DISABLED') =>
  updateRows(world.db, 'connection', { status }, { id: better.connectionId });
/**
 * Returns whether the next run of the better menu resolves names again, although the ERP's revision
 * is the same.
 */
const settlesAnew = async () =>
  (
    await world.db.db
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
  await world.emulator.control('vanish', { menuId: '9001', itemIds: [dish.erpId] });
  expect(await apply(worse, 'FULL')).toMatchObject({ deleted: true });
  await world.emulator.control('return', { menuId: '9001' });
  await switchBetter('ACTIVE');

  expect(await apply(worse, 'INCREMENTAL')).toEqual(BETTER);
});

test('[MIR-54] the menu of an enabled connection is fetched completely if another menu deleted its dish', async () => {
  expect(await apply(better, 'FULL')).toEqual(BETTER);
  expect(await settlesAnew()).toBe(false);

  await switchBetter('DISABLED');
  await world.emulator.control('vanish', { menuId: '9001', itemIds: [dish.erpId] });
  expect(await apply(worse, 'FULL')).toMatchObject({ deleted: true });
  await world.emulator.control('return', { menuId: '9001' });
  await switchBetter('ACTIVE');

  expect(await settlesAnew()).toBe(true);
  expect(await apply(better, 'INCREMENTAL')).toEqual(BETTER);
});
