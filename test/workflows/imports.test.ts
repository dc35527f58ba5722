import { IMPORT_WORKFLOWS, importLock } from '../../modules/mirror/messages/sync.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endImportPause, pauseImport } from '../../modules/mirror/pauses/import-pauses.ts';
import { reconcileImports } from '../../modules/mirror/reconcile.ts';
import { startImport, startImportWorkflow } from '../../modules/mirror/runs/start-import.ts';
import { getRun } from '../../modules/mirror/runs/list-runs.ts';
import type { Job, RunMode } from '../../modules/mirror/rules/jobs.ts';
import type {
  ImportInput,
  ImportResult,
  SyncTickInput,
  SyncTickResult,
} from '../../modules/mirror/messages/sync.ts';
import { testActor } from '../support/connection.ts';
import { eventually } from '../support/processes.ts';
import { longTest, wholeInSoak } from '../support/repetitions.ts';
import { importResult, outcomeIn } from '../support/workflow-outcomes.ts';
import {
  importingFixture,
  stopImportingFixture,
  type RunningImports,
} from '../support/importing-fixture.ts';
import {
  above,
  addRows,
  countRows,
  databaseNow,
  deleteRows,
  like,
  selectRow,
  selectRows,
  updateRows,
} from '../support/rows.ts';

let fixture: RunningImports['fixture'];
let sync: RunningImports['sync'];
let menuId: RunningImports['menuId'];
let workers: RunningImports['workers'];
beforeAll(async () => {
  ({ fixture, sync, menuId, workers } = await importingFixture());
});
afterAll(() => stopImportingFixture({ fixture, sync, menuId, workers }));
beforeEach(() => fixture.emulator.control('reset'));
afterEach(() => fixture.emulator.control('clear-faults'));

const slow = (endpoint: string) =>
  fixture.emulator.control('fault', { kind: 'slow', endpoint, delayMs: 3_600_000 });
const answered = () => fixture.emulator.control('clear-faults');
const toLock = (job: Job) =>
  importLock({
    job,
    connectionId: fixture.connectionId,
    externalMenuId: job === 'MENU' ? menuId : null,
  });

async function importNow(job: Job, mode?: RunMode, input: Partial<ImportInput> = {}) {
  const ended = sync.temporal.workflow.execute<(input: ImportInput) => Promise<ImportResult>>(
    IMPORT_WORKFLOWS[job].type,
    {
      workflowId: toLock(job),
      taskQueue: sync.queues.workflows,
      args: [
        {
          job,
          connectionId: fixture.connectionId,
          trigger: 'SCHEDULE',
          timings: sync.upkeep.timings,
          queues: sync.queues,
          ...(job === 'MENU' ? { externalMenuId: menuId } : {}),
          ...(mode === undefined ? {} : { mode }),
          ...input,
        },
      ],
    },
  );
  return getRun(fixture.db, (await importResult(ended)).runId);
}
const tick = (input: Partial<SyncTickInput> & { job: Job }) =>
  sync.temporal.workflow.execute<(input: SyncTickInput) => Promise<SyncTickResult>>('syncTick', {
    workflowId: `tick/${Math.random()}`,
    taskQueue: sync.queues.workflows,
    args: [
      {
        connectionId: fixture.connectionId,
        timings: sync.upkeep.timings,
        queues: sync.queues,
        ...input,
      },
    ],
  });
const hanging = (limitMs: number) => ({
  job: 'MENU' as const,
  connectionId: fixture.connectionId,
  externalMenuId: menuId,
  mode: 'FULL' as const,
  trigger: 'SCHEDULE' as const,
  timings: { ...sync.upkeep.timings, limitMs },
});
const setting = (assignment: string) =>
  fixture.db.query(`update external_menu_setting set ${assignment} where external_menu_id = $1`, [
    menuId,
  ]);

