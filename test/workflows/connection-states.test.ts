import {
  IMPORT_WORKFLOWS,
  connectionSyncWorkflow,
  importLock,
} from '../../modules/mirror/messages/sync.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { switchConnection } from '../../modules/connections/switch-connection.ts';
import { renewToken } from '../../modules/connections/erp-calls/renew-token.ts';
import { replaceApiLogin } from '../../modules/connections/replace-api-login.ts';
import { createEventDelivery } from '../../modules/event-listeners.ts';
import { reportRefusedList } from '../../modules/mirror/list-shrink-guard.ts';
import { syncTargets } from '../../modules/mirror/schedules/desired-schedules.ts';
import { JOBS, type Job } from '../../modules/mirror/rules/jobs.ts';
import type { ImportInput, ImportResult } from '../../modules/mirror/messages/sync.ts';
import { createLog } from '../../platform/log.ts';
import { aConnection, testActor, testSecrets } from '../support/connection.ts';
import { longTest, wholeInSoak } from '../support/repetitions.ts';
import { importResult } from '../support/workflow-outcomes.ts';
import {
  importingFixture,
  stopImportingFixture,
  type RunningImports,
} from '../support/importing-fixture.ts';
import { eventually } from '../support/processes.ts';
import { withoutSchedules } from '../support/without-schedules.ts';
import { above, databaseNow, selectRows, updateRows } from '../support/rows.ts';

let fixture: RunningImports['fixture'];
let sync: RunningImports['sync'];
let menuId: RunningImports['menuId'];
let workers: RunningImports['workers'];
beforeAll(async () => {
  ({ fixture, sync, menuId, workers } = await importingFixture({ menu: true, delivers: false }));
});
afterAll(() => stopImportingFixture({ fixture, sync, menuId, workers }));
beforeEach(async () => {
  await fixture.emulator.control('reset');
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() }, { deliveredAt: null });
});
afterEach(() => fixture.emulator.control('clear-faults'));

type Call = { endpoint: string; sequence: number };
const allCalls = async () => (await fixture.emulator.control<{ calls: Call[] }>('calls')).calls;
/** Returns a function that lists the ERP endpoints called since. */
async function callsFromNow(): Promise<() => Promise<string[]>> {
  const last = (await allCalls()).at(-1)?.sequence ?? 0;
  return async () =>
    (await allCalls()).filter(({ sequence }) => sequence > last).map(({ endpoint }) => endpoint);
}
const slow = (endpoint: string) =>
  fixture.emulator.control('fault', { kind: 'slow', endpoint, delayMs: 3_600_000 });
/** Delivers events without schedules, which would start imports. */
const deliver = () =>
  createEventDelivery({ ...sync.upkeep, temporal: withoutSchedules(sync.temporal) }).deliver();
const start = (job: Job, connectionId = fixture.connectionId) =>
  sync.temporal.workflow.start<(input: ImportInput) => Promise<ImportResult>>(
    IMPORT_WORKFLOWS[job].type,
    {
      workflowId: importLock({ job, connectionId, externalMenuId: job === 'MENU' ? menuId : null }),
      taskQueue: sync.queues.workflows,
      args: [
        {
          job,
          connectionId,
          trigger: 'SCHEDULE',
          timings: sync.upkeep.timings,
          queues: sync.queues,
          ...(job === 'MENU' ? { externalMenuId: menuId, mode: 'FULL' as const } : {}),
        },
      ],
    },
  );
const runNow = async (job: Job) => importResult((await start(job)).result());
const lastRun = async (job: Job) =>
  (
    await selectRows(
      fixture.db,
      'sync_run',
      ['status', 'reason'],
      { job },
      { orderBy: 'id desc', limit: 1 },
    )
  )[0];
const enable = () =>
  switchConnection({ db: fixture.db }, testActor, 'enable', { id: fixture.connectionId });
const disable = () =>
  switchConnection({ db: fixture.db }, testActor, 'disable', { id: fixture.connectionId });

