import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { announceProcess } from '../../kernel/running-process.ts';
import { QUEUES } from '../../kernel/pure/queues.ts';
import { importLock } from '../../modules/mirror/messages/sync.ts';
import { bindingEvaluationWorkflow, menuImported } from '../../modules/binding/messages/binding.ts';
import { startImportWorkflow } from '../../modules/mirror/runs/start-import.ts';
import { startWorkflow } from '../../kernel/start-workflow.ts';
import { createLog } from '../../platform/log.ts';
import type { Role } from '../../workers/roles.ts';
import {
  listVersions,
  readDeployment,
  versionText,
  watchVersions,
} from '../../workers/versions.ts';
import { testSecrets } from '../support/connection.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { eventually, startEntry } from '../support/processes.ts';
import { databaseNow, updateRows } from '../support/rows.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';

const OFTEN_MS = 100;
const log = createLog({ service: 'test', level: 'silent' });

let fixture: TestFixture;
let sync: SyncWorker;
let externalMenuId: number;
beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture, undefined, { SHUTDOWN_GRACE: 2_500 });
  externalMenuId = await importBasics(fixture);
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
});
afterAll(async () => {
  await sync?.close();
  await fixture?.close();
});

type Fleet = { stop: () => Promise<void> };
const fleets = new Set<Fleet>();
afterEach(async () => {
  await Promise.all([...fleets].map((fleet) => fleet.stop()));
});

type Overrides = Parameters<SyncWorker['start']>[0];

/** The workers of a release; null is a release without versions. */
async function startFleet(
  release: string | null,
  { role = 'all', override = {} }: { role?: Role; override?: Overrides } = {},
): Promise<Fleet> {
  const versions = release === null ? [] : listVersions(role, release);
  const polledVersions = release === null ? null : versions.map(versionText);
  const name = `worker-${role}@test#${release}`;
  const announced = await announceProcess({ db: fixture.db, secrets: testSecrets, log }, name, {
    polledVersions,
  });
  const workers = await sync.start(override, { role, versions });
  const stopWatch = watchVersions(
    { db: fixture.db, temporal: sync.temporal, log },
    versions,
    OFTEN_MS,
  );
  const fleet = {
    async stop() {
      fleets.delete(fleet);
      await stopWatch();
      await workers.stop();
      await announced.stop();
    },
  };
  fleets.add(fleet);
  return fleet;
}

const readCurrent = async (queue: 'workflows' | 'build') =>
  (await readDeployment(sync.temporal, QUEUES[queue]))?.current ?? null;
const isCurrent = (release: string | null, queue: 'workflows' | 'build' = 'workflows') =>
  eventually(`${release} is current`, async () =>
    (await readCurrent(queue)) === release ? true : undefined,
  );

/** An activity that runs until its worker stops or the test releases the activity. */
function heldFetch() {
  let begun = 0;
  return {
    override: {
      import: {
        async fetchAndStage() {
          begun += 1;
          await Context.current().cancelled;
        },
      },
    },
    begins: () => eventually('the import fetches', async () => (begun > 0 ? true : undefined)),
  };
}

const startMenuImport = () =>
  startImportWorkflow(sync.upkeep, {
    job: 'MENU',
    connectionId: fixture.connectionId,
    externalMenuId,
    mode: 'FULL',
    trigger: 'MANUAL',
    timings: sync.upkeep.timings,
  });
const menuImport = () =>
  sync.temporal.workflow.getHandle(
    importLock({ job: 'MENU', connectionId: fixture.connectionId, externalMenuId }),
  );

/** Workers that have completed tasks of the newest run, in order. */
async function listReleases(workflowId: string): Promise<string[]> {
  const { events } = await sync.temporal.workflow.getHandle(workflowId).fetchHistory();
  const releases = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: task }) =>
    task == null ? [] : [task.deploymentVersion?.buildId ?? 'none'],
  );
  return releases.filter((release, at) => release !== releases[at - 1]);
}

/** An evaluation that waits. Each signal causes a task. */
function heldEvaluation() {
  let isOver = false;
  return {
    override: {
      workflows: { evaluateBindings: async () => ({ graceEndsInMs: isOver ? null : 3_600_000 }) },
    },
    start: () =>
      startWorkflow(
        sync.product,
        bindingEvaluationWorkflow,
        { input: { connectionId: 1 }, attributes: [] },
        'FAIL',
      ),
    handle: () =>
      sync.temporal.workflow.getHandle(bindingEvaluationWorkflow.id({ connectionId: 1 })),
    async end() {
      isOver = true;
      await this.handle().signal(menuImported, null);
      await this.handle().result();
    },
    /** Releases that have continued the workflow after `release`. */
    continuedBy: (release: string) =>
      eventually(`${release} continues the evaluation`, async () => {
        await sync.temporal.workflow.getHandle('binding-evaluation/1').signal(menuImported, null);
        const releases = await listReleases('binding-evaluation/1');
        return releases.at(-1) === release ? releases : undefined;
      }),
  };
}

test('[OPS-187] an execution without a version continues in a versioned release, and back', async () => {
  const evaluation = heldEvaluation();
  const before = await startFleet(null, { override: evaluation.override });
  await evaluation.start();
  await evaluation.continuedBy('none');

  const release = randomUUID();
  await startFleet(release, { override: evaluation.override });
  await isCurrent(release);
  const upgraded = await evaluation.continuedBy(release);
  await temporalVersion('unversioned');
  const returned = await evaluation.continuedBy('none');
  await evaluation.end();
  await before.stop();

  expect(upgraded).toEqual(['none', release]);
  expect(returned).toEqual(['none', release, 'none']);
});

