import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { settleWithdrawnMenus } from '../../../modules/mirror/withdrawn-menus.ts';
import { updateExternalMenu } from '../../../modules/mirror/external-menus.ts';
import { pollMenu } from '../../../modules/mirror/menu/poll-menu.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import { testActor } from '../../support/connection.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { addRow, ago, deleteRows, selectRow, selectRows, updateRows } from '../../support/rows.ts';

const MENU = '/api/menu/v3/by_id';
const ERP_MENU = '9001';

let fixture: TestFixture;
let menuId: number;
let organizations: { id: number; erpId: string }[];
beforeAll(async () => {
  fixture = await mirrorFixture({ growth: { organizations: 32 } });
  menuId = await importBasics(fixture);
  await importMenu(fixture, menuId, 'FULL');
  await importMenu(fixture, menuId);
  organizations = await selectRows(
    fixture.db,
    'served_organization',
    ['id', 'erpId'],
    { connectionId: fixture.connectionId },
    { orderBy: 'id' },
  );
  await updateRows(fixture.db, 'external_menu_setting', { updatedAt: ago('1 day') });
});
afterEach(async () => {
  await list(true);
  await control('accept-organizations', {});
  for (const table of ['notification', 'refused_organization', 'erp_refusal'] as const)
    await deleteRows(fixture.db, table, {});
  await updateRows(fixture.db, 'sync_run', {
    startedAt: ago('1 day'),
    status: 'SUCCESS',
    reason: null,
  });
});
afterAll(() => fixture.close());

const control = (path: string, body: object) => fixture.emulator.control<never>(path, body);
const list = (on: boolean) => control('list-menu', { menuId: ERP_MENU, on });
const poll = () =>
  pollMenu(fixture.deps, { connectionId: fixture.connectionId, externalMenuId: menuId });
const calls = async () =>
  (await fixture.emulator.control<{ calls: unknown[] }>(`calls?endpoint=${MENU}`)).calls.length;
async function failedRun(reason: string, mode: 'FULL' | 'INCREMENTAL' | 'PLAN' = 'INCREMENTAL') {
  const runId = await fixture.open('MENU', { externalMenuId: menuId, mode });
  await closeRun(fixture.deps, { runId, status: 'FAILED', reason });
  return runId;
}
const notifications = () =>
  selectRows(fixture.db, 'notification', ['kind', 'subjectId', 'details'], { resolvedAt: null });
const endRefused = () => selectRows(fixture.db, 'refused_organization', ['organizationId'], {});

describe('[MIR-85] a menu that the ERP rejects', () => {
  test.each(['INCREMENTAL', 'FULL'] as const)(
    '%s: costs at most five calls in a poll and its run',
    async (mode) => {
      await list(false);
      const before = await calls();

      expect(await poll()).toBe('CHANGED');
      await expect(importMenu(fixture, menuId, mode)).rejects.toMatchObject({ kind: 'CLIENT' });

      expect((await calls()) - before).toBeLessThanOrEqual(5);
      expect(await endRefused()).toEqual([]);
    },
  );

  test('costs at most five calls when each restaurant is rejected with 403', async () => {
    for (const { erpId } of organizations)
      await control('refuse-organization', { organizationId: erpId, status: 403 });
    const before = await calls();

    expect(await poll()).toBe('CHANGED');
    await expect(importMenu(fixture, menuId)).rejects.toMatchObject({ kind: 'FORBIDDEN' });

    expect((await calls()) - before).toBeLessThanOrEqual(5);
  });

  test('costs at most five calls when each restaurant was rejected alone before', async () => {
    for (const { id } of organizations)
      await addRow(fixture.db, 'refused_organization', {
        organizationId: id,
        job: 'MENU',
        externalMenuId: menuId,
        status: 400,
        endpoint: MENU,
      });
    await list(false);
    const before = await calls();

    expect(await poll()).toBe('CHANGED');
    await expect(importMenu(fixture, menuId)).rejects.toMatchObject({ kind: 'CLIENT' });

    expect((await calls()) - before).toBeLessThanOrEqual(5);
  });

  test.each([
    ['all of the first request', (at: number) => at < 10],
    ['each third', (at: number) => at % 3 === 0],
    ['two', (at: number) => at === 4 || at === 9],
  ])('imports the other restaurants if it is rejected for some: %s', async (_what, isBad) => {
    const bad = organizations.filter((_, at) => isBad(at));
    for (const { erpId } of bad)
      await control('refuse-organization', { organizationId: erpId, status: 400 });
    await control('reprice', { menuId: ERP_MENU, percent: 5 });
    const run = async () => {
      const { runId, outcome } = await importMenu(fixture, menuId);
      if (outcome !== null)
        await closeRun(fixture.deps, { runId, status: 'SUCCESS', reason: null });
      return outcome?.outcome;
    };

    // A run that requests only rejected organizations is repeated with other organizations.
    expect(await run().catch(run)).toBe('APPLIED');

    const refused = (await endRefused()).map(({ organizationId }) => organizationId);
    expect(refused.toSorted((a, b) => a - b)).toEqual(bad.map(({ id }) => id));
  });

  test('slows its polls to one per hour, until an import or an edit', async () => {
    await list(false);
    await failedRun('CLIENT');
    expect(await poll()).toBe('CHANGED');
    const rests: [number, number][] = [
      [8, 10],
      [18, 20],
      [38, 40],
      [58, 60],
      [58, 60],
    ];
    for (const [resting, over] of rests) {
      const runId = await failedRun('CLIENT');
      const before = await calls();
      await updateRows(
        fixture.db,
        'sync_run',
        { startedAt: ago(`${resting} minutes`) },
        { id: runId },
      );
      expect([resting, await poll()]).toEqual([resting, 'SKIPPED']);
      expect(await calls()).toBe(before);
      await updateRows(
        fixture.db,
        'sync_run',
        { startedAt: ago(`${over} minutes`) },
        { id: runId },
      );
      expect([over, await poll()]).toEqual([over, 'CHANGED']);
    }
    await failedRun('FORBIDDEN');
    expect(await poll()).toBe('SKIPPED');

    await updateRows(
      fixture.db,
      'external_menu_setting',
      { updatedAt: new Date() },
      { externalMenuId: menuId },
    );
    expect(await poll()).toBe('CHANGED');

    await updateRows(
      fixture.db,
      'external_menu_setting',
      { updatedAt: ago('1 day') },
      { externalMenuId: menuId },
    );
    await list(true);
    expect(await poll()).toBe('SKIPPED');
    await failedRun('TIMEOUT');
    expect(await poll()).toBe('UNCHANGED');
  });
});

