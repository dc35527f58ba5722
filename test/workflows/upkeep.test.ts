import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createUpkeepActivities, upkeepSteps } from '../../activities/upkeep.ts';
import {
  upkeepNow,
  upkeepWorkflow,
  type UpkeepResult,
} from '../../modules/mirror/messages/upkeep.ts';
import { watchSchedules } from '../../modules/mirror/schedules/watch-schedules.ts';
import { startUpkeep } from '../../modules/mirror/start-upkeep.ts';
import { createLog } from '../../platform/log.ts';
import { reportingTo, type Progress } from '../../platform/progress.ts';
import { mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import { parseSamples } from '../support/metrics-text.ts';
import { addRow, ago, countRows, databaseNow, updateRows } from '../support/rows.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';

let fixture: TestFixture;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };

beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture, undefined, { RECONCILE_EVERY: 1_000 });
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() }, { deliveredAt: null });
  workers = await sync.start();
});
afterEach(
  async () =>
    void (await loop()
      .terminate()
      .catch(() => undefined)),
);
afterAll(async () => {
  await workers?.stop();
  await sync?.close();
  await fixture?.close();
});

const loop = () => sync.temporal.workflow.getHandle(upkeepWorkflow.id({}));
const details = async () =>
  ((await loop().query('__temporal_workflow_metadata')) as { currentDetails?: string })
    .currentDetails ?? '';
const activityRuns = async () =>
  (await loop().fetchHistory()).events!.filter(
    (event) => event.activityTaskCompletedEventAttributes != null,
  ).length;
const run = (...args: unknown[]) => loop().executeUpdate(upkeepNow.name, { args: args as never });
const runActivity = (deps = sync.upkeep, steps?: string[]) =>
  new MockActivityEnvironment().run(
    createUpkeepActivities(deps).runUpkeep,
    steps === undefined ? {} : { steps },
  ) as Promise<UpkeepResult>;
const findText = ({ steps }: UpkeepResult, step: string) =>
  steps.find(({ name }) => name === step)?.text;

test('[OPS-102] every step repeats, with its last result in the details', async () => {
  await startUpkeep(sync.product);
  await startUpkeep(sync.product);
  await addRow(fixture.db, 'idempotency_key', {
    scope: 's',
    key: 'old',
    fingerprint: 'x',
    status: 201,
    createdAt: ago('25 hours'),
  });
  await eventually('an old key is deleted', async () =>
    (await countRows(fixture.db, 'idempotency_key')) === 0 ? true : undefined,
  );
  await eventually('it has run twice', async () =>
    (await activityRuns()) >= 2 ? true : undefined,
  );
  const found = await details();

  for (const name of Object.keys(upkeepSteps(sync.upkeep))) expect(found).toContain(`${name}: `);
  expect((await sync.temporal.workflow.count('WorkflowType = "upkeep"')).count).toBe(1);
});

test('[OPS-102, OPS-104] a failed step is counted and does not stop the other steps', async () => {
  const deleteOutdated = async () => {
    throw Object.assign(new Error('no such table'), { code: '42P01' });
  };
  const began = Date.now() / 1000;
  const result = await runActivity({ ...sync.upkeep, deleteOutdated });
  const succeeded = parseSamples(await fixture.metrics.registry.metrics()).filter(
    ({ name, value }) =>
      name === 'carte_upkeep_step_success_timestamp_seconds' && value > began + 0.01,
  );
  const samples = parseSamples(await fixture.metrics.registry.metrics());

  expect(findText(result, 'delete-outdated')).toBe('failed: 42P01');
  expect(result.steps.filter(({ isFailed }) => isFailed)).toHaveLength(1);
  expect(succeeded.map(({ labels }) => labels['step'])).toContain('seal-audit');
  expect(succeeded.map(({ labels }) => labels['step'])).not.toContain('delete-outdated');
  expect(result.steps).toHaveLength(Object.keys(upkeepSteps(sync.upkeep)).length);
  expect(
    samples.find(
      ({ name, labels }) =>
        name === 'carte_upkeep_step_duration_seconds_count' &&
        labels['step'] === 'delete-outdated' &&
        labels['outcome'] === 'failed',
    )?.value,
  ).toBe(1);
});