async function temporalVersion(
  ...args: string[]
): Promise<{ code: number | string; lines: unknown[]; output: string }> {
  const started = startEntry('temporal:version', 'workers/temporal-version.ts', args, {
    PATH: process.env['PATH'],
    DATABASE_URL: fixture.url,
    TEMPORAL_ADDRESS: sync.address,
    TEMPORAL_NAMESPACE: sync.namespace,
  });
  const code = await started.exited;
  const output = started.output();
  return {
    code,
    output,
    lines:
      code === 0
        ? output
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
        : [],
  };
}

describe('two releases side by side', () => {
  test('[OPS-181, OPS-182] an import stays with its release, and an evaluation moves to the new one', async () => {
    const [evaluation, fetching] = [heldEvaluation(), heldFetch()];
    await startFleet('r1', { override: { ...evaluation.override, ...fetching.override } });
    await isCurrent('r1');
    await evaluation.start();
    await evaluation.continuedBy('r1');
    await startMenuImport();
    await fetching.begins();

    await startFleet('r2', { override: evaluation.override });
    await isCurrent('r2');
    const releases = await evaluation.continuedBy('r2');
    await menuImport().cancel();
    await menuImport()
      .result()
      .catch(() => undefined);
    const ofImport = await listReleases(menuImport().workflowId);
    await evaluation.end();

    expect(releases).toEqual(['r1', 'r2']);
    expect(ofImport).toEqual(['r1']);
  });

  test('[OPS-182] a release that was rolled back by command does not return by itself', async () => {
    const evaluation = heldEvaluation();
    const [older, newer] = [`a${randomUUID()}`, `b${randomUUID()}`];
    await startFleet(older, { override: evaluation.override });
    await isCurrent(older);
    await startFleet(newer, { override: evaluation.override });
    await isCurrent(newer);
    await evaluation.start();
    await evaluation.continuedBy(newer);

    const unknown = await temporalVersion('no-such-release');
    const rollback = await temporalVersion(older);
    const releases = await evaluation.continuedBy(older);
    const again = await startFleet(newer, { override: evaluation.override });
    await eventually('the rejected release has reviewed', async () => {
      await evaluation.continuedBy(older);
      return true;
    });
    await again.stop();
    const current = await readCurrent('workflows');
    await evaluation.end();

    expect(unknown).toMatchObject({
      code: 1,
      output: expect.stringContaining('no worker of no-such-release runs'),
    });
    expect(rollback.lines).toContainEqual(
      expect.objectContaining({
        queue: 'carte-workflows',
        version: older,
        isCurrent: true,
        hasWorkers: true,
      }),
    );
    expect(rollback.lines).toContainEqual(
      expect.objectContaining({
        queue: 'carte-build',
        version: newer,
        isCurrent: false,
        pinnedExecutions: 0,
      }),
    );
    expect(releases).toEqual([newer, older]);
    expect(current).toBe(older);
  });
});

describe('workers of a release that stop together', () => {
  test('[OPS-183] the import that they leave is continued by the next release', async () => {
    const fetching = heldFetch();
    const [older, newer] = [`a${randomUUID()}`, `b${randomUUID()}`];
    const fleet = await startFleet(older, { override: fetching.override });
    await isCurrent(older);
    await startMenuImport();
    await fetching.begins();
    await fleet.stop();

    await startFleet(newer);
    const imported = await menuImport().result();
    expect(imported).toMatchObject({ status: 'SUCCESS' });
    expect(await listReleases(menuImport().workflowId)).toEqual([older, newer]);
  });

  test('[OPS-183] an earlier release that replaces all workers becomes current without a command', async () => {
    const fetching = heldFetch();
    const [older, newer] = [`a${randomUUID()}`, `b${randomUUID()}`];
    const first = await startFleet(older, { override: fetching.override });
    await isCurrent(older);
    const second = await startFleet(newer, { override: fetching.override });
    await isCurrent(newer);
    await startMenuImport();
    await fetching.begins();
    await first.stop();
    await second.stop();

    await startFleet(older);
    await isCurrent(older);
    const imported = await menuImport().result();
    expect(imported).toMatchObject({ status: 'SUCCESS' });
    expect(await listReleases(menuImport().workflowId)).toEqual([newer, older]);
  });
});

test('[OPS-182] processes of two releases share the work during a gradual replacement', async () => {
  const [older, newer] = [`a${randomUUID()}`, `b${randomUUID()}`];
  const [order, rest, build] = [
    await startFleet(older, { role: 'order' }),
    await startFleet(older, { role: 'sync' }),
    await startFleet(older, { role: 'build' }),
  ];
  await Promise.all([isCurrent(older), isCurrent(older, 'build')]);

  await order.stop();
  await startFleet(newer, { role: 'order' });
  await isCurrent(newer);
  await startMenuImport();
  const imported = await menuImport().result();
  expect(imported).not.toMatchObject({ status: 'FAILED' });
  expect(await listReleases(menuImport().workflowId)).toEqual([newer]);
  expect(await readCurrent('build')).toBe(older);

  await rest.stop();
  await startFleet(newer, { role: 'sync' });
  await build.stop();
  await startFleet(newer, { role: 'build' });
  await isCurrent(newer, 'build');
});