describe('[MIR-86] a second failed import in a row', () => {
  test.each(['CLIENT', 'FORBIDDEN', 'GONE', 'INVALID_ANSWER', 'NOT_JSON'])(
    'raises a notification: %s',
    async (reason) => {
      await failedRun(reason);
      expect(await notifications()).toEqual([]);
      const runId = await failedRun(reason, 'FULL');

      expect(await notifications()).toEqual([
        {
          kind: 'MENU_NOT_IMPORTED',
          subjectId: String(menuId),
          details: { runId, connectionId: fixture.connectionId, externalMenuId: menuId, reason },
        },
      ]);
    },
  );

  test('raises no notification for temporary failures, for plans, and after a success in between', async () => {
    for (const reason of ['SERVER', 'TIMEOUT', 'CIRCUIT_OPEN', 'CANCELLED'])
      await failedRun(reason);
    await failedRun('CLIENT');
    await failedRun('CLIENT', 'PLAN');
    expect(await poll()).toBe('UNCHANGED');
    await failedRun('CLIENT');

    expect(await notifications()).toEqual([]);
  });

  test.each([
    [
      'it is imported',
      () => importMenu(fixture, menuId, 'FULL').then(({ runId }) => succeed(runId)),
    ],
    [
      'it has not changed',
      () => updateRows(fixture.db, 'sync_run', { startedAt: ago('2 hours') }).then(poll),
    ],
    ['staff switch it off', () => switchMenu(false)],
    ['the ERP withdraws it', () => withdraw()],
  ])('resolves the notification when %s', async (_what, ended) => {
    for (let run = 0; run < 2; run += 1) await failedRun('CLIENT');
    expect(await notifications()).toHaveLength(1);

    await ended();

    expect((await notifications()).filter(({ kind }) => kind === 'MENU_NOT_IMPORTED')).toEqual([]);
    await switchMenu(true);
    await updateRows(
      fixture.db,
      'mirror_external_menu',
      { inactiveAt: null, withdrawnAt: null },
      { id: menuId },
    );
    await updateRows(fixture.db, 'external_menu_setting', { updatedAt: ago('1 day') });
  });
});

const succeed = (runId: number) =>
  closeRun(fixture.deps, { runId, status: 'SUCCESS', reason: null });

async function switchMenu(isEnabled: boolean) {
  const { version } = await selectRow(fixture.db, 'external_menu_setting', ['version'], {
    externalMenuId: menuId,
  });
  await updateExternalMenu({ db: fixture.db }, testActor, menuId, { version, isEnabled });
}

async function withdraw() {
  await updateRows(fixture.db, 'mirror_external_menu', { inactiveAt: new Date() }, { id: menuId });
  const runId = await fixture.open('MENU_LIST');
  await fixture.db.transaction((tx) =>
    settleWithdrawnMenus(
      tx,
      { runId, connectionId: fixture.connectionId },
      { listedIds: [], mayEnd: true },
    ),
  );
}
