import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { endBusyModes, setBusyMode } from '../../modules/delivery/busy-mode/busy-mode.ts';
import { endDueBusyModes } from '../../modules/delivery/busy-mode/end-busy-mode.ts';
import { busyModeChanged, busyModeWorkflow } from '../../modules/delivery/messages/busy-mode.ts';
import { STAFF } from '../support/catalog-fixtures.ts';
import { menuRows } from '../support/menu-rows.ts';
import { mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import { longTest } from '../support/repetitions.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { runStep } from '../support/upkeep.ts';
import { above, databaseNow, selectRows, updateRows } from '../support/rows.ts';

type Worker = Awaited<ReturnType<SyncWorker['start']>>;

let fixture: TestFixture;
let sync: SyncWorker;
let worker: Worker | undefined;
let organizationIds: number[];
let audited = 0;
const lastEntry = async () =>
  (await selectRows(fixture.db, 'audit_entry', ['id'], {}, { orderBy: 'id desc', limit: 1 }))[0]
    ?.id ?? 0;
beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
  const rows = menuRows(fixture.db);
  const connectionId = await rows.connection();
  organizationIds = [
    (await rows.organization(connectionId)).id,
    (await rows.organization(connectionId)).id,
  ];
  worker = await sync.start();
});
afterAll(async () => {
  await worker?.stop();
  await sync?.close();
  await fixture?.close();
});
beforeEach(async () => {
  audited = await lastEntry();
});

const busy = (organizationId: number, ms: number) =>
  setBusyMode({ db: fixture.db, env: sync.env }, STAFF, organizationId, {
    extraMinutes: 20,
    until: new Date(Date.now() + ms).toISOString(),
  });
const deliver = () => sync.delivery.deliver();
const handle = () => sync.temporal.workflow.getHandle(busyModeWorkflow.id({}));
const modes = () =>
  selectRows(fixture.db, 'busy_mode', ['organizationId'], {}, { orderBy: 'organizationId' });
const endings = () =>
  selectRows(fixture.db, 'audit_entry', ['actorType', 'entityId'], {
    entityType: 'busy-mode',
    action: 'ended',
    id: above(audited),
  });
const timerStarted = () =>
  eventually('the timer runs', async () => {
    const { events } = await handle().fetchHistory();
    return events?.some((event) => event.timerStartedEventAttributes != null) === true
      ? true
      : undefined;
  });

test('[FUL-70] busy modes end by a timer at their times, the earliest first', async () => {
  const [first, second] = organizationIds as [number, number];
  await busy(second, 3_600_000);
  await busy(first, 2_500);
  await deliver();

  await eventually('the first has ended', async () =>
    (await modes()).length === 1 ? true : undefined,
  );
  expect(await modes()).toEqual([{ organizationId: second }]);
  expect(await endings()).toEqual([{ actorType: 'SYSTEM', entityId: String(first) }]);

  await endBusyModes(fixture, STAFF, null);
  await deliver();
  await handle().result();
  expect(await modes()).toEqual([]);
});

test('[FUL-70] a busy mode ends on time although its worker stopped before', async () => {
  const [organizationId] = organizationIds as [number];
  await busy(organizationId, 2_500);
  await deliver();
  await timerStarted();
  await worker?.stop();
  worker = undefined;
  const left = await modes();
  worker = await sync.start();
  await handle().result();

  expect(left).toEqual([{ organizationId }]);
  expect(await modes()).toEqual([]);
  expect(await endings()).toEqual([{ actorType: 'SYSTEM', entityId: String(organizationId) }]);
});

test('[FUL-73] a busy mode ends as soon as the database answers again, in a retry of the same call', async () => {
  const [organizationId] = organizationIds as [number];
  let isAway = false;
  let refusals = 0;
  await worker?.stop();
  worker = await sync.start({
    workflows: {
      endDueBusyModes: async () => {
        if (!isAway) return endDueBusyModes(fixture);
        refusals += 1;
        throw new Error('the database is away');
      },
    },
  });
  await busy(organizationId, 2_500);
  await deliver();
  await timerStarted();
  isAway = true;
  await eventually('two calls have failed', async () => (refusals >= 2 ? true : undefined));
  const left = await modes();
  isAway = false;
  await handle().result();

  expect(left).toEqual([{ organizationId }]);
  expect(await modes()).toEqual([]);
  expect(await endings()).toEqual([{ actorType: 'SYSTEM', entityId: String(organizationId) }]);
  const { events } = await handle().fetchHistory();
  const scheduled = (events ?? []).flatMap(
    (event) => event.activityTaskScheduledEventAttributes ?? [],
  );
  const completed = (events ?? []).flatMap(
    (event) => event.activityTaskCompletedEventAttributes ?? [],
  );
  expect(completed).toHaveLength(scheduled.length);
  expect(
    scheduled.map(({ scheduleToCloseTimeout }) => Number(scheduleToCloseTimeout?.seconds)),
  ).toEqual(scheduled.map(() => 86_400));
});

test('[FUL-70] the reconciler ends a busy mode whose timer was lost with Temporal', async () => {
  const [organizationId] = organizationIds as [number];
  await busy(organizationId, 3_600_000);
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() }, { deliveredAt: null });
  await updateRows(fixture.db, 'busy_mode', { until: databaseNow() }, { organizationId });
  const first = await runStep(sync.upkeep, 'reconcile-busy-modes');
  const second = await runStep(sync.upkeep, 'reconcile-busy-modes');

  expect([first, second]).toEqual([{ ended: 1 }, { ended: 0 }]);
  expect(await modes()).toEqual([]);
});

longTest('a busy mode that changes often continues as new', async () => {
  const [organizationId] = organizationIds as [number];
  await busy(organizationId, 3_600_000);
  const { firstExecutionRunId } = await sync.temporal.workflow.start(busyModeWorkflow.type, {
    workflowId: busyModeWorkflow.id({}),
    taskQueue: sync.queues.workflows,
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    args: [{ looksPerRun: 2 }],
  });
  await eventually('the history begins anew', async () => {
    await handle().signal(busyModeChanged);
    const { runId } = await handle().describe();
    return runId === firstExecutionRunId ? undefined : true;
  });
  await endBusyModes(fixture, STAFF, null);
  await handle().signal(busyModeChanged);
  await handle().result();

  expect(await modes()).toEqual([]);
});
