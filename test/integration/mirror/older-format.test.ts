import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { applyImport, type Applied } from '../../../modules/mirror/menu/apply-import.ts';
import { digest } from '../../../modules/mirror/menu/fetch-and-stage.ts';
import { stageRows } from '../../../modules/mirror/menu/stage-rows.ts';
import { normalizeMenu } from '../../../modules/mirror/rules/normalize-menu.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { fromOlderMenu, type OlderMenu } from '../../support/older-menu.ts';
import { askEmulator, readOrganizations } from '../../support/raw-menu.ts';
import { selectRows } from '../../support/rows.ts';

const OLDER = '/api/2/menu/by_id';

let fixture: TestFixture;
let menuId: number;
beforeAll(async () => {
  fixture = await mirrorFixture();
  menuId = await importBasics(fixture);
  await importMenu(fixture, menuId, 'FULL');
});
afterAll(() => fixture.close());

const olderMenu = async () =>
  askEmulator<OlderMenu>(fixture.emulator, OLDER, {
    externalMenuId: '9001',
    organizationIds: await readOrganizations(fixture.emulator),
    version: 2,
  });

async function importOlder(): Promise<Applied> {
  const organizations = await selectRows(
    fixture.db,
    'mirror_organization',
    ['id', 'erpId'],
    {},
    { orderBy: 'id' },
  );
  const ids = new Map(organizations.map(({ id, erpId }) => [erpId, id]));
  const menu = normalizeMenu(fromOlderMenu(await olderMenu()), { organizations: ids, digest });
  const runId = await fixture.open('MENU', { externalMenuId: menuId, mode: 'INCREMENTAL' });
  const rows = await stageRows(fixture.db, { runId, batch: 0, attempt: 1 }, menu);
  const { revision, anomalies } = menu;
  const outcome = await applyImport(fixture.deps, {
    runId,
    connectionId: fixture.connectionId,
    externalMenuId: menuId,
    mode: 'INCREMENTAL',
    organizationIds: [...ids.values()],
    fingerprint: 'older format',
    batches: [{ batch: 0, attempt: 1, rows, revision, anomalies }],
  });
  if (outcome.outcome !== 'APPLIED') throw new Error(outcome.outcome);
  return outcome.applied;
}

describe('the format before v3, as a reference', () => {
  test('[MIR-19] produces exactly the same rows as v3', async () => {
    const applied = await importOlder();

    expect(applied.changed).toBe(false);
    expect(applied.counters).toMatchObject({
      categories: { created: 0, updated: 0 },
      items: { created: 0, updated: 0, deleted: 0 },
      prices: { upserted: 0 },
    });
    expect(applied.counters.prices.unchanged).toBeGreaterThan(50);
  });

  test('lacks only modifiers without an offer, because it repeats the others', async () => {
    const run = await fixture.db.db
      .selectFrom('sync_run')
      .select((row) => row.fn.max('id').as('id'))
      .executeTakeFirstOrThrow();
    const unseen = await fixture.db.query<{ role: string; links: number }>(
      `select distinct item.role, (select count(*) from mirror_modifier_link link where link.item_id = item.id) as links
         from mirror_item_menu listed join mirror_item item on item.id = listed.item_id where listed.synchronized_run <> $1`,
      [run.id],
    );

    expect(unseen.filter((entry) => entry.role !== 'MODIFIER' || entry.links > 0)).toEqual([]);
  });

  test('imports a change that v3 then finds unchanged', async () => {
    await fixture.emulator.control('reprice', { menuId: '9001', percent: 7 });
    await fixture.emulator.control('vanish', { menuId: '9001', percent: 5 });

    const older = await importOlder();
    const v3 = await importMenu(fixture, menuId, 'INCREMENTAL');

    expect(older.counters.prices.upserted).toBeGreaterThan(20);
    expect(v3.outcome).toMatchObject({
      applied: { changed: false, counters: { prices: { upserted: 0 } } },
    });
  });

  test('[MIR-19] never occurs in requests of the import', async () => {
    const { calls } = await fixture.emulator.control<{
      calls: { request: { version?: number } }[];
    }>(`calls?endpoint=${OLDER}`);

    expect(calls.length).toBeGreaterThan(0);
    expect(calls.every((call) => call.request.version === 2)).toBe(true);
  });
});