describe('a connection that is disabled', () => {
  const MIRRORED: Readonly<Record<'STOP_LIST' | 'MENU', string>> = {
    STOP_LIST: 'select * from mirror_stop_list order by organization_id, item_erp_id, erp_size_id',
    MENU: 'select item_size_id, organization_id, price_kopecks from mirror_price order by item_size_id, organization_id',
  };

  const stopLists = ['STOP_LIST', '/api/1/stop_lists'] as const;
  test.each([['MENU', '/api/menu/v3/by_id'] as const, ...wholeInSoak([stopLists], [])])(
    '[CON-4] stops a running import of %s: it writes nothing and sends no more requests',
    async (job, endpoint) => {
      const rows = () => fixture.db.query(MIRRORED[job]);
      const before = await rows();
      const { organizations } = await fixture.emulator.control<{ organizations: { id: string }[] }>(
        'state',
      );
      for (const { id } of organizations)
        await fixture.emulator.control('unstop', { organizationId: id });
      await fixture.emulator.control('reprice', { menuId: '9001', percent: 30 });
      await slow(endpoint);
      const asked = await callsFromNow();
      const handle = await start(job);
      await eventually('the ERP is asked', async () =>
        (await asked()).includes(endpoint) ? true : undefined,
      );
      await disable();
      const afterwards = await callsFromNow();

      await deliver();
      await expect(handle.result()).rejects.toMatchObject({ name: 'WorkflowFailedError' });
      // Running steps find their run closed.
      await fixture.emulator.control('clear-faults');
      await eventually('the slow answer is there', async () => {
        const { calls } = await fixture.emulator.control<{ calls: { status: number | null }[] }>(
          'calls',
        );
        return calls.every(({ status }) => status !== null) ? true : undefined;
      });
      const skipped = await runNow(job);

      expect(await rows()).toEqual(before);
      expect(await afterwards()).toEqual([]);
      expect(skipped).toMatchObject({ status: 'SKIPPED', reason: 'DISABLED' });
      expect(
        (
          await selectRows(
            fixture.db,
            'sync_run',
            ['status', 'reason'],
            { job },
            { orderBy: 'id desc', limit: 2 },
          )
        )[1],
      ).toEqual({ status: 'FAILED', reason: 'DISABLED' });
      expect(await syncTargets(fixture.db)).toEqual([]);
      await enable();
      await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() }, { deliveredAt: null });
      expect(await runNow(job)).toMatchObject({ status: 'SUCCESS' });
    },
  );

  test('[MIR-45] a disabled connection leaves no rejected list for staff to review', async () => {
    const { connectionId, db } = fixture;
    const open = () =>
      selectRows(
        db,
        'notification',
        ['kind', 'subjectType'],
        { resolvedAt: null },
        { orderBy: ['kind', 'subjectType'] },
      );
    await db.transaction(async (tx) => {
      for (const [job, refusal] of [
        ['ORGANIZATIONS', 'EMPTY_LIST'],
        ['TERMINALS', 'SUSPICIOUS_LIST'],
        ['ZONES', 'SUSPICIOUS_LIST'],
      ] as const)
        await reportRefusedList(tx, { runId: 1, connectionId, job }, refusal);
    });
    const before = await open();

    await disable();
    await deliver();

    expect(before).toHaveLength(3);
    expect(await open()).toEqual([]);
    await enable();
    await updateRows(db, 'outbox', { deliveredAt: databaseNow() }, { deliveredAt: null });
  });

  test('[CON-4, MIR-6] the fence discards the rows of a run that was not canceled in time', async () => {
    await slow('/api/1/organizations');
    const stamps = () =>
      selectRows(fixture.db, 'mirror_organization', ['synchronizedAt'], {}, { orderBy: 'id' });
    const before = await stamps();
    const asked = await callsFromNow();
    const handle = await start('ORGANIZATIONS');
    await eventually('the ERP is asked', async () =>
      (await asked()).length > 0 ? true : undefined,
    );
    await disable();
    await fixture.emulator.control('clear-faults');

    const ended = await importResult(handle.result());

    await enable();
    expect(ended).toMatchObject({ status: 'FAILED', reason: 'DISABLED' });
    expect(await stamps()).toEqual(before);
  });

  longTest('a connection that is enabled imports every job in order', async () => {
    await disable();
    await enable();
    const last = await fixture.db.db
      .selectFrom('sync_run')
      .select((row) => row.fn.max('id').as('id'))
      .executeTakeFirstOrThrow();

    await deliver();
    await sync.temporal.workflow
      .getHandle(connectionSyncWorkflow.id({ connectionId: fixture.connectionId }))
      .result();

    const runs = await selectRows(
      fixture.db,
      'sync_run',
      ['job'],
      { id: above(last.id) },
      { orderBy: 'id' },
    );
    expect(runs.map(({ job }) => job)).toEqual([
      'ORGANIZATIONS',
      'TERMINALS',
      'MENU_LIST',
      'MENU',
      'STOP_LIST',
      'ZONES',
    ]);
  });
});

