import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { importOrganizations } from '../../../modules/mirror/import-organizations.ts';
import { importStopLists } from '../../../modules/mirror/import-stop-lists.ts';
import { importTerminals } from '../../../modules/mirror/import-terminals.ts';
import { listStopLists } from '../../../modules/mirror/list-stop-lists.ts';
import {
  hasDirtyStopLists,
  markStopListsDirty,
} from '../../../modules/mirror/mark-stop-lists-dirty.ts';
import { getRun } from '../../../modules/mirror/runs/list-runs.ts';
import type { ErpClient } from '../../../erp/client.ts';
import { aConnection } from '../../support/connection.ts';
import { eventually } from '../../support/processes.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import {
  above,
  addRows,
  databaseNow,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let fixture: TestFixture;
let organizations: { id: number; erpId: string }[];
beforeAll(async () => {
  fixture = await mirrorFixture();
  await importMenu(fixture, await importBasics(fixture), 'FULL');
  await importTerminals(fixture.deps, await run('TERMINALS'));
  organizations = await selectRows(
    fixture.db,
    'mirror_organization',
    ['id', 'erpId'],
    { inactiveAt: null },
    { orderBy: 'id' },
  );
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.emulator.control('reset');
});

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  fixture.db.query<T>(sql, params);
const run = async (
  job: 'ORGANIZATIONS' | 'TERMINALS' | 'STOP_LIST',
  connectionId = fixture.connectionId,
) => ({
  runId: await fixture.open(job, { connectionId }),
  connectionId,
});
const importNow = async () => importStopLists(fixture.deps, await run('STOP_LIST'));
/** Imports with an ERP client that acts before its answer arrives. */
const importWith = async (stopLists: ErpClient['stopLists']) =>
  importStopLists(
    { ...fixture.deps, erp: { ...fixture.deps.erp, stopLists } },
    await run('STOP_LIST'),
  );
const eventsAfter = async (id: number) =>
  selectRows(
    fixture.db,
    'outbox',
    ['payload'],
    { event: 'ErpStopListChanged', id: above(id) },
    { orderBy: 'id' },
  );
const lastEvent = async () =>
  (await query<{ id: number }>('select coalesce(max(id), 0) as id from outbox'))[0]!.id;
const rows = () =>
  query(
    'select xmin::text, * from mirror_stop_list order by organization_id, item_erp_id, erp_size_id, terminal_group_erp_id',
  );
const stop = (body: object) => fixture.emulator.control('stop', body);
const item = 'd0000001-0000-4000-8000-00000000abcd';

