import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { planMenuImport } from '../../../app/mirror/menu/plan-menu-import.ts';
import { importBasics, importMenu, mirrorWorld, type MirrorWorld } from '../../support/mirror.ts';

const ORGANIZATIONS = 105;

type Truth = { sizes: { productId: string; sizeId: string | null; price: number | null }[] };

let world: MirrorWorld;
let menuId: number;
beforeAll(async () => {
  world = await mirrorWorld({ growth: { organizations: ORGANIZATIONS } });
  menuId = await importBasics(world);
});
afterAll(() => world.close());

describe('more than a hundred organizations', () => {
  test('are asked for ten at a time, and the batches become one menu', async () => {
    const runId = await world.open('MENU', { externalMenuId: menuId });
    const plan = await planMenuImport(world.db, { runId, connectionId: world.connectionId, externalMenuId: menuId });
    await world.db.query(`update sync_run set status = 'SKIPPED' where id = $1`, [runId]);

    const run = await importMenu(world, menuId, 'FULL');

    if (plan.outcome !== 'READY') throw new Error(plan.reason);
    expect(plan.batches.map((batch) => batch.length)).toEqual([...Array.from({ length: 10 }, () => 10), 5]);
    expect(run.outcome).toMatchObject({ outcome: 'APPLIED' });
    expect(
      await world.db.query('select organizations, batches, status from sync_run where id = $1', [run.runId]),
    ).toEqual([{ organizations: ORGANIZATIONS, batches: 11, status: 'SUCCESS' }]);
  });

  test('have their own prices each, the first and the last of them', async () => {
    const organizations = await world.db.query<{ id: number; erpId: string }>(
      'select id, erp_id as "erpId" from mirror_organization order by id',
    );
    expect(organizations).toHaveLength(ORGANIZATIONS);
    for (const { id, erpId } of [organizations[0]!, organizations[10]!, organizations[104]!]) {
      const { sizes } = await world.emulator.control<Truth>(`truth?menuId=9001&organizationId=${erpId}`);
      const expected = sizes
        .filter((size) => size.price !== null)
        .map((size) => `${size.productId}/${size.sizeId ?? ''}/${Math.round(size.price! * 100)}`);
      const rows = await world.db.query<{ key: string }>(
        `select item.erp_id || '/' || size.erp_size_id || '/' || price.price_kopecks as key from mirror_price price
           join mirror_item_size size on size.id = price.item_size_id
           join mirror_item item on item.id = size.item_id and item.role = 'DISH'
          where price.organization_id = $1`,
        [id],
      );
      expect(rows.map((row) => row.key).toSorted()).toEqual(expected.toSorted());
    }
  });
});