describe('every import', () => {
  test('ends in SUCCESS', async () => {
    expect(await importNow('ORGANIZATIONS')).toMatchObject({
      status: 'SUCCESS',
      trigger: 'SCHEDULE',
      mode: 'FULL',
    });
    expect(await importNow('STOP_LIST')).toMatchObject({
      status: 'SUCCESS',
      trigger: 'SCHEDULE',
      mode: 'FULL',
    });
  });

  test('an unchanged revision ends in SKIPPED and leaves nothing in staging', async () => {
    await importNow('MENU');

    expect(await importNow('MENU')).toMatchObject({
      status: 'SKIPPED',
      reason: 'UNCHANGED',
      organizations: 2,
      batches: 1,
    });
    expect(await countRows(fixture.db, 'stage_item')).toBe(0);
  });

  test('a disabled connection ends in SKIPPED without a call to the ERP', async () => {
    const calls = async () =>
      (await fixture.emulator.control<{ calls: unknown[] }>('calls')).calls.length;
    await updateRows(
      fixture.db,
      'connection',
      { status: 'DISABLED' },
      { id: fixture.connectionId },
    );
    const before = await calls();

    const run = await importNow('ORGANIZATIONS');

    await updateRows(fixture.db, 'connection', { status: 'ACTIVE' }, { id: fixture.connectionId });
    expect(run).toMatchObject({ status: 'SKIPPED', reason: 'DISABLED' });
    expect(await calls()).toBe(before);
  });

  test('[OPS-35] imports are found in Temporal by their outcome', async () => {
    await importNow('ORGANIZATIONS');
    const succeeded = await outcomeIn(sync.temporal, toLock('ORGANIZATIONS'));
    await importNow('MENU');
    await importNow('MENU');
    const skipped = await outcomeIn(sync.temporal, toLock('MENU'));
    await fixture.emulator.control('fault', {
      kind: 'truncated-json',
      endpoint: '/api/1/organizations',
      times: 2,
    });
    await importNow('ORGANIZATIONS');

    expect([succeeded, skipped, await outcomeIn(sync.temporal, toLock('ORGANIZATIONS'))]).toEqual([
      'SUCCESS',
      'SKIPPED UNCHANGED',
      'FAILED NOT_JSON',
    ]);
  });

  test('[OPS-23] a failed import is a failed execution typed by its reason, but its parent succeeds', async () => {
    await fixture.emulator.control('fault', {
      kind: 'truncated-json',
      endpoint: '/api/1/organizations',
      times: 2,
    });
    const run = await importNow('ORGANIZATIONS');
    const { status } = await sync.temporal.workflow.getHandle(toLock('ORGANIZATIONS')).describe();
    const failure = await sync.temporal.workflow
      .getHandle(toLock('ORGANIZATIONS'))
      .result()
      .catch((error: { cause: { type: string; details: ImportResult[] } }) => error.cause);
    const ticked = await tick({ job: 'ORGANIZATIONS' });

    expect(run).toMatchObject({ status: 'FAILED', reason: 'NOT_JSON' });
    expect(status.name).toBe('FAILED');
    expect(failure).toMatchObject({
      type: 'NOT_JSON',
      nonRetryable: true,
      category: 'BENIGN',
      details: [{ runId: run.id, status: 'FAILED', reason: 'NOT_JSON' }],
    });
    expect(ticked).toEqual({ outcome: 'RAN', status: 'FAILED' });
  });

  test('[OPS-23] an import canceled with its connection ends its tick without a failure', async () => {
    await slow('/api/1/stop_lists');
    const ticked = tick({ job: 'STOP_LIST' });
    await eventually('the run is open', async () => {
      const [open] = await selectRows(fixture.db, 'sync_run', '*', {
        status: 'RUNNING',
        job: 'STOP_LIST',
      });
      return open;
    });
    await sync.temporal.workflow.getHandle(toLock('STOP_LIST')).cancel();
    const ended = await ticked;
    await answered();

    expect(ended).toEqual({ outcome: 'GIVEN_UP' });
  });

  const starts: [string, (limitMs: number) => Promise<unknown>][] = [
    ['by its schedule', (limitMs) => tick(hanging(limitMs))],
    ['manually', (limitMs) => startImportWorkflow(sync.upkeep, hanging(limitMs))],
  ];
  test.each(wholeInSoak(starts, starts.slice(0, 1)))(
    '[MIR-47] closes its run at its limit, releases its lock and shows the reason: started %s',
    async (_, start) => {
      await slow('/api/menu/v3/by_id');
      const started = start(4_000);
      const handle = sync.temporal.workflow.getHandle(toLock('MENU'));
      const newestRun = () =>
        selectRows(
          fixture.db,
          'sync_run',
          ['status', 'reason', 'detail'],
          { job: 'MENU' },
          { orderBy: 'id desc', limit: 1 },
        );
      const ended = await eventually('the import ends itself', async () => {
        const [{ status } = { status: null }] = await newestRun();
        const of = status === 'FAILED' ? await handle.describe() : undefined;
        return of?.status.name === 'FAILED' ? of.status.name : undefined;
      });
      const ofStarter = await started;
      const [run] = await newestRun();
      const outcome = await outcomeIn(sync.temporal, toLock('MENU'));
      const { currentDetails } = await handle.query<{ currentDetails: string }, []>(
        '__temporal_workflow_metadata',
      );
      await answered();
      const { runId } = await startImport(sync.product, testActor, {
        job: 'MENU',
        scope: '9001',
        mode: 'FULL',
      });
      const next = await eventually('the next manual run ends', async () => {
        const found = await getRun(fixture.db, runId);
        return found.status === 'RUNNING' ? undefined : found;
      });

      expect([ended, outcome, next.status]).toEqual(['FAILED', 'FAILED RUN_TIMEOUT', 'SUCCESS']);
      expect(ofStarter).toEqual(ofStarter === true ? true : { outcome: 'RAN', status: 'FAILED' });
      expect(run).toEqual({
        status: 'FAILED',
        reason: 'RUN_TIMEOUT',
        detail: 'The import did not end within 4 s.',
      });
      expect(currentDetails).toContain(
        'Ended: FAILED RUN_TIMEOUT. The import did not end within 4 s.',
      );
      // The abandoned fetch has staged its rows after the run was closed.
      await reconcileImports(sync.upkeep);
    },
  );

  test('[ERP-6] sends a request to the ERP once and retries at most three times, after 1, 3 and 9 seconds', async () => {
    const policies = new Map<string, unknown>();
    for (const job of [
      'ORGANIZATIONS',
      'TERMINALS',
      'MENU_LIST',
      'STOP_LIST',
      'ZONES',
      'MENU',
    ] as const) {
      await importNow(job, job === 'MENU' ? 'FULL' : undefined);
      const history = await sync.temporal.workflow.getHandle(toLock(job)).fetchHistory();
      for (const { activityTaskScheduledEventAttributes: scheduled } of history.events ?? [])
        if (/^import|fetch/.test(scheduled?.activityType?.name ?? ''))
          policies.set(scheduled!.activityType!.name!, scheduled!.retryPolicy);
    }

    expect([...policies.keys()].toSorted()).toEqual([
      'fetchAndStage',
      'importMenuList',
      'importOrganizations',
      'importStopLists',
      'importTerminals',
      'importZones',
    ]);
    for (const policy of policies.values()) {
      const { initialInterval, backoffCoefficient, maximumAttempts, maximumInterval } = policy as {
        initialInterval: { seconds: unknown };
        maximumInterval: { seconds: unknown } | null;
        backoffCoefficient: number;
        maximumAttempts: number;
      };
      // The server's default maximum interval, 100 s, shortens none of the intervals.
      expect([Number(initialInterval.seconds), backoffCoefficient, maximumAttempts]).toEqual([
        1, 3, 4,
      ]);
      expect(Number(maximumInterval?.seconds ?? 100)).toBeGreaterThanOrEqual(9);
    }
  });

  test('a server error is retried, and a rejection with Retry-After is retried after that time', async () => {
    await fixture.emulator.control('fault', {
      kind: '429',
      endpoint: '/api/1/stop_lists',
      retryAfter: 1,
    });
    const before = Date.now();

    const run = await importNow('STOP_LIST');

    expect(run).toMatchObject({ status: 'SUCCESS' });
    expect(Date.now() - before).toBeGreaterThan(950);
  });

  test('an unreadable answer fails the run immediately, with its kind as reason', async () => {
    await fixture.emulator.control('fault', {
      kind: 'truncated-json',
      endpoint: '/api/1/organizations',
      times: 9,
    });

    expect(await importNow('ORGANIZATIONS')).toMatchObject({
      status: 'FAILED',
      reason: 'NOT_JSON',
    });
  });

  test('a canceled import closes its run', async () => {
    await slow('/api/1/stop_lists');
    const running = importNow('STOP_LIST');
    const handle = sync.temporal.workflow.getHandle(toLock('STOP_LIST'));
    await eventually('the run is open', async () => {
      const [run] = await selectRows(fixture.db, 'sync_run', '*', {
        status: 'RUNNING',
        job: 'STOP_LIST',
      });
      return run;
    });
    await handle.cancel();

    await expect(running).rejects.toMatchObject({ name: 'WorkflowFailedError' });
    await answered();

    expect(
      await selectRows(
        fixture.db,
        'sync_run',
        ['status', 'reason'],
        { job: 'STOP_LIST' },
        { orderBy: 'id desc', limit: 1 },
      ),
    ).toEqual([{ status: 'FAILED', reason: 'CANCELLED' }]);
  });
});

