import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connectionHealth } from '../../../modules/connections/connection-health.ts';
import { importOrganizations } from '../../../modules/mirror/import-organizations.ts';
import { importStopLists } from '../../../modules/mirror/import-stop-lists.ts';
import { importTerminals } from '../../../modules/mirror/import-terminals.ts';
import {
  hasDirtyStopLists,
  markStopListsDirty,
} from '../../../modules/mirror/mark-stop-lists-dirty.ts';
import { importZones } from '../../../modules/mirror/zones/import-zones.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { deleteRows, selectRow, selectRows, updateRows } from '../../support/rows.ts';

let fixture: TestFixture;
let menuId: number;
/** Organizations with prices in the menu; the last one is rejected. */
let organizations: { id: number; erpId: string; name: string }[];
beforeAll(async () => {
  fixture = await mirrorFixture({ growth: { organizations: 12 } });
  menuId = await importBasics(fixture);
  await importMenu(fixture, menuId, 'FULL');
  for (const job of ['TERMINALS', 'STOP_LIST', 'ZONES'] as const) await importNow(job);
  organizations = await fixture.db.query(
    `select id, erp_id as "erpId", name from mirror_organization organization
      where exists (select from mirror_price price where price.organization_id = organization.id) order by id`,
  );
});
afterEach(async () => {
  await control('accept-organizations', {});
  for (const table of ['notification', 'refused_organization', 'erp_refusal'] as const)
    await deleteRows(fixture.db, table, {});
});
afterAll(() => fixture.close());

const control = (path: string, body: object) => fixture.emulator.control<never>(path, body);
const refused = () => organizations.at(-1)!;
const refuse = (status: number, organization = refused()) =>
  control('refuse-organization', { organizationId: organization.erpId, status });
const IMPORTS = { STOP_LIST: importStopLists, ZONES: importZones, TERMINALS: importTerminals };
async function importNow(job: keyof typeof IMPORTS) {
  const runId = await fixture.open(job);
  const { outcome } = await IMPORTS[job](
    fixture.deps,
    { runId, connectionId: fixture.connectionId },
    { isLastTry: true },
  );
  return outcome;
}
const notifications = async () =>
  (
    await selectRows(fixture.db, 'notification', ['kind', 'subjectId', 'details'], {
      resolvedAt: null,
    })
  ).map((row) => row);
const stopped = async (organization: { id: number }) =>
  (
    await selectRows(fixture.db, 'mirror_stop_list', ['itemErpId'], {
      organizationId: organization.id,
    })
  ).map((row) => row.itemErpId);
const stop = async (organization: { erpId: string }) => {
  const dish = { role: 'DISH', deletedAt: null } as const;
  const { erpId: itemId } = await selectRow(fixture.db, 'mirror_item', ['erpId'], dish, {
    orderBy: 'id',
    limit: 1,
  });
  await control('stop', { organizationId: organization.erpId, itemIds: [itemId] });
  return itemId;
};

