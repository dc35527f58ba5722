import { snapshotPinWorkflow } from '../../modules/menus/messages/snapshot.ts';
import { watchPin } from '../../modules/menus/snapshot/watch-pin.ts';
import { snapshotRebuildWorkflow } from '../../modules/menus/rebuilds/messages/rebuilds.ts';
import { incidentWorkflow } from '../../modules/binding/messages/binding.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { signalIncidents } from '../../modules/binding/wake-bindings.ts';
import { startImportWorkflow } from '../../modules/mirror/runs/start-import.ts';
import { markDirty } from '../../modules/menus/rebuilds/mark-dirty.ts';
import { reconcileRebuilds } from '../../modules/menus/rebuilds/reconcile-rebuilds.ts';
import { wakeRebuilds } from '../../modules/menus/rebuilds/wake-rebuilds.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { eventually } from '../support/processes.ts';
import { wordIn } from '../support/workflow-outcomes.ts';
import { ago, selectRow, selectRows, updateRows } from '../support/rows.ts';

// No worker runs before the last test, so all summaries are from the start of the workflows.
let fixture: TestFixture;
let sync: SyncWorker;
let externalMenuId: number;
beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture);
  externalMenuId = await importBasics(fixture);
  await importMenu(fixture, externalMenuId, 'FULL');
});
afterAll(async () => {
  await sync?.close();
  await fixture?.close();
});

async function shown(workflowId: string): Promise<{ summary: string | undefined; memo: unknown }> {
  const description = await sync.temporal.workflow.getHandle(workflowId).describe();
  return { summary: await description.staticSummary(), memo: description.memo };
}

test('[OPS-32] a rebuild names its restaurant, however it is started', async () => {
  const [first, second] = await selectRows(
    fixture.db,
    'mirror_organization',
    ['id', 'name'],
    {},
    { orderBy: 'id', limit: 2 },
  );
  await markDirty(fixture.db, 'menu-import', [first!.id, second!.id]);
  await wakeRebuilds(sync.upkeep, [first!.id]);
  await updateRows(fixture.db, 'snapshot_request', { dirtyAt: ago('1 hour') });
  await reconcileRebuilds(sync.upkeep);

  for (const { id, name } of [first!, second!])
    expect(await shown(snapshotRebuildWorkflow.id({ organizationId: id }))).toEqual({
      summary: name,
      memo: { organizationId: id },
    });
});

test('[OPS-109] a pin names its restaurant', async () => {
  const restaurant = await selectRow(fixture.db, 'mirror_organization', ['id', 'name']);
  await watchPin(sync.upkeep, restaurant.id);

  expect(await shown(snapshotPinWorkflow.id({ organizationId: restaurant.id }))).toEqual({
    summary: restaurant.name,
    memo: { organizationId: restaurant.id },
  });
});

test('[OPS-32] an incident names its dish, shortened to the limit of Temporal', async () => {
  const name = '😋'.repeat(300);
  const [incident] = await fixture.db.query<{ id: number }>(
    `with product as (insert into catalog_product (slug, name) values ('cut', $1) returning id),
          variant as (insert into catalog_variant (product_id, item_size_id, is_default)
                   select product.id, (select min(id) from mirror_item_size), true from product returning id, product_id)
     insert into binding_incident (type, severity, status, product_id, variant_id, last_known, evaluation)
     select 'ITEM_MISSING', 'CRITICAL', 'OPEN', product_id, id, '{}', 1 from variant returning id`,
    [name],
  );
  await signalIncidents(sync.upkeep, [incident!.id], 'opened');

  expect(await shown(incidentWorkflow.id({ incidentId: incident!.id }))).toEqual({
    summary: '😋'.repeat(100),
    memo: { incidentId: incident!.id },
  });
});

test('[OPS-32] an import shows the ids of its connection, menu and run', async () => {
  const [{ id: connectionId } = { id: 0 }] = await selectRows(fixture.db, 'connection', ['id']);
  const input = {
    job: 'MENU' as const,
    connectionId,
    externalMenuId,
    runId: 77,
    trigger: 'MANUAL' as const,
  };
  expect(await startImportWorkflow(sync.upkeep, input)).toBe(true);

  const { memo } = await shown(`sync/menu/${connectionId}/${externalMenuId}`);
  expect(memo).toEqual({ connectionId, externalMenuId, runId: 77 });
});

type HistoryEvent = NonNullable<
  Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']
>[number];

/** Returns the summary of each step of a history, by kind. */
async function readSteps(
  workflowId: string,
): Promise<{ activities: string[]; local: string[]; timers: string[] }> {
  const handle = sync.temporal.workflow.getHandle(workflowId);
  await handle.result();
  const { events } = await handle.fetchHistory();
  const about = (isStep: (event: HistoryEvent) => unknown): string[] =>
    (events ?? []).filter(isStep).map(({ userMetadata }) => {
      const summary = userMetadata?.summary;
      return summary == null ? 'nothing' : defaultPayloadConverter.fromPayload<string>(summary);
    });
  return {
    activities: about((event) => event.activityTaskScheduledEventAttributes),
    local: about(
      (event) => event.markerRecordedEventAttributes?.markerName === 'core_local_activity',
    ),
    timers: about((event) => event.timerStartedEventAttributes),
  };
}

test('[OPS-50, OPS-190] every step of a history has a summary, and a rebuild shows its cause', async () => {
  const [{ id: connectionId } = { id: 0 }] = await selectRows(fixture.db, 'connection', ['id']);
  const [{ id: organizationId } = { id: 0 }] = await fixture.db.db
    .selectFrom('mirror_organization')
    .select((row) => row.fn.min('id').as('id'))
    .execute();
  const menu = await selectRow(fixture.db, 'mirror_external_menu', ['erpId'], {
    id: externalMenuId,
  });
  const worker = await sync.start();
  try {
    const anImport = await readSteps(`sync/menu/${connectionId}/${externalMenuId}`);
    expect(anImport.activities).toEqual([
      `Fetch menu ${menu.erpId} of the ERP, batch 1: 2 restaurants`,
    ]);
    expect(anImport.local).toEqual([
      `Open the record of an import: MENU, connection ${connectionId}, menu ${externalMenuId}`,
      `Select the scope of run 77 for menu ${externalMenuId}`,
      'Close the record of run 77: SKIPPED',
    ]);
    const rebuild = await readSteps(snapshotRebuildWorkflow.id({ organizationId }));
    expect(rebuild.activities[0]).toBe(`Build the public menu of organization ${organizationId}`);
    expect(rebuild.timers[0]).toBe('Until the changes pause');
    const found = sync.temporal.workflow.list({
      query: `CarteConnectionId = ${connectionId} and CarteRunKind = 'MENU'`,
    });
    await eventually(
      'the import is found by its connection',
      async () => (await Array.fromAsync(found))[0],
    );
    const rebuildId = snapshotRebuildWorkflow.id({ organizationId });
    expect(await wordIn(sync.temporal, rebuildId, 'CarteTrigger')).toBe('menu-import');
  } finally {
    await worker.stop();
  }
});