describe('batches', () => {
  test('[MIR-5] a failed batch rolls the whole run back', async () => {
    await importNow('MENU', 'FULL');
    const prices = () =>
      fixture.db.db
        .selectFrom('mirror_price')
        .select((row) => row.fn.sum<number>('priceKopecks').as('sum'))
        .execute();
    const before = await prices();
    await fixture.emulator.control('reprice', { menuId: '9001', percent: 20 });
    const { connectionId } = fixture;
    const strangers = Array.from({ length: 9 }, (_, at) => ({
      connectionId,
      name: `Stranger ${at}`,
    }));
    await addRows(fixture.db, 'mirror_organization', strangers);
    const last = await selectRow(
      fixture.db,
      'mirror_organization',
      ['erpId'],
      {},
      { orderBy: 'id desc' },
    );
    const endpoint = '/api/menu/v3/by_id';
    await fixture.emulator.control('answer', {
      endpoint,
      organizationId: last.erpId,
      body: { id: '9001', revision: 1 },
    });

    const run = await importNow('MENU', 'FULL');
    await fixture.emulator.control('answer', { endpoint });

    await updateRows(
      fixture.db,
      'mirror_organization',
      { inactiveAt: databaseNow() },
      { name: like('Stranger%') },
    );
    expect(run).toMatchObject({
      status: 'FAILED',
      reason: 'INVALID_ANSWER',
      organizations: 11,
      batches: 2,
    });
    expect(await prices()).toEqual(before);
    expect(await countRows(fixture.db, 'stage_item')).toBe(0);
  });

  test('rows that staging has lost are fetched again', async () => {
    await workers.stop();
    let lost = 0;
    const { createMenuActivities } = await import('../../activities/menu.ts');
    const menu = createMenuActivities({ ...fixture.deps, statementMs: 25_000 });
    workers = await sync.start({
      import: {
        fetchAndStage: async (input: Parameters<typeof menu.fetchAndStage>[0]) => {
          const fetched = await menu.fetchAndStage(input);
          if (lost === 0) await deleteRows(fixture.db, 'stage_size');
          lost += 1;
          return fetched;
        },
      },
    });

    expect(await importNow('MENU', 'FULL')).toMatchObject({ status: 'SUCCESS' });
    expect(lost).toBe(2);
    await workers.stop();
    workers = await sync.start();
  });
});

