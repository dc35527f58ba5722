import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { NativeConnection, Worker } from '@temporalio/worker';
import { QUEUES } from '../../../kernel/pure/queues.ts';
import { createLog } from '../../../platform/log.ts';
import { workflowBundle } from '../../../workers/workflow-bundle.ts';
import { eventually } from '../processes.ts';
import { clockAhead } from '../shifted-clock.ts';
import { testCache } from '../temporary-folder.ts';
import { temporalRuntime } from '../temporal-runtime.ts';
import { setCurrent } from '../../../workers/versions.ts';
import type { Scrape } from './firing.ts';
import { erpIsBack, hangingImport } from './imports.ts';
import type { Provocations } from './provocations.ts';
import type { RunbookProduct } from './fixture.ts';
import { above, addRow, ago, column, countRows, selectRow, updateRows } from '../rows.ts';

async function noImports({ client, db }: RunbookProduct): Promise<void> {
  const query = 'CarteCapability = "mirror" and ExecutionStatus = "Running"';
  for await (const { workflowId } of client.workflow.list({ query }))
    await client.workflow
      .getHandle(workflowId)
      .cancel()
      .catch(() => undefined);
  await eventually('no import runs', async () =>
    (await countRows(db, 'sync_run', { status: 'RUNNING' })) === 0 ? true : undefined,
  );
}

async function loseWorker({ running }: RunbookProduct): Promise<void> {
  const { worker } = running;
  running.worker = null;
  await worker?.kill();
}

/** A release whose workflows schedule different commands. */
async function otherRelease(
  { client, product }: RunbookProduct,
  isDone: () => Promise<true | undefined>,
): Promise<void> {
  temporalRuntime();
  // Like `temporal:version unversioned`: a worker without a version gets the tasks.
  await setCurrent(client, QUEUES.workflows, null);
  const bundle = await workflowBundle(testCache, createLog({ service: 'test', level: 'silent' }));
  const code = (await readFile(bundle, 'utf8')).replaceAll('sendOrder', 'sendOtherwise');
  const connection = await NativeConnection.connect({ address: product.temporal.address });
  const { namespace } = product.temporal;
  const options = { connection, namespace, taskQueue: QUEUES.workflows, workflowBundle: { code } };
  const worker = await Worker.create(options);
  await worker.runUntil(eventually('the other release has begun', isDone));
  await connection.close();
}

export const UPKEEP_ALERTS: Provocations = {
  CarteAuditUnsealed: {
    made: 'an entry of 40 minutes ago; the reconciler of this fixture runs only when it is asked to',
    procedures: ['The audit was changed'],
    provoke: async ({ db, perform }) => {
      await perform('seal-audit');
      await addRow(db, 'audit_entry', {
        at: ago('40 minutes'),
        actorType: 'SYSTEM',
        entityType: 'setting',
        entityId: 'canary',
        action: 'test',
      });
      const some = (count: unknown) => Number(count) > 0;
      return {
        row: { unsealed: some, sealed: some },
        ofProcedure: { entity_id: 'canary', action: 'test' },
      };
    },
  },
  CarteStateGroupUnread: {
    made: 'a transaction that locks a table of the group and goes on',
    provoke: async ({ db }) => {
      const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const locking = db.transaction(async (tx) => {
        await tx.query('lock table gift_reconciliation in access exclusive mode');
        locked.resolve();
        await over.promise;
      });
      await Promise.race([locked.promise, locking]);
      return {
        row: { state: 'idle in transaction' },
        undo: async () => {
          over.resolve();
          await locking;
        },
      };
    },
  },
  CarteRetentionOverdue: {
    made: 'a comment of 400 days ago; the reconciler of this fixture runs only when it is asked to',
    provoke: async ({ db, perform }) => {
      const id = randomUUID();
      await addRow(db, 'personal_data', {
        id,
        purpose: 'COMMENT',
        dataEncrypted: 'x',
        createdAt: ago('400 days'),
      });
      return { row: { purpose: 'COMMENT' }, undo: () => perform('delete-outdated') };
    },
  },
  CarteReconcilerSilent: {
    provoke: async ({ db, perform }) => {
      await updateRows(db, 'mirror_reconciled', { at: ago('20 minutes') });
      return {
        row: { ago: (ago: unknown) => JSON.stringify(ago).includes('20') },
        undo: () => perform('apply-schedules'),
      };
    },
  },
  CarteUpkeepStale: {
    made: 'a step that has failed for ten minutes',
    procedures: ['Upkeep'],
    provoke: async ({ db, perform }) => {
      await updateRows(db, 'mirror_reconciled', { at: ago('20 minutes') });
      return {
        row: { ago: (ago: unknown) => JSON.stringify(ago).includes('20') },
        seen: longAgo('carte_upkeep_step_success_timestamp_seconds', { step: 'seal-audit' }),
        undo: () => perform('apply-schedules'),
      };
    },
  },
  CarteRelayStale: {
    made: 'a relay that has failed for five minutes',
    procedures: ['Relays'],
    provoke: async () => ({
      row: { unnumbered: (count: unknown) => Number(count) >= 0 },
      seen: longAgo('carte_relay_success_timestamp_seconds', { relay: 'events' }),
    }),
  },
};

