import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { importStopLists } from '../../modules/mirror/import-stop-lists.ts';
import {
  acceptHeldBack,
  ordersChanged,
  pausePolls,
  pollingState,
  pollingWorkflow,
  pollNow,
  resumePolls,
  type PollingInput,
} from '../../modules/mirror/messages/polling.ts';
import { listImportPauses, pauseImport } from '../../modules/mirror/pauses/import-pauses.ts';
import {
  pollingStart,
  reconcilePolling,
  wakePolling,
} from '../../modules/mirror/polling/start-polling.ts';
import type { PollJob } from '../../modules/mirror/rules/jobs.ts';
import { openRun } from '../../modules/mirror/runs/open-run.ts';
import { testActor } from '../support/connection.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { orderDesk } from '../support/orders.ts';
import { eventually } from '../support/processes.ts';
import {
  addRow,
  ago,
  countRows,
  databaseNow,
  deleteRows,
  selectRow,
  selectRows,
  updateRows,
} from '../support/rows.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';

const STOP_LISTS = '/api/1/stop_lists';
const OFTEN_MS = 1_000;

let fixture: TestFixture;
let sync: SyncWorker;
let menuId: number;
let workers: { stop(): Promise<void> };
let isRecordRejected = false;

beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture, undefined, {
    SYNC_STOP_LIST_EVERY: OFTEN_MS,
    SYNC_MENU_EVERY: OFTEN_MS,
    ORDER_WATCH_EVERY: OFTEN_MS,
  });
  menuId = await importBasics(fixture);
  await importMenu(fixture, menuId, 'FULL');
  await importStopLists(fixture.deps, {
    runId: await fixture.open('STOP_LIST'),
    connectionId: fixture.connectionId,
  });
  await orderDesk(fixture);
  await updateRows(
    fixture.db,
    'sync_run',
    { status: 'SUCCESS', finishedAt: databaseNow() },
    { status: 'RUNNING' },
  );
  // Events of the fixtures would start the loop and imports.
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() }, { deliveredAt: null });
  workers = await sync.start({
    workflows: {
      openRun: (run: never) =>
        isRecordRejected
          ? Promise.reject(ApplicationFailure.nonRetryable('a key is missing', 'DATABASE_23503'))
          : openRun(fixture.db, run),
    },
  });
});
afterEach(async () => {
  await fixture.emulator.control('clear-faults');
  for (const table of ['erp_circuit', 'erp_hold', 'import_pause'] as const)
    await deleteRows(fixture.db, table);
  await loop()
    .terminate()
    .catch(() => undefined);
});
afterAll(async () => {
  await workers?.stop();
  await sync?.close();
  await fixture?.close();
});

const loop = () => sync.temporal.workflow.getHandle(pollingWorkflow.id(fixture));
const state = async () => (await loop().query(pollingState))!;
const start = (input: Partial<PollingInput> = {}) => {
  const started = pollingStart(sync.product, fixture.connectionId);
  return sync.temporal.workflow.start(pollingWorkflow.type, {
    workflowId: pollingWorkflow.id(fixture),
    taskQueue: sync.queues.workflows,
    args: [{ ...started.input, ...input }],
    typedSearchAttributes: started.attributes,
  });
};
const details = async () =>
  String(
    await loop()
      .query('__temporal_workflow_metadata')
      .then((found) => (found as { currentDetails?: string }).currentDetails),
  );
const polled = (job: PollJob, since = 0) =>
  eventually(`${job} is polled`, async () => {
    const { last } = (await state())[job];
    return last !== null && last.at > since ? last : undefined;
  });
const execution = async () => (await loop().describe()).runId;

