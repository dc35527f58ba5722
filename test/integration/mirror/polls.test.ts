import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { importStopLists, pollStopLists } from '../../../modules/mirror/import-stop-lists.ts';
import { markStopListsDirty } from '../../../modules/mirror/mark-stop-lists-dirty.ts';
import { markFullDue } from '../../../modules/mirror/menu/full-due.ts';
import { pollMenu } from '../../../modules/mirror/menu/poll-menu.ts';
import { endImportPause, pauseImport } from '../../../modules/mirror/pauses/import-pauses.ts';
import type { ErpClient } from '../../../erp/client.ts';
import { testActor } from '../../support/connection.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { countRows, deleteRows, selectRow, selectRows, updateRows } from '../../support/rows.ts';

let fixture: TestFixture;
let menuId: number;
let organizations: { id: number; erpId: string }[];

beforeAll(async () => {
  fixture = await mirrorFixture();
  menuId = await importBasics(fixture);
  await importMenu(fixture, menuId, 'FULL');
  await importStopListsNow();
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
  await fixture.emulator.control('clear-faults');
  await deleteRows(fixture.db, 'erp_circuit');
  await deleteRows(fixture.db, 'erp_hold');
});

const STOP_LISTS = '/api/1/stop_lists';
const MENU = '/api/menu/v3/by_id';
const item = 'd0000001-0000-4000-8000-00000000abcd';

async function importStopListsNow(): Promise<void> {
  const runId = await fixture.open('STOP_LIST');
  await importStopLists(fixture.deps, { runId, connectionId: fixture.connectionId });
}
const stop = (organization: { erpId: string }, action: 'stop' | 'unstop' = 'stop') =>
  fixture.emulator.control(action, { organizationId: organization.erpId, itemIds: [item] });
const pollStops = (stopLists?: ErpClient['stopLists']) => {
  const erp = stopLists === undefined ? fixture.deps.erp : { ...fixture.deps.erp, stopLists };
  return pollStopLists({ ...fixture.deps, erp }, fixture.connectionId);
};
const poll = () =>
  pollMenu(fixture.deps, { connectionId: fixture.connectionId, externalMenuId: menuId });
const lastRun = () => selectRow(fixture.db, 'sync_run', '*', {}, { orderBy: 'id desc', limit: 1 });
const runs = () => countRows(fixture.db, 'sync_run');
const calls = async (endpoint: string) =>
  (await fixture.emulator.control<{ calls: unknown[] }>(`calls?endpoint=${endpoint}`)).calls.length;
/** The outcome of a poll, and the numbers of new runs and calls. */
async function tracePoll(endpoint: string, polled: () => Promise<string>) {
  const before = [await runs(), await calls(endpoint)] as const;
  const outcome = await polled();
  return { outcome, runs: (await runs()) - before[0], calls: (await calls(endpoint)) - before[1] };
}

describe('a poll of stop-lists', () => {
  test('[OPS-105] records a run for equal stop-lists and completes their refresh', async () => {
    const before = await selectRows(fixture.db, 'mirror_stop_list_state', ['synchronizedAt as at']);
    await fixture.db.transaction((tx) =>
      markStopListsDirty(
        tx,
        organizations.map(({ erpId }) => erpId),
      ),
    );

    expect(await tracePoll(STOP_LISTS, pollStops)).toEqual({
      outcome: 'UNCHANGED',
      runs: 1,
      calls: 1,
    });
    expect(await lastRun()).toMatchObject({
      job: 'STOP_LIST',
      trigger: 'SCHEDULE',
      status: 'SUCCESS',
      reason: null,
      organizations: organizations.length,
      batches: 1,
      workflowRunId: null,
      result: { applied: { result: { changed: 0 } } },
    });
    const after = await selectRows(fixture.db, 'mirror_stop_list_state', [
      'synchronizedAt as at',
      'dirtyAt',
    ]);
    expect(after.every(({ at, dirtyAt }) => dirtyAt === null && at! > before[0]!.at!)).toBe(true);
  });

  test('[OPS-105] writes nothing for a stopped item and starts the import', async () => {
    await stop(organizations[0]!);
    const first = await tracePoll(STOP_LISTS, pollStops);
    const stored = await countRows(fixture.db, 'mirror_stop_list', { itemErpId: item });
    await importStopListsNow();

    expect([first, stored]).toEqual([{ outcome: 'CHANGED', runs: 0, calls: 1 }, 0]);
    expect(await pollStops()).toBe('UNCHANGED');
    await stop(organizations[0]!, 'unstop');
    expect(await pollStops()).toBe('CHANGED');
    await importStopListsNow();
  });

  test('[OPS-105] changes nothing if its answer is older than an import', async () => {
    const older: ErpClient['stopLists'] = async (...args) => {
      const answer = await fixture.deps.erp.stopLists(...args);
      await stop(organizations[0]!);
      await importStopListsNow();
      return answer;
    };

    expect(await pollStops(older)).toBe('CHANGED');
    expect(await countRows(fixture.db, 'mirror_stop_list', { itemErpId: item })).toBeGreaterThan(0);
    await stop(organizations[0]!, 'unstop');
    await importStopListsNow();
  });

  test('[OPS-105] starts the import after a failure, which records it', async () => {
    await fixture.emulator.control('fault', { kind: 'truncated-json', endpoint: STOP_LISTS });

    expect(await tracePoll(STOP_LISTS, pollStops)).toMatchObject({ outcome: 'CHANGED', runs: 0 });
  });
});

