import { importLock } from '../../modules/mirror/messages/sync.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { logContext, withLogContext, type LogContext } from '../../platform/log-context.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { selectRows } from '../support/rows.ts';

let fixture: TestFixture;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
const seen: LogContext[] = [];
beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
  await importBasics(fixture);
  workers = await sync.start(
    {
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
  await fixture.close();
});

test('an activity of a child workflow sees the request id, and its failure has an error code', async () => {
  const { connectionId } = fixture;
  await withLogContext({ requestId: 'request-9' }, () =>
    sync.temporal.workflow.execute('syncTick', {
      workflowId: `tick/${randomUUID()}`,
      taskQueue: sync.queues.workflows,
      args: [{ job: 'STOP_LIST', connectionId, queues: sync.queues }],
    }),
  );

  const [run] = await selectRows(
    fixture.db,
    'sync_run',
    ['reason'],
    { job: 'STOP_LIST' },
    { orderBy: 'id desc', limit: 1 },
  );
  // A violated constraint would be violated again, so there is only one attempt.
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