describe('an asynchronous menu', () => {
  afterEach(() => setting('is_async = false'));

  test.each([
    ['success', { status: 'SUCCESS', reason: null }],
    ['error', { status: 'FAILED', reason: 'ASYNC_MENU_FAILED', detail: 'MenuNotReady' }],
    ['hang', { status: 'FAILED', reason: 'ASYNC_MENU_TIMEOUT' }],
  ])('a menu build that ends in %s', async (mode, expected) => {
    await setting('is_async = true');
    await fixture.emulator.control('async-menu', { menuId: '9001', mode, polls: 2 });

    expect(await importNow('MENU', 'FULL')).toMatchObject(expected);
  });
});

describe('locks', () => {
  const manual = (scope = '9001', mode: RunMode = 'FULL') =>
    startImport(
      { db: fixture.db, temporal: sync.temporal, queues: sync.queues, env: sync.env },
      testActor,
      {
        job: 'MENU',
        scope,
        mode,
      },
    );
  const slowMenu = () => slow('/api/menu/v3/by_id');
  const menuCalls = async () =>
    (await fixture.emulator.control<{ calls: object[] }>('calls?endpoint=/api/menu/v3/by_id')).calls
      .length;

  test('a manual run is rejected while that import runs; its record can be read immediately', async () => {
    await slowMenu();

    const { runId } = await manual();
    const record = await getRun(fixture.db, runId);

    await expect(manual()).rejects.toMatchObject({ kind: 'already-running' });
    expect(record).toMatchObject({
      status: 'RUNNING',
      trigger: 'MANUAL',
      mode: 'FULL',
      externalMenuErpId: '9001',
    });
    await answered();
    await sync.temporal.workflow.getHandle(toLock('MENU')).result();
    expect(await getRun(fixture.db, runId)).toMatchObject({ status: 'SUCCESS' });
    const runs = await fixture.db.db
      .selectFrom('sync_run')
      .where('status', '=', 'RUNNING')
      .select((row) => row.fn.countAll<number>().as('count'))
      .execute();
    expect(runs).toEqual([{ count: 0 }]);
  });

  test.each([
    ['MENU', 'no-such-menu', 'scope', 'not_found'],
    ['STOP_LIST', '999999', 'scope', 'not_found'],
    ['STOP_LIST', 'abc', 'scope', 'invalid'],
  ] as const)(
    'the import %s with the unknown scope %s is rejected',
    async (job, scope, field, code) => {
      const deps = { db: fixture.db, temporal: sync.temporal, queues: sync.queues, env: sync.env };

      await expect(startImport(deps, testActor, { job, scope })).rejects.toMatchObject({
        kind: 'validation',
        details: { errors: [{ field, code }] },
      });
    },
  );

  test('[MIR-35] a tick that finds the import running ends normally', async () => {
    await slowMenu();
    await manual();

    expect(await tick({ job: 'MENU', externalMenuId: menuId })).toEqual({
      outcome: 'ALREADY_RUNNING',
    });
    await answered();
    await sync.temporal.workflow.getHandle(toLock('MENU')).result();
  });

  test('[MIR-33] the nightly full import runs after an incremental one that runs at its time', async () => {
    await importNow('MENU', 'FULL');
    await slowMenu();
    const before = await menuCalls();
    await manual('9001', 'INCREMENTAL');
    await eventually('the incremental run asks for the menu', async () =>
      (await menuCalls()) > before ? true : undefined,
    );

    const nightly = await tick({ job: 'MENU', markFullDue: true });
    await answered();
    await sync.temporal.workflow.getHandle(toLock('MENU')).result();
    const next = await tick({ job: 'MENU', externalMenuId: menuId });

    expect(nightly).toEqual({ outcome: 'ALREADY_RUNNING' });
    expect(next).toEqual({ outcome: 'RAN', status: 'SUCCESS' });
    const [last] = await selectRows(
      fixture.db,
      'sync_run',
      ['mode', 'trigger'],
      { job: 'MENU' },
      { orderBy: 'id desc', limit: 1 },
    );
    expect(last).toEqual({ mode: 'FULL', trigger: 'SCHEDULE' });
    expect(await selectRows(fixture.db, 'mirror_external_menu', ['fullDue'])).toEqual([
      { fullDue: false },
    ]);
  });

  longTest(
    'a rejected shrink clears the request for a full import, so prices continue to be imported',
    async () => {
      await importNow('MENU', 'FULL');
      await fixture.emulator.control('vanish', { menuId: '9001', percent: 50 });

      await tick({ job: 'MENU', markFullDue: true });
      const refused = await selectRows(
        fixture.db,
        'sync_run',
        ['mode', 'reason'],
        { job: 'MENU' },
        { orderBy: 'id desc', limit: 1 },
      );
      const next = await importNow('MENU');

      expect(refused).toEqual([{ mode: 'FULL', reason: 'SUSPICIOUS_SHRINK' }]);
      expect(next).toMatchObject({ mode: 'INCREMENTAL', status: 'SUCCESS' });
    },
  );
});

