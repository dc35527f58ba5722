import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { planMenuImport } from '../../../modules/mirror/menu/plan-menu-import.ts';
import { STAGE_TABLES } from '../../../modules/mirror/menu/stage-rows.ts';
import { longTest } from '../../support/repetitions.ts';
import type { Database } from '../../support/text-database.ts';
import { asOwner } from '../../support/database-roles.ts';
import { aTwin } from '../../support/two-menus.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { selectRows, updateRows } from '../../support/rows.ts';

const ORGANIZATIONS = 105;

type Truth = { sizes: { productId: string; sizeId: string | null; price: number | null }[] };

let fixture: TestFixture;
let menuId: number;
beforeAll(async () => {
  fixture = await mirrorFixture({ growth: { organizations: ORGANIZATIONS } });
  menuId = await importBasics(fixture);
});
afterAll(() => fixture.close());

describe('more than a hundred organizations', () => {
  test('[MIR-8] appear in requests of ten, and the batches become one menu', async () => {
    const runId = await fixture.open('MENU', { externalMenuId: menuId });
    const plan = await planMenuImport(fixture.db, {
      runId,
      connectionId: fixture.connectionId,
      externalMenuId: menuId,
    });
    await updateRows(fixture.db, 'sync_run', { status: 'SKIPPED' }, { id: runId });

    const run = await importMenu(fixture, menuId, 'FULL');

    if (plan.outcome !== 'READY') throw new Error(plan.reason);
    expect(plan.batches.map((batch) => batch.length)).toEqual([
      ...Array.from({ length: 10 }, () => 10),
      5,
    ]);
    expect(run.outcome).toMatchObject({ outcome: 'APPLIED' });
    expect(
      await selectRows(fixture.db, 'sync_run', ['organizations', 'batches', 'status'], {
        id: run.runId,
      }),
    ).toEqual([{ organizations: ORGANIZATIONS, batches: 11, status: 'SUCCESS' }]);
  });

  test('receive their own prices, from the first to the last', async () => {
    const organizations = await selectRows(
      fixture.db,
      'mirror_organization',
      ['id', 'erpId'],
      {},
      { orderBy: 'id' },
    );
    expect(organizations).toHaveLength(ORGANIZATIONS);
    for (const { id, erpId } of [organizations[0]!, organizations[10]!, organizations[104]!]) {
      const { sizes } = await fixture.emulator.control<Truth>(
        `truth?menuId=9001&organizationId=${erpId}`,
      );
      const expected = sizes
        .filter((size) => size.price !== null)
        .map((size) => `${size.productId}/${size.sizeId ?? ''}/${Math.round(size.price! * 100)}`);
      const rows = await fixture.db.query<{ key: string }>(
        `select item.erp_id || '/' || size.erp_size_id || '/' || price.price_kopecks as key from mirror_price price
           join mirror_item_size size on size.id = price.item_size_id
           join mirror_item item on item.id = size.item_id and item.role = 'DISH'
          where price.organization_id = $1`,
        [id],
      );
      expect(rows.map((row) => row.key).toSorted()).toEqual(expected.toSorted());
    }
  });

  longTest('[MIR-53] cost no more without database statistics of their menu', async () => {
    const { externalMenuId: other } = await aTwin(fixture, 500);
    const TABLES = [
      'mirror_price',
      'mirror_size_menu',
      'mirror_item_menu',
      'mirror_modifier_group',
    ];
    // Simulates imports of other menus, before this menu is analyzed.
    for (const table of TABLES) {
      await asOwner(
        fixture.db,
        `update ${table} set external_menu_id = $2 where external_menu_id = $1`,
        [menuId, other],
      );
      await asOwner(fixture.db, `analyze ${table}`);
      await asOwner(
        fixture.db,
        `update ${table} set external_menu_id = $1 where external_menu_id = $2`,
        [menuId, other],
      );
    }
    // Statistics show empty staging tables.
    for (const table of STAGE_TABLES) await asOwner(fixture.db, `analyze ${table}`);
    const scans: { table: string; scans: number }[] = [];
    const db: Database = {
      ...fixture.db,
      transaction: (work, options) =>
        fixture.db.transaction(async (tx) => {
          const result = await work(tx);
          scans.push(
            ...(await tx.query<{ table: string; scans: number }>(
              `select relname as table, seq_scan::int as scans from pg_stat_xact_user_tables where schemaname like 'pg_temp%'`,
            )),
          );
          return result;
        }, options),
    };
    await fixture.emulator.control('reprice', { menuId: '9001', percent: 3 });

    const run = await importMenu({ ...fixture, deps: { ...fixture.deps, db } }, menuId, 'FULL');

    expect(run.outcome).toMatchObject({ outcome: 'APPLIED', applied: { changed: true } });
    expect(scans.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['new_price', 'stated_price', 'seen_size']),
    );
    // A few statements may read a whole table, but not once per row of the menu.
    expect(scans.filter((scan) => scan.scans > 20)).toEqual([]);
  });
});
