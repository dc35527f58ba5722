import { snapshotRebuildWorkflow } from '../../modules/menus/rebuilds/messages/rebuilds.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { markDirty } from '../../modules/menus/rebuilds/mark-dirty.ts';
import { reconcileRebuilds } from '../../modules/menus/rebuilds/reconcile-rebuilds.ts';
import { wakeRebuilds } from '../../modules/menus/rebuilds/wake-rebuilds.ts';
import { buildSnapshot } from '../../modules/menus/snapshot/build-snapshot.ts';
import { SLOTS } from '../../workers/roles.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import { longTest } from '../support/repetitions.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { ago, column, databaseNow, selectRows, updateRows } from '../support/rows.ts';

/** More than the slots of any queue. */
const RESTAURANTS = 30;

let fixture: TestFixture;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
let organizationIds: number[];
let builds: number[];
let gate: PromiseWithResolvers<void>;

beforeAll(async () => {
  fixture = await mirrorFixture({ growth: { organizations: RESTAURANTS } });
  sync = await syncWorker(fixture);
  await importBasics(fixture);
  organizationIds = (
    await selectRows(fixture.db, 'mirror_organization', ['id'], {}, { orderBy: 'id' })
  ).map((row) => row.id);
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
  await updateRows(fixture.db, 'snapshot_request', { builtSeq: column('dirtySeq') });
  builds = [];
  gate = Promise.withResolvers();
  workers = await sync.start({
    build: {
      async buildSnapshot({ organizationId }: { organizationId: number }) {
        builds.push(organizationId);
        await gate.promise;
        return buildSnapshot(sync.upkeep, organizationId);
      },
    },
  });
});
afterAll(async () => {
  gate?.resolve();
  await workers?.stop();
  await sync?.close();
  await fixture?.close();
});

const menusLeft = async () =>
  (
    await fixture.db.query<{ left: number }>(
      'select count(*) as left from snapshot_request where dirty_seq > built_seq',
    )
  )[0]!.left;

test('[SNP-44, SNP-45] other work continues while all menus wait for builds, and no menu is built twice', async () => {
  await markDirty(fixture.db, 'menu-import', organizationIds);
  await wakeRebuilds(sync.upkeep, organizationIds);
  await eventually('builds have begun', async () => (builds.length > 0 ? true : undefined));
  await eventually('every rebuild waits for its build', async () => {
    const pending = await Promise.all(
      organizationIds.map(async (id) => {
        const { raw } = await sync.temporal.workflow
          .getHandle(snapshotRebuildWorkflow.id({ organizationId: id }))
          .describe();
        return (raw.pendingActivities ?? []).length;
      }),
    );
    return pending.every((count) => count === 1) ? true : undefined;
  });

  expect(builds).toHaveLength(SLOTS.build);
  // An activity of the queue of workflows, where menus take no slot.
  await sync.temporal.workflow.execute('mediaSweep', {
    workflowId: 'sweep-in-the-storm',
    taskQueue: sync.queues.workflows,
    args: [],
  });
  await updateRows(fixture.db, 'snapshot_request', { dirtyAt: ago('1 hour') });
  await reconcileRebuilds(sync.upkeep);
  await reconcileRebuilds(sync.upkeep);
  gate.resolve();
  await eventually('every menu is built', async () =>
    (await menusLeft()) === 0 ? true : undefined,
  );
  await Promise.all(
    organizationIds.map((id) =>
      sync.temporal.workflow.getHandle(snapshotRebuildWorkflow.id({ organizationId: id })).result(),
    ),
  );

  expect(builds.toSorted((a, b) => a - b)).toEqual(organizationIds);
});

longTest(
  '[SNP-44] new rebuilds wait for a build worker, and no other work waits for them',
  async () => {
    await workers.stop();
    workers = await sync.start({}, { role: 'sync' });
    await markDirty(fixture.db, 'menu-import', organizationIds);
    await wakeRebuilds(sync.upkeep, organizationIds);
    await sync.temporal.workflow.execute('mediaSweep', {
      workflowId: 'sweep-beside-woken-rebuilds',
      taskQueue: sync.queues.workflows,
      args: [],
    });
    const steps = await Promise.all(
      organizationIds.map(
        async (id) =>
          (
            await sync.temporal.workflow
              .getHandle(snapshotRebuildWorkflow.id({ organizationId: id }))
              .describe()
          ).raw.workflowExecutionInfo?.taskQueue,
      ),
    );
    const leftByOthers = await menusLeft();
    const builder = await sync.start({}, { delivers: false, role: 'build' });
    await eventually('every menu is built', async () =>
      (await menusLeft()) === 0 ? true : undefined,
    );
    await builder.stop();

    expect(new Set(steps)).toEqual(new Set([sync.queues.build]));
    expect(leftByOthers).toBe(RESTAURANTS);
  },
);