describe('the loop of a connection', () => {
  test('[OPS-105, OPS-106] polls every job in the same execution while nothing changes', async () => {
    const before = await sync.temporal.workflow.count();
    await start();
    const runs = await countRows(fixture.db, 'sync_run');
    const first = {
      STOP_LIST: await polled('STOP_LIST'),
      MENU: await polled('MENU'),
      ORDERS: await polled('ORDERS'),
    };
    const later = await polled('STOP_LIST', first.STOP_LIST.at);

    expect(first.STOP_LIST.text).toBe('unchanged');
    expect(first.MENU.text).toBe('1 unchanged');
    expect(first.ORDERS.text).toMatch(/orders/);
    expect(later.at - first.STOP_LIST.at).toBeGreaterThanOrEqual(OFTEN_MS / 2);
    expect(await details()).toMatch(/STOP_LIST: .*last at .*: unchanged/);
    expect(await countRows(fixture.db, 'sync_run')).toBeGreaterThan(runs);
    expect((await sync.temporal.workflow.count()).count).toBeLessThanOrEqual(before.count + 1);
  });

  test('[OPS-105] starts the import of a change under its lock and shows its run and result', async () => {
    const [organization] = await selectRows(
      fixture.db,
      'mirror_organization',
      ['erpId'],
      {},
      { orderBy: 'id' },
    );
    const [item] = await selectRows(
      fixture.db,
      'mirror_item',
      ['erpId'],
      {},
      { orderBy: 'id', limit: 1 },
    );
    await start();
    await polled('STOP_LIST');
    await fixture.emulator.control('stop', {
      organizationId: organization!.erpId,
      itemIds: [item!.erpId],
    });
    const runId = await eventually('the import has ended', async () => {
      const [, run] = /stop-lists: run (\d+) ended: SUCCESS/.exec(await details()) ?? [];
      return run === undefined ? undefined : Number(run);
    });

    expect(
      await selectRow(fixture.db, 'sync_run', ['job', 'trigger', 'status'], { id: runId }),
    ).toEqual({
      job: 'STOP_LIST',
      trigger: 'SCHEDULE',
      status: 'SUCCESS',
    });
  });

  test('[OPS-195] polls the other jobs while the ERP does not answer the requests of one', async () => {
    await fixture.emulator.control('fault', { kind: 'no-answer', endpoint: STOP_LISTS, times: 5 });
    await start();
    const orders = await polled('ORDERS');
    const menus = await polled('MENU');
    await polled('ORDERS', orders.at);
    await polled('MENU', menus.at);

    expect((await state()).STOP_LIST.last).toBeNull();
    expect(await details()).toContain('STOP_LIST: asks the ERP');
  });

  test('[OPS-195] continues after an error of the ERP, with the reason in its details', async () => {
    // With gifts, the orders of all channels are read.
    await addRow(fixture.db, 'reward', { code: 'tart', name: 'Тарт', erpItemId: randomUUID() });
    await fixture.emulator.control('fault', {
      kind: '500',
      endpoint: '/api/1/deliveries/by_revision',
      times: 1,
    });
    await start();
    const failed = await eventually('a poll has failed', async () => {
      const { last } = (await state()).ORDERS;
      return last?.text.startsWith('failed') === true ? last : undefined;
    });
    const next = await polled('ORDERS', failed.at);

    expect(failed.text).toBe('failed: SERVER');
    expect(next.text).not.toContain('failed');
  });

  test('[OPS-195] continues as new with its last results and loses no webhook', async () => {
    await start({ pollsPerRun: 3 });
    const first = await execution();
    for (let times = 0; times < 20; times += 1) await loop().signal(ordersChanged);
    await eventually('it has continued as new', async () =>
      (await execution()) !== first ? true : undefined,
    );
    const { STOP_LIST, MENU, ORDERS } = await eventually(
      'it has read its plan',
      async () => await state(),
    );

    expect([STOP_LIST, MENU, ORDERS].filter(({ last }) => last !== null)).not.toEqual([]);
    await polled('ORDERS', Date.now());
  });

  test('[OPS-195] ends when its connection is disabled, and upkeep restarts a lost one', async () => {
    await start();
    await polled('ORDERS');
    await updateRows(
      fixture.db,
      'connection',
      { status: 'DISABLED' },
      { id: fixture.connectionId },
    );
    await wakePolling(sync.product, fixture.connectionId);
    await loop().result();
    await updateRows(fixture.db, 'connection', { status: 'ACTIVE' }, { id: fixture.connectionId });
    const ended = await execution();
    await eventually('upkeep has started it', async () => {
      await reconcilePolling(sync.product);
      return (await execution()) !== ended ? true : undefined;
    });
    expect((await polled('ORDERS')).text).not.toContain('failed');
  });

  test('[OPS-195] polls other menus and jobs while the import of one menu does not end', async () => {
    await fixture.emulator.control('fault', {
      kind: 'no-answer',
      endpoint: '/api/menu/v3/by_id',
      times: 50,
    });
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: true }, { id: menuId });
    await start();
    const first = await eventually('the import runs', async () =>
      (await details()).includes(`imports menu ${menuId}`) ? polled('MENU') : undefined,
    );
    const next = await polled('MENU', first.at);
    await polled('ORDERS', next.at);
    await updateRows(fixture.db, 'mirror_external_menu', { fullDue: false }, { id: menuId });
    await sync.temporal.workflow
      .getHandle(`sync/menu/${fixture.connectionId}/${menuId}`)
      .terminate();

    expect(next.text).toBe('no menus');
    await eventually('its end is shown', async () =>
      (await details()).includes('the import was canceled or took too long') ? true : undefined,
    );
    // A terminated import leaves its record open.
    await updateRows(
      fixture.db,
      'sync_run',
      { status: 'FAILED', finishedAt: databaseNow() },
      { status: 'RUNNING' },
    );
  });

  test('[OPS-195] continues although an import cannot write its run record', async () => {
    const [organization] = await selectRows(
      fixture.db,
      'mirror_organization',
      ['erpId'],
      {},
      { orderBy: 'id' },
    );
    const [item] = await selectRows(
      fixture.db,
      'mirror_item',
      ['erpId'],
      {},
      { orderBy: 'id desc', limit: 1 },
    );
    isRecordRejected = true;
    await start();
    await polled('ORDERS');
    await fixture.emulator.control('stop', {
      organizationId: organization!.erpId,
      itemIds: [item!.erpId],
    });
    await eventually('the failure is shown', async () =>
      (await details()).includes('stop-lists: failed: DATABASE_23503') ? true : undefined,
    );
    isRecordRejected = false;
    const next = await polled('ORDERS', Date.now());

    expect(next.text).not.toContain('failed');
    await eventually('a later import succeeds', async () =>
      (await details()).includes('ended: SUCCESS') ? true : undefined,
    );
  });

  test('[OPS-195] continues when its connection is disabled and immediately enabled', async () => {
    await start();
    await polled('ORDERS');
    const before = await execution();
    for (const status of ['DISABLED', 'ACTIVE'] as const) {
      await updateRows(fixture.db, 'connection', { status }, { id: fixture.connectionId });
      await wakePolling(sync.product, fixture.connectionId);
    }
    await polled('ORDERS', Date.now());

    expect((await loop().describe()).status.name).toBe('RUNNING');
    expect(await execution()).toBe(before);
  });

  test('[ERP-36] probes a circuit breaker although every job is paused, and rarely if it stays open', async () => {
    for (const job of ['STOP_LIST', 'MENU', 'ORDERS'] as const)
      await pauseImport(fixture, testActor, {
        connectionId: fixture.connectionId,
        job,
        reason: 'an outage',
      });
    await start();
    await eventually(
      'the loop has read its plan',
      async () => (await loop().query(pollingState)) ?? undefined,
    );
    // A probe that is not sent leaves the circuit half-open.
    await updateRows(fixture.db, 'connection', { status: 'ACTIVE' }, { id: fixture.connectionId });
    await updateRows(fixture.db, 'erp_token', {
      refusedAt: databaseNow(),
      expiresAt: ago('1 minute'),
    });
    await addRow(fixture.db, 'erp_circuit', {
      connectionId: fixture.connectionId,
      endpointGroup: 'LOYALTY',
      openedAt: ago('5 minutes'),
      openUntil: ago('1 second'),
      openedTimes: 1,
    });
    const probes = async () =>
      (await loop().fetchHistory()).events!.filter(
        (event) =>
          event.activityTaskScheduledEventAttributes?.activityType?.name === 'probeCircuits',
      ).length;
    await wakePolling(sync.product, fixture.connectionId);
    await eventually('it was probed twice', async () => ((await probes()) >= 2 ? true : undefined));
    const { events } = await loop().fetchHistory();
    const times = events!.flatMap((event) =>
      event.activityTaskScheduledEventAttributes?.activityType?.name === 'probeCircuits'
        ? [Number(event.eventTime!.seconds)]
        : [],
    );
    await updateRows(fixture.db, 'erp_token', { refusedAt: null });
    await eventually('the circuit is closed', async () => {
      const row = await selectRow(fixture.db, 'erp_circuit', ['openUntil'], {
        endpointGroup: 'LOYALTY',
      });
      return row.openUntil === null ? true : undefined;
    });

    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(4);
  });

  test('[ERP-36] probes a circuit breaker when its pause ends', async () => {
    await addRow(fixture.db, 'erp_circuit', {
      connectionId: fixture.connectionId,
      endpointGroup: 'LOYALTY',
      openedAt: ago('1 minute'),
      openUntil: new Date(Date.now() + 1_500),
      openedTimes: 1,
    });
    await start();
    const closed = await eventually('the circuit is closed', async () => {
      const row = await selectRow(fixture.db, 'erp_circuit', ['openUntil'], {
        endpointGroup: 'LOYALTY',
      });
      return row.openUntil === null ? true : undefined;
    });

    expect(closed).toBe(true);
  });
});