test('[OPS-102] a step that hangs is not started a second time, and the others still run', async () => {
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  const activities = createUpkeepActivities({
    ...sync.upkeep,
    deleteOutdated: async () => {
      begun += 1;
      await gate.promise;
      return {};
    },
  });
  const environment = new MockActivityEnvironment();
  const first = environment.run(activities.runUpkeep, {}) as Promise<UpkeepResult>;
  await eventually('the step hangs', async () => (begun === 1 ? true : undefined));
  const second = (await new MockActivityEnvironment().run(
    activities.runUpkeep,
    {},
  )) as UpkeepResult;
  const hungAt = Date.now() / 1000;
  gate.resolve();
  await first;
  const third = (await new MockActivityEnvironment().run(activities.runUpkeep, {})) as UpkeepResult;

  const late = parseSamples(await fixture.metrics.registry.metrics()).find(
    ({ name, labels }) =>
      name === 'carte_upkeep_step_success_timestamp_seconds' &&
      labels['step'] === 'delete-outdated',
  );

  expect(late!.value).toBeGreaterThan(hungAt);
  expect(findText(second, 'delete-outdated')).toBe('still runs since an earlier minute');
  expect(findText(second, 'seal-audit')).toBe('nothing to do');
  expect(findText(third, 'delete-outdated')).toBe('nothing to do');
  expect(begun).toBe(2);
});

test('[OPS-102] a heartbeat names the running steps', async () => {
  const reports: Progress[] = [];
  const port = {
    report: (progress: Progress) => void reports.push(progress),
    earlier: {},
    everyMs: 1_000,
  };
  await reportingTo(port, () => runActivity(sync.upkeep, ['seal-audit']));

  expect(reports).toContainEqual({ running: 'seal-audit', ended: 0, of: 1 });
});

test('[OPS-102] operators run single steps immediately and receive their results', async () => {
  await startUpkeep(sync.product);
  await eventually('it has run', async () => ((await details()) === '' ? undefined : true));
  await addRow(fixture.db, 'idempotency_key', {
    scope: 's',
    key: 'old',
    fingerprint: 'x',
    status: 201,
    createdAt: ago('25 hours'),
  });

  expect(await run({ steps: ['seal-audit'] })).toBe('seal-audit: nothing to do');
  expect(await run({})).toMatch(/patch-due-hours: nothing to do[^]*seal-audit/);
});

test.each([
  ['hello', /^body: /],
  [{ steps: 'seal-audit' }, /^steps: must be a list of patch-due-hours/],
  [{ steps: ['seal-audit', 'drop-tables'] }, /^steps: must be a list of patch-due-hours/],
])('[OPS-102] a request for %j is rejected with a sentence', async (request, sentence) => {
  await startUpkeep(sync.product);
  await eventually('it has run', async () => ((await details()) === '' ? undefined : true));
  const refusal = await run(request).catch(
    (error: { cause?: { message?: string } }) => error.cause?.message,
  );

  expect(refusal).toMatch(sentence);
});

test('[OPS-102] the upkeep continues as new with its last results', async () => {
  const { workflowId } = await sync.temporal.workflow.start('upkeep', {
    workflowId: upkeepWorkflow.id({}),
    taskQueue: sync.queues.workflows,
    args: [{ roundsPerRun: 1 }],
  });
  const first = (await sync.temporal.workflow.getHandle(workflowId).describe()).runId;
  const next = await eventually('it has continued as new', async () => {
    const { runId } = await sync.temporal.workflow.getHandle(workflowId).describe();
    return runId === first ? undefined : runId;
  });
  expect(next).not.toBe(first);
});

test('[MIR-46, OPS-102] workers start loops that were ended or lost with Temporal', async () => {
  const log = createLog({ service: 'test', level: 'silent' });
  const end = await watchSchedules({ ...sync.product, log }, 100);
  const first = (await loop().describe()).runId;
  await loop().terminate();
  await eventually('upkeep runs again', async () => {
    const { runId, status } = await loop().describe();
    return runId !== first && status.name === 'RUNNING' ? true : undefined;
  });
  const polling = await eventually('the connection is polled', async () => {
    const found = await sync.temporal.workflow
      .getHandle(`polling/${fixture.connectionId}`)
      .describe();
    return found.status.name === 'RUNNING' ? found : undefined;
  });
  await end();
  await sync.temporal.workflow.getHandle(polling.workflowId).terminate();

  expect(polling.memo).toEqual({ connectionId: fixture.connectionId });
});