describe.each(wholeInSoak(['legal_entity', 'franchisee'], ['franchisee']))(
  'while the %s is not active',
  (table) => {
    const setActive = (isActive: boolean) =>
      fixture.db.query(`update ${table} set is_active = $1`, [isActive]);

    test('[CON-7, MIR-38] a disabled owner stops imports, tokens and calls, and they resume later', async () => {
      await updateRows(fixture.db, 'erp_token', { tokenEncrypted: null });
      await setActive(false);
      const calls = await callsFromNow();

      const skipped: unknown[] = [];
      for (const job of JOBS) skipped.push(await runNow(job));
      const log = createLog({ service: 'test', level: 'silent' });
      await renewToken({ erp: fixture.deps.erp, log }, fixture.connectionId);
      const silent = await calls();
      await setActive(true);
      const resumed = await runNow('ORGANIZATIONS');

      for (const entry of skipped)
        expect(entry).toMatchObject({ status: 'SKIPPED', reason: 'OWNER_INACTIVE' });
      expect(silent).toEqual([]);
      expect(resumed).toMatchObject({ status: 'SUCCESS' });
      expect(await calls()).toEqual(['/api/v2/access_token', '/api/1/organizations']);
    });

    test('an import that has already begun ends without writing', async () => {
      await slow('/api/1/organizations');
      const asked = await callsFromNow();
      const handle = await start('ORGANIZATIONS');
      await eventually('the ERP is asked', async () =>
        (await asked()).length > 0 ? true : undefined,
      );
      await setActive(false);
      await fixture.emulator.control('clear-faults');

      const ended = await importResult(handle.result());

      await setActive(true);
      expect(ended).toMatchObject({ status: 'FAILED', reason: 'OWNER_INACTIVE' });
    });
  },
);

test('an import with wrong credentials ends after one call and runs again with correct ones', async () => {
  const { id } = await aConnection(fixture.db, 'wrong-login');
  const calls = await callsFromNow();
  const whole = () =>
    sync.temporal.workflow.getHandle(connectionSyncWorkflow.id({ connectionId: id })).result();

  await deliver();
  await whole();
  const asked = await calls();
  const failed = await lastRun('ORGANIZATIONS');
  const notifications = () =>
    fixture.db.db
      .selectFrom('notification')
      .where('subjectId', '=', String(id))
      .select((row) => row('resolvedAt', 'is', null).as('open'))
      .execute();
  const told = await notifications();
  await replaceApiLogin({ db: fixture.db, secrets: testSecrets }, testActor, {
    id,
    apiLogin: fixture.emulator.apiLogin,
  });
  await deliver();
  await whole();

  expect(asked).toEqual(['/api/v2/access_token']);
  expect(failed).toEqual({ status: 'FAILED', reason: 'CREDENTIALS_REFUSED' });
  expect(told).toEqual([{ open: true }]);
  expect(await lastRun('ORGANIZATIONS')).toEqual({ status: 'SUCCESS', reason: null });
  expect(await notifications()).toEqual([{ open: false }]);
  await switchConnection({ db: fixture.db }, testActor, 'disable', { id });
});

test('a restaurant listed by two connections moves with its menu when one is disabled', async () => {
  const { id: heir } = await aConnection(fixture.db, fixture.emulator.apiLogin);
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() }, { deliveredAt: null });
  await importResult((await start('ORGANIZATIONS', heir)).result());
  const prices = async (connectionId: number) => {
    const row = await fixture.db.db
      .selectFrom('mirror_price as price')
      .innerJoin('mirror_organization as organization', 'organization.id', 'price.organizationId')
      .where('organization.connectionId', '=', connectionId)
      .where('organization.inactiveAt', 'is', null)
      .where('price.lostAt', 'is', null)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return row.count;
  };
  const ended = (connectionId: number) =>
    sync.temporal.workflow.getHandle(connectionSyncWorkflow.id({ connectionId })).result();
  const before = await prices(fixture.connectionId);
  const claimed = await prices(heir);
  await disable();
  await deliver();
  await ended(heir);
  const inherited = await prices(heir);
  await enable();
  await switchConnection({ db: fixture.db }, testActor, 'disable', { id: heir });
  await deliver();
  await ended(fixture.connectionId);

  expect([before > 0, claimed, inherited]).toEqual([true, 0, before]);
  expect(await prices(fixture.connectionId)).toBe(before);
});