describe('requests of operators', () => {
  // The payload of an update is unvalidated.
  const requested = (name: string, args: unknown[]) =>
    loop().executeUpdate(name, { args: args as never });
  const update = {
    poll: (...args: unknown[]) => requested(pollNow.name, args),
    pause: (...args: unknown[]) => requested(pausePolls.name, args),
    resume: (...args: unknown[]) => requested(resumePolls.name, args),
    accept: (...args: unknown[]) => requested(acceptHeldBack.name, args),
  };
  const refusal = (answer: Promise<unknown>) =>
    answer.then(
      () => 'accepted',
      (error: { cause?: { message?: string } }) => error.cause?.message,
    );

  test('[OPS-196] a pause in Temporal is also a pause in the API, and stops the job until it ends', async () => {
    await start();
    await polled('STOP_LIST');
    await update.pause({ job: 'STOP_LIST', by: 'Anna', reason: 'the kitchen moves' });
    const { items } = await listImportPauses(fixture.db, { page: 1, size: 10, all: false });
    const paused = (await state()).STOP_LIST;
    const refused = await refusal(update.poll({ job: 'STOP_LIST' }));
    const before = await selectRows(fixture.db, 'sync_run', ['id'], { job: 'STOP_LIST' });
    await polled('ORDERS', Date.now() + 2 * OFTEN_MS);
    const during = await selectRows(fixture.db, 'sync_run', ['id'], { job: 'STOP_LIST' });
    const found = await eventually('it is found in Temporal', async () =>
      (await sync.temporal.workflow.count(`CartePaused = "STOP_LIST"`)).count > 0
        ? true
        : undefined,
    );
    await update.resume({ job: 'STOP_LIST', by: 'Anna' });
    const resumed = await polled('STOP_LIST', Date.now());

    expect(items).toMatchObject([{ job: 'STOP_LIST', reason: 'the kitchen moves', endedAt: null }]);
    expect(paused.pause).toEqual({ reason: 'the kitchen moves', until: null });
    expect(refused).toBe('STOP_LIST is paused: the kitchen moves');
    expect(during).toEqual(before);
    expect(found).toBe(true);
    expect(resumed.text).toBe('unchanged');
    const entry = { entityType: 'import-pause', action: 'end' } as const;
    expect(await selectRows(fixture.db, 'audit_entry', ['actorName'], entry)).toEqual([
      { actorName: 'Temporal: Anna' },
    ]);
  });

  test('[OPS-196] a pause in the API with an end stops the loop until then', async () => {
    await start();
    await polled('ORDERS');
    const until = new Date(Date.now() + 3 * OFTEN_MS);
    await pauseImport(fixture, testActor, {
      connectionId: fixture.connectionId,
      job: 'ORDERS',
      reason: 'maintenance of the ERP',
      until: until.toISOString(),
    });
    const seen = await eventually(
      'the loop has seen it',
      async () => (await state()).ORDERS.pause ?? undefined,
    );
    const next = await polled('ORDERS', until.getTime());

    expect(seen).toEqual({ reason: 'maintenance of the ERP', until: until.getTime() });
    expect(next.text).not.toContain('failed');
  });

  test('[OPS-197] a poll on request returns its result', async () => {
    await start();
    expect(await update.poll({ job: 'MENU' })).toBe('1 unchanged');
    expect(await update.poll({ job: 'ORDERS' })).toMatch(/orders/);
  });

  test('[OPS-197] an acceptance covers a rejected import of this connection and no other run', async () => {
    await start();
    await polled('ORDERS');
    const runId = await fixture.open('MENU', { externalMenuId: menuId, mode: 'FULL' });
    const shrink = { percent: 40, vanished: 4, before: 10 };
    const refused = {
      status: 'FAILED',
      reason: 'SUSPICIOUS_SHRINK',
      finishedAt: databaseNow(),
      result: { shrink },
    } as const;
    await updateRows(fixture.db, 'sync_run', refused, { id: runId });
    const other = await refusal(
      update.accept({ runId: runId + 1_000, by: 'Anna', reason: 'it is right' }),
    );
    const answer = await refusal(update.accept({ runId, by: 'Anna', reason: 'it is right' }));
    const again = await refusal(update.accept({ runId: 1, by: 'Anna', reason: 'it is right' }));

    expect(other).toBe(`Connection ${fixture.connectionId} has no run ${runId + 1_000}.`);
    expect(answer).toBe('accepted');
    expect(again).toMatch(/./);
    expect(
      await selectRow(fixture.db, 'sync_shrink_acceptance', ['reason'], { refusedRunId: runId }),
    ).toEqual({
      reason: 'it is right',
    });
  });

  test.each([
    ['poll', ['hello'], /^body: /],
    ['poll', [], /^body: /],
    ['poll', [{ job: 'ZONES' }], /^job: /],
    ['pause', [{ job: 'ZONES', by: 'Anna', reason: 'why' }], /^job: /],
    ['pause', [{ job: 'MENU', by: '', reason: 'why' }], /^by: /],
    ['pause', [{ job: 'MENU', by: 'Anna', reason: 'r'.repeat(501) }], /^reason: /],
    ['pause', [{ job: 'MENU', by: 'Anna', reason: 'why', until: 'soon' }], /^until: /],
    [
      'pause',
      [{ job: 'MENU', by: 'Anna', reason: 'why', until: '2001-01-01T00:00:00Z' }],
      /^until: Must be in the future/,
    ],
    ['resume', [{ job: 'MENU', by: 7 }], /^by: /],
    ['accept', [{ runId: 'x', by: 'Anna', reason: 'why' }], /^runId: /],
    ['accept', [{ runId: 1, by: 'Anna', reason: ' ' }], /^reason: /],
  ] as const)(
    '[OPS-197] an invalid %s is rejected with a sentence and leaves no event (%#)',
    async (name, args, sentence) => {
      await start();
      await polled('ORDERS');
      const answer = await refusal(update[name](...args));
      const { events } = await loop().fetchHistory();

      expect(answer).toMatch(sentence);
      expect(
        events!.some((event) => event.workflowExecutionUpdateAcceptedEventAttributes != null),
      ).toBe(false);
    },
  );

  test('[OPS-196] a resume without a pause is rejected', async () => {
    await start();
    await polled('ORDERS');
    expect(await refusal(update.resume({ job: 'MENU', by: 'Anna' }))).toBe('MENU is not paused.');
  });
});
