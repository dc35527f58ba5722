import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reconcilePins } from '../../modules/menus/snapshot/watch-pin.ts';
import { buildSnapshot, type SnapshotDeps } from '../../modules/menus/snapshot/build-snapshot.ts';
import { pinRevision, unpinRevision } from '../../modules/menus/snapshot/pin-revision.ts';
import { snapshotPinChanged, snapshotPinWorkflow } from '../../modules/menus/messages/snapshot.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { STAFF } from '../support/catalog-fixtures.ts';
import { menuRows, type MenuRows } from '../support/menu-rows.ts';
import { mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import { longTest } from '../support/repetitions.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { databaseNow, selectRows, updateRows } from '../support/rows.ts';

let fixture: TestFixture;
let sync: SyncWorker;
let worker: Awaited<ReturnType<SyncWorker['start']>>;
let rows: MenuRows;
let deps: SnapshotDeps;
beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
  worker = await sync.start();
  rows = menuRows(fixture.db);
  deps = {
    db: fixture.db,
    log: createLog({ service: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
  };
});
afterAll(async () => {
  await worker.stop();
  await sync.close();
  await fixture.close();
});

async function restaurant() {
  const place = await rows.restaurant();
  const { productId } = await rows.dish({ ...place, prices: { [place.organizationId]: 25_000 } });
  for (const name of ['Щи', 'Борщ']) {
    await updateRows(fixture.db, 'catalog_product', { name }, { id: productId });
    await buildSnapshot(deps, place.organizationId);
  }
  return place.organizationId;
}
const pin = (organizationId: number, ms: number) =>
  pinRevision(fixture, STAFF, organizationId, {
    revision: 1,
    reason: 'Сбой',
    until: new Date(Date.now() + ms),
  });
const deliver = () => sync.delivery.deliver();
const shows = (organizationId: number, name: string) =>
  eventually(`the menu shows ${name}`, async () => {
    const [row] = await selectRows(fixture.db, 'snapshot', ['payload'], { organizationId });
    return row?.payload.toString('utf8').includes(`"name":"${name}"`) === true ? true : undefined;
  });
const pins = (organizationId: number) =>
  selectRows(fixture.db, 'snapshot_pin', '*', { organizationId });
const ended = (organizationId: number) =>
  sync.temporal.workflow.getHandle(snapshotPinWorkflow.id({ organizationId })).result();

test('[SNP-20] a pin ends at its time by its timer and triggers the rebuild', async () => {
  const organizationId = await restaurant();
  await pin(organizationId, 2_500);
  await deliver();

  await ended(organizationId);

  expect(await pins(organizationId)).toEqual([]);
  expect(
    await selectRows(fixture.db, 'audit_entry', ['actorType as actor'], {
      action: 'pin-ended',
      entityId: String(organizationId),
    }),
  ).toEqual([{ actor: 'SYSTEM' }]);
  await deliver();
  await shows(organizationId, 'Борщ');
});

test('a pin that is removed early ends its timer', async () => {
  const organizationId = await restaurant();
  await pin(organizationId, 3_600_000);
  await deliver();
  await shows(organizationId, 'Щи');
  await unpinRevision(fixture, STAFF, organizationId, { reason: 'Исправлено' });
  await deliver();

  await ended(organizationId);
  await shows(organizationId, 'Борщ');
  expect(await pins(organizationId)).toEqual([]);
});

longTest('a pin that changes often continues as new and still ends at its time', async () => {
  const organizationId = await restaurant();
  await pin(organizationId, 3_600_000);
  const workflowId = snapshotPinWorkflow.id({ organizationId });
  const { firstExecutionRunId } = await sync.temporal.workflow.start('snapshotPin', {
    workflowId,
    taskQueue: sync.queues.workflows,
    // The event of the pin may have started an execution.
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    args: [{ organizationId, looksPerRun: 2 }],
  });
  // On a busy worker, several changes cause one check.
  const runId = await eventually('the history begins anew', async () => {
    await sync.temporal.workflow.getHandle(workflowId).signal(snapshotPinChanged);
    const { runId: now } = await sync.temporal.workflow.getHandle(workflowId).describe();
    return now === firstExecutionRunId ? undefined : now;
  });
  await updateRows(fixture.db, 'snapshot_pin', { until: databaseNow() }, { organizationId });
  await sync.temporal.workflow.getHandle(workflowId).signal(snapshotPinChanged);
  await sync.temporal.workflow.getHandle(workflowId).result();

  expect(runId).not.toBe(firstExecutionRunId);
  expect(await pins(organizationId)).toEqual([]);
});

test('[SNP-20] the reconciler ends a pin whose timer was lost with Temporal', async () => {
  const organizationId = await restaurant();
  await pin(organizationId, 3_600_000);
  await updateRows(fixture.db, 'snapshot_pin', { until: databaseNow() }, { organizationId });
  // Simulates the loss of Temporal's database.
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() }, { deliveredAt: null });
  const found = await eventually('the time is over', async () => {
    const { pinsEnded } = await reconcilePins(sync.upkeep);
    return pinsEnded > 0 ? pinsEnded : undefined;
  });
  await ended(organizationId);
  await deliver();
  await shows(organizationId, 'Борщ');

  expect(found).toBe(1);
  expect(await pins(organizationId)).toEqual([]);
});