describe('the replacement of stop-lists', () => {
  test('[MIR-30] skips equal rows, and announces only changes of the balance', async () => {
    const [first] = organizations;
    await importNow();
    const before = await rows();
    const position = await lastEvent();

    await importNow();
    const unchanged = await rows();
    await stop({ organizationId: first!.erpId, itemIds: [item] });
    await importNow();
    const [stopped] = await eventsAfter(position);
    await stop({ organizationId: first!.erpId, itemIds: [item], balance: 2.5 });
    await importNow();
    const [, limited] = await eventsAfter(position);
    for (const balance of [2.25, 30, 40, 1.25]) {
      await stop({ organizationId: first!.erpId, itemIds: [item], balance });
      await importNow();
    }

    expect(unchanged).toEqual(before);
    expect(stopped!.payload).toMatchObject({
      organizationId: first!.id,
      added: [item],
      removed: [],
    });
    expect(limited!.payload).toMatchObject({
      organizationId: first!.id,
      added: [],
      removed: [item],
    });
    // Units below ten may be too few for a required group.
    const [, , plenty, few, ...others] = await eventsAfter(position);
    expect([plenty, few].map((entry) => entry!.payload)).toMatchObject([
      { organizationId: first!.id, added: [], removed: [] },
      { organizationId: first!.id, added: [], removed: [] },
    ]);
    expect(others).toEqual([]);
    expect(
      await fixture.db.db
        .selectFrom('mirror_stop_list')
        .where('itemErpId', '=', item)
        .select('balance')
        .distinct()
        .execute(),
    ).toEqual([{ balance: 1.25 }]);
  });

  test('[MIR-31] removes all stops of an organization that the answer lacks', async () => {
    await importNow();
    const [first, second] = organizations;
    await fixture.emulator.control('unstop', { organizationId: first!.erpId });
    const position = await lastEvent();

    const outcome = await importNow();

    expect(outcome).toMatchObject({ result: { rows: expect.any(Number), changed: 1 } });
    expect(
      await fixture.db.db
        .selectFrom('mirror_stop_list')
        .select('organizationId as id')
        .distinct()
        .execute(),
    ).toEqual([{ id: second!.id }]);
    expect(await eventsAfter(position)).toHaveLength(1);
  });

  test('[MIR-30] keeps rows per terminal group, modifiers and sizes included', async () => {
    const { organizations: known } = await fixture.emulator.control<{
      organizations: { id: string; terminalGroups: { id: string }[] }[];
    }>('state');
    const { id, terminalGroups } = known.find((entry) => entry.terminalGroups.length > 1)!;
    const [modifier] = await query<{ erpId: string; name: string }>(
      `select erp_id as "erpId", name from mirror_item where role = 'MODIFIER'
          and erp_id not in (select erp_id from mirror_item where role = 'DISH') order by id`,
    );
    for (const { erpId } of organizations) {
      await fixture.emulator.control('unstop', { organizationId: erpId });
      await importNow();
    }
    const sizeId = randomUUID();
    await stop({
      organizationId: id,
      itemIds: [modifier!.erpId],
      terminalGroupId: terminalGroups[0]!.id,
    });
    await stop({
      organizationId: id,
      itemIds: [item],
      sizeId,
      balance: 1.5,
      terminalGroupId: terminalGroups[1]!.id,
    });

    await importNow();
    const organizationId = organizations.find((organization) => organization.erpId === id)!.id;
    const page = await listStopLists(fixture.db, {
      page: 1,
      size: 50,
      scope: null,
      organizationId,
    });
    const terminal = await selectRow(fixture.db, 'mirror_terminal_group', ['id'], {
      erpId: terminalGroups[1]!.id,
    });
    const ofTerminal = await listStopLists(fixture.db, {
      page: 1,
      size: 50,
      scope: null,
      terminalId: terminal.id,
    });

    expect(page).toMatchObject({
      total: 2,
      items: [
        {
          itemErpId: modifier!.erpId,
          name: modifier!.name,
          role: 'MODIFIER',
          terminalErpId: terminalGroups[0]!.id,
          balance: 0,
          isStopped: true,
          sizeErpId: null,
        },
        {
          itemErpId: item,
          name: null,
          role: null,
          sizeErpId: sizeId,
          balance: 1.5,
          isStopped: false,
        },
      ],
    });
    expect(ofTerminal.items.map((entry) => entry.itemErpId)).toEqual([item]);
    expect(
      await listStopLists(fixture.db, { page: 2, size: 1, scope: null, organizationId }),
    ).toMatchObject({
      total: 2,
      page: 2,
    });
  });

  test.each(['truncated-json', '500', '502-html'])(
    'changes nothing if an answer fails with %s',
    async (kind) => {
      await importNow();
      const states = () =>
        selectRows(fixture.db, 'mirror_stop_list_state', '*', {}, { orderBy: 'organizationId' });
      await updateRows(fixture.db, 'mirror_stop_list_state', {
        dirtySeq: 1,
        dirtyAt: databaseNow(),
      });
      const before = [await rows(), await states(), await lastEvent()];
      await stop({ organizationId: organizations[0]!.erpId, itemIds: [randomUUID()] });
      await fixture.emulator.control('fault', { kind, endpoint: '/api/1/stop_lists' });

      await expect(importNow()).rejects.toMatchObject({ name: 'ErpFailure' });

      expect([await rows(), await states(), await lastEvent()]).toEqual(before);
    },
  );

  test('omits and counts rows of unknown organizations', async () => {
    const [inactive] = organizations;
    await updateRows(
      fixture.db,
      'mirror_organization',
      { inactiveAt: databaseNow() },
      { id: inactive!.id },
    );
    const started = await run('STOP_LIST');
    const terminal = { terminalGroupId: null, sizeId: null, sku: null, balance: 0, addedAt: null };
    const outcome = await importStopLists(
      {
        ...fixture.deps,
        erp: {
          ...fixture.deps.erp,
          stopLists: async () => ({
            bytes: 1,
            odd: [],
            data: {
              named: [],
              rows: [
                { ...terminal, organizationId: inactive!.erpId, productId: item },
                { ...terminal, organizationId: randomUUID(), productId: item },
                {
                  ...terminal,
                  organizationId: organizations[1]!.erpId.toUpperCase(),
                  productId: item,
                },
              ],
            },
          }),
        },
      },
      started,
    );
    const record = await getRun(fixture.db, started.runId);
    await updateRows(fixture.db, 'mirror_organization', { inactiveAt: null }, { id: inactive!.id });

    expect(outcome).toMatchObject({ result: { rows: 1 } });
    expect(record.anomalies).toMatchObject([{ code: 'UNKNOWN_ORGANIZATION', count: 2 }]);
    expect(record.anomalies[0]!.samples).toContain(inactive!.erpId);
  });
});