export const PROCESS_ALERTS: Provocations = {
  CarteTaskQueueBacklog: {
    ages: true,
    provoke: async (fixture) => {
      const { admin, connectionId, db } = fixture;
      await erpIsBack(fixture);
      await noImports(fixture);
      fixture.calm = await fixture.scrape();
      const { runId } = await hangingImport(fixture);
      await eventually('the import has begun', async () =>
        (await countRows(db, 'sync_run', { id: runId })) > 0 ? true : undefined,
      );
      await loseWorker(fixture);
      await admin.post('/sync/run', { job: 'ZONES', scope: String(connectionId) });
      await eventually('a task has waited for a second', async () => {
        const { samples } = await fixture.scrape();
        const isOld = samples.some(
          ({ name, value }) => name === 'carte_task_queue_oldest_seconds' && value > 0,
        );
        return isOld ? true : undefined;
      });
      return { row: { job: 'MENU' }, ids: { queue: 'workflows' } };
    },
  },
  CarteWorkerDown: {
    // The previous alert has ended the worker.
    provoke: async ({ calm }) => ({
      row: { application_name: 'carte-api' },
      noRow: { application_name: 'carte-worker' },
      before: calm!,
    }),
  },
  CarteSnapshotDirtyTooLong: {
    provoke: async (fixture) => {
      const { admin, db } = fixture;
      // Edits many products, because some are no longer on a menu.
      const { items } = await admin.get<{ items: { id: number; version: number }[] }>(
        '/products?size=20',
      );
      const subtitle = 'Changed while nobody builds';
      for (const { id, version } of items)
        await admin.patch(`/products/${id}`, { version, subtitle });
      const { organizationId } = await eventually('a build waits', () =>
        selectRow(
          db,
          'snapshot_request',
          ['organizationId'],
          { dirtySeq: above(column('builtSeq')) },
          { limit: 1 },
        ),
      );
      await updateRows(
        db,
        'snapshot_request',
        { dirtyAt: ago('10 minutes') },
        { dirtySeq: above(column('builtSeq')) },
      );
      return {
        row: { organization_id: organizationId },
        ids: { organization: organizationId, id: organizationId, organization_id: organizationId },
      };
    },
  },
  CarteOrdersUntaken: {
    made: 'the time at which the order was accepted',
    procedures: ['The ERP is away'],
    provoke: async (fixture) => {
      const id = await fixture.desk.accepted({ isAnnounced: false });
      await updateRows(fixture.db, 'customer_order', { acceptedAt: ago('5 minutes') }, { id });
      await fixture.startOrder(id);
      return {
        row: { id, state: 'ACCEPTED' },
        ofProcedure: { state: 'ACCEPTED' },
        ids: { order: id, id, organization: fixture.organization.id },
      };
    },
  },
  CarteClockSkew: {
    provoke: async (fixture) => {
      const skewed = await fixture.product.startUnreadyApi({ NODE_OPTIONS: clockAhead(40_000) });
      await eventually('it has measured its clock', async () => {
        const { samples } = await fixture.scrape([skewed]);
        return samples.some(({ name, value }) => name === 'carte_clock_skew_seconds' && value > 30)
          ? true
          : undefined;
      });
      return {
        row: { name: (name: unknown) => String(name).startsWith('api') },
        scraped: [skewed],
        undo: () => skewed.stop(),
      };
    },
  },
  CarteWorkflowsDoNotFit: {
    provoke: async (fixture) => {
      const { client, running, product, db, scrape } = fixture;
      const id = await fixture.desk.accepted({ isAnnounced: false });
      await fixture.startOrder(id);
      await otherRelease(fixture, async () => {
        const { events } = await client.workflow.getHandle(`order/${id}`).fetchHistory();
        return events?.some((event) => event.activityTaskScheduledEventAttributes != null) === true
          ? true
          : undefined;
      });
      running.worker = await product.startWorker();
      // An execution that waits for an activity of another release gets no workflow task by itself.
      await fixture.tell(id);
      const failures = ({ samples }: Scrape) =>
        samples
          .filter(
            ({ name, labels }) =>
              name === FAILED_TASKS && labels['failure_reason'] === 'NonDeterminismError',
          )
          .reduce((sum, { value }) => sum + value, 0);
      // Prometheus detects an increase only after the counter exists.
      const grown = (least: number) =>
        eventually(`${least} failed tasks`, async () => {
          const found = await scrape();
          return failures(found) >= least ? found : undefined;
        });
      const before = await grown(1);
      await grown(failures(before) + 1);
      // The import is stopped during the check.
      await noImports(fixture);
      const { runId, undo } = await hangingImport(fixture);
      await updateRows(db, 'sync_run', { startedAt: ago('20 minutes') }, { id: runId });
      return { row: { job: 'MENU' }, before, undo };
    },
  },
  CarteTemporalUnreachable: {
    provoke: async (fixture) => {
      const alone = await fixture.product.startApi({ TEMPORAL_ADDRESS: '127.0.0.1:9' });
      return {
        row: { events: (count: unknown) => Number(count) > 0 },
        scraped: [alone],
        undo: () => alone.stop(),
      };
    },
    procedures: ['Total loss of Temporal'],
  },
  CarteApiDown: {
    provoke: async ({ running }) => {
      const { api } = running;
      running.api = null;
      await api?.stop();
      return { row: { count: 0 } };
    },
  },
};

const FAILED_TASKS = 'temporal_workflow_task_execution_failed';

/** Makes the last success of this series 20 minutes old. */
const longAgo =
  (metric: string, wanted: Readonly<Record<string, string>>) =>
  (found: Scrape): Scrape => ({
    ...found,
    samples: found.samples.map((sample) => {
      const isIt = Object.entries(wanted).every(([label, value]) => sample.labels[label] === value);
      return sample.name === metric && isIt ? { ...sample, value: found.at - 1_200 } : sample;
    }),
  });