longTest(
  'the nightly full import of a paused menu takes place at the first run after the pause',
  async () => {
    const { connectionId } = fixture;
    const lastRun = async () =>
      (
        await selectRows(
          fixture.db,
          'sync_run',
          ['mode', 'status', 'reason'],
          { job: 'MENU' },
          { orderBy: 'id desc', limit: 1 },
        )
      )[0];
    const pause = await pauseImport(fixture, testActor, {
      connectionId,
      job: 'MENU',
      reason: 'the kitchen moves',
    });
    await tick({ job: 'MENU', markFullDue: true });
    const skipped = await lastRun();
    const marked = await selectRows(fixture.db, 'mirror_external_menu', ['fullDue']);
    await endImportPause(fixture, testActor, pause.id);
    await tick({ job: 'MENU', externalMenuId: menuId });

    expect(skipped).toMatchObject({ status: 'SKIPPED', reason: 'PAUSED' });
    expect(marked).toEqual([{ fullDue: true }]);
    expect(await lastRun()).toEqual({ mode: 'FULL', status: 'SUCCESS', reason: null });
    expect(await selectRows(fixture.db, 'mirror_external_menu', ['fullDue'])).toEqual([
      { fullDue: false },
    ]);
  },
);

test('[CON-9, MIR-34] a new connection is imported job by job in their order', async () => {
  const before = await fixture.db.db
    .selectFrom('sync_run')
    .select((row) => row.fn.max('id').as('id'))
    .execute();
  await sync.temporal.workflow.execute('connectionSync', {
    workflowId: `sync/all/${fixture.connectionId}`,
    taskQueue: sync.queues.workflows,
    args: [
      {
        connectionId: fixture.connectionId,
        trigger: 'EVENT',
        timings: sync.upkeep.timings,
        queues: sync.queues,
      },
    ],
  });

  const runs = await selectRows(
    fixture.db,
    'sync_run',
    ['job'],
    { id: above(before[0]!.id) },
    { orderBy: 'id' },
  );
  expect(runs.map((run) => run.job)).toEqual([
    'ORGANIZATIONS',
    'TERMINALS',
    'MENU_LIST',
    'MENU',
    'STOP_LIST',
    'ZONES',
  ]);
});