describe('[MIR-67] an organization that the ERP rejects', () => {
  test.each([403, 400, 500])(
    'keeps its stop-list, and those of other organizations are imported: %i',
    async (status) => {
      const before = await stopped(refused());
      await refuse(status);
      const itemId = await stop(organizations[0]!);

      expect(await importNow('STOP_LIST')).toBe('APPLIED');

      expect(await stopped(organizations[0]!)).toContain(itemId);
      expect(await stopped(refused())).toEqual(before);
      expect(await notifications()).toEqual([
        {
          kind: 'ORGANIZATION_REFUSED',
          subjectId: String(refused().id),
          details: expect.objectContaining({ name: refused().name, jobs: { STOP_LIST: status } }),
        },
      ]);
      await control('unstop', { organizationId: organizations[0]!.erpId, itemIds: [itemId] });
    },
  );

  test('waits for a pause before its stop-list is requested, even after a webhook', async () => {
    await refuse(403);
    await fixture.db.transaction((tx) => markStopListsDirty(tx, [refused().erpId]));
    expect(await hasDirtyStopLists(fixture.db, fixture.connectionId)).toBe(true);

    await importNow('STOP_LIST');

    expect(await hasDirtyStopLists(fixture.db, fixture.connectionId)).toBe(false);
  });

  test('causes separate requests afterwards, and its notification ends with its answer', async () => {
    await refuse(403);
    await importNow('STOP_LIST');
    await importNow('TERMINALS');
    const calls = await fixture.emulator.control<{ calls: { endpoint: string }[] }>('calls');
    const count = (all: typeof calls) =>
      all.calls.filter(({ endpoint }) => endpoint === '/api/1/stop_lists').length;

    expect(await importNow('STOP_LIST')).toBe('APPLIED');
    expect(count(await fixture.emulator.control('calls')) - count(calls)).toBe(2);

    await control('accept-organizations', {});
    await importNow('STOP_LIST');
    expect(await notifications()).toHaveLength(1);
    await importNow('TERMINALS');
    expect(await notifications()).toEqual([]);
  });

  test('affects no terminal groups and delivery zones of others', async () => {
    await refuse(403);
    const state = async () => ({
      terminals: await selectRows(
        fixture.db,
        'mirror_terminal_group',
        ['erpId'],
        { inactiveAt: null },
        { orderBy: 'id' },
      ),
      zones: await selectRows(
        fixture.db,
        'mirror_delivery_zone',
        ['name'],
        { inactiveAt: null },
        { orderBy: 'id' },
      ),
    });
    const before = await state();

    expect(await importNow('TERMINALS')).toBe('APPLIED');
    expect(await importNow('ZONES')).toBe('APPLIED');

    expect(await state()).toEqual(before);
    expect(await notifications()).toMatchObject([
      { kind: 'ORGANIZATION_REFUSED', details: { jobs: { TERMINALS: 403, ZONES: 403 } } },
    ]);
  });

  test.each(['FULL', 'INCREMENTAL'] as const)(
    '%s: keeps its prices while those of other organizations change',
    async (mode) => {
      const prices = async (organization: { id: number }) =>
        (
          await selectRows(
            fixture.db,
            'mirror_price',
            ['priceKopecks', 'lostAt'],
            { organizationId: organization.id, externalMenuId: menuId },
            { orderBy: 'itemSizeId' },
          )
        ).map((row) => row);
      const before = { other: await prices(organizations[0]!), own: await prices(refused()) };
      await refuse(403);
      await control('reprice', { menuId: '9001', percent: 10 });

      expect((await importMenu(fixture, menuId, mode)).outcome).toMatchObject({
        outcome: 'APPLIED',
      });
      expect(await prices(organizations[0]!)).not.toEqual(before.other);
      expect(await prices(refused())).toEqual(before.own);
      expect((await notifications()).map(({ kind }) => kind)).toEqual(['ORGANIZATION_REFUSED']);

      await control('accept-organizations', {});
      expect((await importMenu(fixture, menuId)).outcome).toMatchObject({ outcome: 'APPLIED' });
      expect(await prices(refused())).not.toEqual(before.own);
      expect(await notifications()).toEqual([]);
    },
  );

  test('affects no others if several are rejected for different reasons', async () => {
    const [first, second] = [organizations[0]!, organizations.at(-1)!];
    await refuse(400, first);
    await refuse(403, second);
    const itemId = await stop(organizations[1]!);

    expect(await importNow('STOP_LIST')).toBe('APPLIED');

    expect(await stopped(organizations[1]!)).toContain(itemId);
    expect((await notifications()).map(({ subjectId }) => subjectId).toSorted()).toEqual(
      [String(first.id), String(second.id)].toSorted(),
    );
    await control('unstop', { organizationId: organizations[1]!.erpId, itemIds: [itemId] });
  });

  test.each([
    ['the first', 0],
    ['the last', 1],
  ])(
    '[MIR-74, ERP-27] affects no others if %s of each quarter fails with 500',
    async (_which, last) => {
      const all = await selectRows(
        fixture.db,
        'mirror_organization',
        ['id', 'erpId', 'name'],
        { inactiveAt: null },
        { orderBy: 'id' },
      );
      const quarter = Math.ceil(all.length / 4);
      const bad = all.filter((_, index) => index % quarter === (last === 0 ? 0 : quarter - 1));
      for (const organization of bad) await refuse(500, organization);
      const good = all.find((organization) => !bad.includes(organization))!;
      const itemId = await stop(good);

      expect(await importNow('STOP_LIST')).toBe('APPLIED');
      expect(await importNow('STOP_LIST')).toBe('APPLIED');

      expect(await stopped(good)).toContain(itemId);
      expect((await notifications()).map(({ subjectId }) => subjectId).toSorted()).toEqual(
        bad.map(({ id }) => String(id)).toSorted(),
      );
      expect((await connectionHealth(fixture.db)).map(({ circuit }) => circuit)).toEqual([
        'CLOSED',
      ]);
      await control('unstop', { organizationId: good.erpId, itemIds: [itemId] });
    },
  );

  test('keeps the first request of a menu unaffected if all of the second are rejected', async () => {
    const all = await selectRows(
      fixture.db,
      'mirror_organization',
      ['id', 'erpId'],
      { inactiveAt: null },
      { orderBy: 'id' },
    );
    for (const organization of all.slice(10))
      await control('refuse-organization', { organizationId: organization.erpId, status: 403 });
    await control('reprice', { menuId: '9001', percent: 5 });

    expect((await importMenu(fixture, menuId, 'INCREMENTAL')).outcome).toMatchObject({
      outcome: 'APPLIED',
    });

    expect(await notifications()).toHaveLength(all.length - 10);
  });

  test('receives its prices when it returns, even if the revision of the menu is the same', async () => {
    await refuse(403);
    await control('bump-revision', { menuId: '9001' });
    await importMenu(fixture, menuId);
    await updateRows(
      fixture.db,
      'mirror_price',
      { priceKopecks: 1 },
      { organizationId: refused().id },
    );
    await control('accept-organizations', {});
    await importMenu(fixture, menuId);
    await importMenu(fixture, menuId);

    expect(
      await selectRows(fixture.db, 'mirror_price', ['itemSizeId'], {
        organizationId: refused().id,
        priceKopecks: 1,
      }),
    ).toEqual([]);
  });

  test('[SNP-17] receives a new public menu when an import for others changes its groups', async () => {
    const mark = async () =>
      (
        await selectRows(fixture.db, 'snapshot_request', ['dirtySeq'], {
          organizationId: refused().id,
        })
      )[0]?.dirtySeq ?? 0;
    await importMenu(fixture, menuId);
    const before = await mark();
    await refuse(403);
    await control('reprice', { menuId: '9001', percent: 5 });
    await importMenu(fixture, menuId, 'INCREMENTAL');

    expect(await mark()).toBeGreaterThan(before);
  });

  test('causes no requests about orders and payment types', async () => {
    await refuse(403);
    await importNow('STOP_LIST');
    const named = await selectRows(fixture.db, 'answered_organization', ['id'], {
      connectionId: fixture.connectionId,
    });

    expect(named.map(({ id }) => id)).not.toContain(refused().id);
    expect(named.length).toBeGreaterThan(1);
  });

  test('disappears when the ERP no longer lists it', async () => {
    await refuse(400);
    await importNow('STOP_LIST');
    await control('remove-organization', { organizationId: refused().erpId });
    const runId = await fixture.open('ORGANIZATIONS');

    await importOrganizations(fixture.deps, { runId, connectionId: fixture.connectionId });

    expect(await notifications()).toEqual([]);
    await control('restore-organization', { organizationId: refused().erpId });
    await updateRows(fixture.db, 'mirror_organization', { inactiveAt: null }, { id: refused().id });
  });

  test('rejects the whole connection if every organization is rejected', async () => {
    const all = await selectRows(fixture.db, 'mirror_organization', ['erpId'], {});
    for (const organization of all)
      await control('refuse-organization', { organizationId: organization.erpId, status: 403 });

    await expect(importMenu(fixture, menuId, 'FULL')).rejects.toMatchObject({ kind: 'FORBIDDEN' });
    await deleteRows(fixture.db, 'notification', {});
    await expect(importNow('STOP_LIST')).rejects.toMatchObject({ kind: 'FORBIDDEN' });
    expect((await notifications()).map(({ kind }) => kind)).toEqual(['CREDENTIALS_REFUSED']);

    // A rejected organization is reported as soon as the other organizations are answered.
    await control('accept-organizations', {});
    await refuse(403);
    for (let run = 0; run < 2; run += 1) expect(await importNow('STOP_LIST')).toBe('APPLIED');
    expect((await notifications()).map(({ kind }) => kind)).toEqual(['ORGANIZATION_REFUSED']);
  });
});
