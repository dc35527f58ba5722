import { importLock } from '../../modules/mirror/messages/sync.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { activityInfo } from '@temporalio/activity';
import { logContext, withLogContext, type LogContext } from '../../platform/log-context.ts';
import { importBasics, mirrorWorld, type TestWorld } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { selectRows } from '../support/rows.ts';

const SWEEP = 'media-sweep/slow';

let world: TestWorld;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
/** Contexts that activities received. */
const seen: LogContext[] = [];
const attempts: number[] = [];
beforeAll(async () => {
  world = await mirrorWorld();
  sync = await syncWorker(world);
  await importBasics(world);
  workers = await sync.start(
    {
      workflows: {
        sweepMedia: async () => {
          attempts.push(activityInfo().attempt);
          await eventually('the server has heard of it', async () => {
            const { raw } = await sync.temporal.workflow.getHandle(SWEEP).describe();
            const { lastHeartbeatTime: heard, lastStartedTime: begun } = raw.pendingActivities?.[0] ?? {};
            return Number(heard?.seconds ?? 0) > Number(begun?.seconds) ? true : undefined;
          });
          return { next: null, removed: 0 };
        },
      },
      erp: {
        importStopLists: async () => {
          seen.push(logContext());
          throw Object.assign(new Error('deadlock detected'), { code: '23505' });
        },
      },
    },
    { delivers: false },
  );
});
afterAll(async () => {
  await workers?.stop();
  await sync.close();
  await world.close();
});

test('the id of a request reaches the activities of the child of a workflow, and a fault has a code', async () => {
  const { connectionId } = world;
  await withLogContext({ requestId: 'request-9' }, () =>
    sync.temporal.workflow.execute('syncTick', {
      workflowId: `tick/${randomUUID()}`,
      taskQueue: sync.queues.workflows,
      args: [{ job: 'STOP_LIST', connectionId, queues: sync.queues }],
    }),
  );

  const [run] = await selectRows(
    world.db,
    'sync_run',
    ['reason'],
    { job: 'STOP_LIST' },
    { orderBy: 'id desc', limit: 1 },
  );
  // A broken constraint breaks again: one try.
  expect(seen).toEqual([
    {
      requestId: 'request-9',
      workflowId: importLock({ job: 'STOP_LIST', connectionId }),
      runId: expect.any(String),
      activity: 'importStopLists',
    },
  ]);
  expect(run).toEqual({ reason: 'DATABASE_23505' });
});

test('an activity with a heartbeat time-out heartbeats without doing anything for it', async () => {
  await sync.temporal.workflow.execute('mediaSweep', {
    workflowId: SWEEP,
    taskQueue: sync.queues.workflows,
    args: [{ heartbeatMs: 8_000 }],
  });

  expect(attempts).toEqual([1]);
});