describe('stop-lists of many organizations', () => {
  let chain: { connectionId: number };
  const asked = () =>
    fixture.emulator.control<{ calls: { request?: { organizationIds?: string[] } }[] }>(
      'calls?endpoint=/api/1/stop_lists',
    );
  beforeAll(async () => {
    chain = { connectionId: (await aConnection(fixture.db, fixture.emulator.apiLogin)).id };
    await addRows(
      fixture.db,
      'mirror_organization',
      Array.from({ length: 230 }, () => chain),
    );
  });

  test('need three calls for 230 organizations, applied in one transaction', async () => {
    const { runId } = await run('STOP_LIST', chain.connectionId);
    const before = (await asked()).calls.length;

    const outcome = await importStopLists(fixture.deps, { runId, ...chain });

    expect(outcome).toMatchObject({ outcome: 'APPLIED', result: { rows: 0, changed: 0 } });
    expect((await asked()).calls.length - before).toBe(3);
    expect(
      await query(
        `select count(*) as count, count(distinct state.synchronized_at) as moments from mirror_stop_list_state state
           join mirror_organization organization on organization.id = state.organization_id where connection_id = $1`,
        [chain.connectionId],
      ),
    ).toEqual([{ count: 230, moments: 1 }]);
  });

  test('[MIR-31] stay unchanged if one of several calls fails', async () => {
    const states = () =>
      selectRows(fixture.db, 'mirror_stop_list_state', '*', {}, { orderBy: 'organizationId' });
    const before = await states();
    const calls = (await asked()).calls.length;
    await fixture.emulator.control('fault', {
      kind: '500',
      endpoint: '/api/1/stop_lists',
      times: 1,
    });

    const { runId } = await run('STOP_LIST', chain.connectionId);
    await expect(importStopLists(fixture.deps, { runId, ...chain })).rejects.toMatchObject({
      name: 'ErpFailure',
    });

    expect(await states()).toEqual(before);
    await eventually('the two other calls have arrived as well', async () =>
      (await asked()).calls.length === calls + 3 ? true : undefined,
    );
  });

  test('need no request for a connection without organizations', async () => {
    const empty = await aConnection(fixture.db, fixture.emulator.apiLogin);
    const before = (await asked()).calls.length;

    const outcome = await importStopLists(fixture.deps, await run('STOP_LIST', empty.id));

    expect(outcome).toEqual({ outcome: 'NO_ORGANIZATIONS' });
    expect((await asked()).calls).toHaveLength(before);
  });
});

describe('an outdated stop-list', () => {
  const dirty = () => hasDirtyStopLists(fixture.db, fixture.connectionId);
  const mark = (...erpIds: string[]) =>
    fixture.db.transaction((tx) => markStopListsDirty(tx, erpIds));

  test('becomes current by an import with a later request', async () => {
    expect(await mark(organizations[0]!.erpId, randomUUID())).toEqual([
      {
        organizationId: organizations[0]!.id,
        connectionId: fixture.connectionId,
        erpId: organizations[0]!.erpId,
      },
    ]);
    const before = await dirty();
    await importNow();

    expect([before, await dirty()]).toEqual([true, false]);
  });

  test('[WHK-7] stays outdated if it became so between the request and its application, with any clocks', async () => {
    const ahead = Date.now() + 3_600_000;
    await importWith(async (...call) => {
      const answer = await fixture.deps.erp.stopLists(...call);
      await mark(organizations[0]!.erpId);
      return answer;
    });
    const kept = await dirty();
    // A flag set by a host whose clock is far behind ours.
    await importWith(async (...call) => {
      const answer = await fixture.deps.erp.stopLists(...call);
      await mark(organizations[0]!.erpId);
      await query(
        'update mirror_stop_list_state set dirty_at = to_timestamp($1) where dirty_at is not null',
        [ahead / 1000 - 7_200],
      );
      return answer;
    });

    expect([kept, await dirty()]).toEqual([true, true]);
    await importNow();
    expect(await dirty()).toBe(false);
  });

  test('requires an active organization', async () => {
    await updateRows(
      fixture.db,
      'mirror_organization',
      { inactiveAt: databaseNow() },
      { id: organizations[1]!.id },
    );
    const marked = await mark(organizations[1]!.erpId);
    await updateRows(
      fixture.db,
      'mirror_organization',
      { inactiveAt: null },
      { id: organizations[1]!.id },
    );

    expect(marked).toEqual([]);
    expect(await dirty()).toBe(false);
  });

  test('neither deadlocks nor loses concurrent webhooks during imports, in any order', async () => {
    const erpIds = organizations.map((organization) => organization.erpId);
    await Promise.all([
      ...Array.from({ length: 8 }, (_, n) => mark(...(n % 2 === 0 ? erpIds : erpIds.toReversed()))),
      importNow(),
    ]);
    const row = await fixture.db.db
      .selectFrom('mirror_stop_list_state')
      .where(
        'organizationId',
        'in',
        organizations.map((organization) => organization.id),
      )
      .select((row) => row.fn.min('dirtySeq').as('least'))
      .executeTakeFirstOrThrow();

    expect(row.least).toBeGreaterThanOrEqual(8);
    await importNow();
    expect(await dirty()).toBe(false);
  });
});

test('an organization that has left the list is not requested', async () => {
  const [first] = organizations;
  await fixture.emulator.control('remove-organization', { organizationId: first!.erpId });
  await importOrganizations(fixture.deps, await run('ORGANIZATIONS'));

  await importNow();
  expect(
    await selectRows(
      fixture.db,
      'sync_run',
      ['organizations'],
      {},
      { orderBy: 'id desc', limit: 1 },
    ),
  ).toEqual([{ organizations: 1 }]);

  await fixture.emulator.control('restore-organization', { organizationId: first!.erpId });
  await importOrganizations(fixture.deps, await run('ORGANIZATIONS'));
});