describe('a poll of a menu', () => {
  test('[OPS-105] records a skipped run of one call for the saved revision', async () => {
    const { revision } = await selectRow(fixture.db, 'mirror_external_menu', ['revision'], {
      id: menuId,
    });

    expect(await tracePoll(MENU, poll)).toEqual({ outcome: 'UNCHANGED', runs: 1, calls: 1 });
    expect(await lastRun()).toMatchObject({
      job: 'MENU',
      externalMenuId: menuId,
      mode: 'INCREMENTAL',
      trigger: 'SCHEDULE',
      status: 'SKIPPED',
      reason: 'UNCHANGED',
      revisionFrom: revision,
      revisionTo: revision,
      batches: 1,
    });
  });

  test('[OPS-105] writes nothing for a new revision and starts the import', async () => {
    await fixture.emulator.control('bump-revision', { menuId: '9001' });

    expect(await tracePoll(MENU, poll)).toEqual({ outcome: 'CHANGED', runs: 0, calls: 1 });
    await importMenu(fixture, menuId);
    expect(await poll()).toBe('UNCHANGED');
  });

  test('[MIR-33, OPS-105] starts a due full import without a call', async () => {
    await markFullDue(fixture.db, [menuId]);

    expect(await tracePoll(MENU, poll)).toEqual({ outcome: 'CHANGED', runs: 0, calls: 0 });
    await importMenu(fixture, menuId);
    expect(await poll()).toBe('UNCHANGED');
  });

  test('[OPS-105] omits rejected restaurants, and the menu is imported when one is accepted again', async () => {
    const [organization] = organizations;
    await fixture.emulator.control('refuse-organization', {
      organizationId: organization!.erpId,
      status: 403,
    });
    const first = await poll();
    await importMenu(fixture, menuId, 'FULL');
    await importMenu(fixture, menuId, 'FULL');
    const [askedBefore] = await selectRows(fixture.db, 'refused_organization', ['askedAt']);
    const meanwhile = await poll();
    const [askedAfter] = await selectRows(fixture.db, 'refused_organization', ['askedAt']);
    await fixture.emulator.control('accept-organizations', {});
    const answered = await poll();
    await importMenu(fixture, menuId, 'FULL');

    expect([first, meanwhile, answered]).toEqual(['CHANGED', 'UNCHANGED', 'CHANGED']);
    expect(askedAfter!.askedAt.getTime()).toBeGreaterThan(askedBefore!.askedAt.getTime());
  });

  test('[OPS-123] waits for later polls with rejected restaurants if the ERP answers slowly', async () => {
    const refused = organizations.slice(0, -1).map(({ erpId }) => erpId);
    for (const organizationId of refused)
      await fixture.emulator.control('refuse-organization', { organizationId, status: 403 });
    await importMenu(fixture, menuId, 'FULL');
    await importMenu(fixture, menuId, 'FULL');
    const requested: string[] = [];
    const menu: ErpClient['menu'] = (connection, request, options) => {
      if (options?.isSplit === true) requested.push(...request.organizationIds);
      return fixture.deps.erp.menu(connection, request, options);
    };
    const deps = { ...fixture.deps, erp: { ...fixture.deps.erp, menu } };
    const of = { connectionId: fixture.connectionId, externalMenuId: menuId };
    const outcomes: string[] = [];
    for (let round = 0; round < refused.length; round += 1)
      outcomes.push(await pollMenu(deps, of, { refusedMs: 0 }));
    await fixture.emulator.control('accept-organizations', {});
    await importMenu(fixture, menuId, 'FULL');

    expect(new Set(outcomes)).toEqual(new Set(['UNCHANGED']));
    expect(requested).toHaveLength(refused.length);
    expect(new Set(requested)).toEqual(new Set(refused));
  });
});

describe('a skipped poll', () => {
  test('[MIR-37, OPS-105] makes no call for an import that an operator has paused', async () => {
    const { connectionId } = fixture;
    const pauses = [
      await pauseImport(fixture, testActor, { connectionId, job: 'STOP_LIST', reason: 'a test' }),
      await pauseImport(fixture, testActor, { connectionId, job: 'MENU', reason: 'a test' }),
    ];

    expect(await tracePoll(STOP_LISTS, pollStops)).toEqual({
      outcome: 'SKIPPED',
      runs: 0,
      calls: 0,
    });
    expect(await tracePoll(MENU, poll)).toEqual({ outcome: 'SKIPPED', runs: 0, calls: 0 });
    for (const { id } of pauses) await endImportPause(fixture, testActor, id);
    expect(await pollStops()).toBe('UNCHANGED');
  });

  test('[MIR-38, OPS-105] makes no call for a connection whose owner is blocked', async () => {
    await updateRows(fixture.db, 'franchisee', { isActive: false });

    expect(await tracePoll(STOP_LISTS, pollStops)).toEqual({
      outcome: 'SKIPPED',
      runs: 0,
      calls: 0,
    });
    expect(await tracePoll(MENU, poll)).toEqual({ outcome: 'SKIPPED', runs: 0, calls: 0 });
    await updateRows(fixture.db, 'franchisee', { isActive: true });
  });
});
