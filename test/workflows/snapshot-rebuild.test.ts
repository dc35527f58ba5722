import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/activity';
import { Connection, WorkflowClient } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BuildActivities } from '../../activities/snapshot.ts';
import {
  snapshotDirtied,
  type SnapshotRebuildInput,
  snapshotRebuildWorkflow,
} from '../../modules/menus/rebuilds/messages/rebuilds.ts';
import { createLog } from '../../platform/log.ts';
import { workflowBundle } from '../../workers/workflow-bundle.ts';
import { longTest } from '../support/repetitions.ts';
import { temporalRuntime } from '../support/temporal-runtime.ts';
import { testCache } from '../support/temporary-folder.ts';
import { testTemporal } from '../support/temporal.ts';

type Build = BuildActivities['buildSnapshot'];

let temporal: Awaited<ReturnType<typeof testTemporal>>;
let connection: Connection;
let native: NativeConnection;
let client: WorkflowClient;
const taskQueue = `snapshot-${randomUUID()}`;
let currentBuild: Build;
let worker: Worker;
let ended: Promise<void>;

beforeAll(async () => {
  temporalRuntime();
  temporal = await testTemporal();
  connection = await Connection.connect({ address: temporal.address });
  native = await NativeConnection.connect({ address: temporal.address });
  client = new WorkflowClient({ connection });
  const codePath = await workflowBundle(testCache, createLog({ service: 'test', level: 'silent' }));
  worker = await Worker.create({
    connection: native,
    taskQueue,
    workflowBundle: { codePath },
    activities: { buildSnapshot: (...args: Parameters<Build>) => currentBuild(...args) },
  });
  ended = worker.run();
});
afterAll(async () => {
  worker?.shutdown();
  await ended;
  await connection?.close();
  await native?.close();
  await temporal?.stop();
});

/** Starts the workflow of a new restaurant; `build` replaces the worker's build. */
async function rebuilding<T>(
  timings: Omit<SnapshotRebuildInput, 'organizationId' | 'queues'>,
  build: Build,
  use: (dirty: () => Promise<void>, result: () => Promise<void>, workflowId: string) => Promise<T>,
): Promise<T> {
  currentBuild = build;
  const input = {
    organizationId: Math.trunc(Math.random() * 1e9),
    queues: { build: taskQueue },
    ...timings,
  };
  const workflowId = snapshotRebuildWorkflow.id({ organizationId: input.organizationId });
  return use(
    async () =>
      void (await client.signalWithStart('snapshotRebuild', {
        workflowId,
        taskQueue,
        args: [input],
        signal: snapshotDirtied,
        signalArgs: [],
      })),
    () => client.getHandle(workflowId).result(),
    workflowId,
  );
}

const published = {
  outcome: 'PUBLISHED',
  revision: 1,
  pending: false,
  source: 'menu-import',
} as const;

describe('snapshotRebuild', () => {
  /** Longer debounces for slow machines, so that reasons arrive as a stream. */
  const DEBOUNCES_MS = [600, 3_000, 15_000];

  test('[SNP-16] joins many reasons into one build after the last of them', async () => {
    let builds: number[] = [];
    let lastSignal = 0;
    let longestGapMs = 0;
    const build: Build = async () => {
      builds.push(Date.now());
      return published;
    };

    for (const debounceMs of DEBOUNCES_MS) {
      builds = [];
      longestGapMs = 0;
      await rebuilding({ debounceMs, debounceMaxMs: 600_000 }, build, async (dirty, result) => {
        for (let i = 0; i < 10; i += 1) {
          const before = lastSignal;
          await dirty();
          lastSignal = Date.now();
          if (i > 0) longestGapMs = Math.max(longestGapMs, lastSignal - before);
          await delay(30);
        }
        await result();
      });
      expect(builds.at(-1)! - lastSignal).toBeGreaterThanOrEqual(debounceMs - 50);
      if (longestGapMs < debounceMs / 2) break;
    }

    expect(builds).toHaveLength(1);
  });

  test('[SNP-16] builds at the latest time under a constant stream of reasons', async () => {
    let builds: number[] = [];
    const build: Build = async () => {
      builds.push(Date.now());
      return published;
    };

    for (const debounceMs of DEBOUNCES_MS) {
      const debounceMaxMs = 2 * debounceMs;
      const started = Date.now();
      let [last, longestGapMs] = [started, 0];
      builds = [];
      await rebuilding({ debounceMs, debounceMaxMs }, build, async (dirty, result) => {
        // The stream does not pause before the ceiling.
        while (builds.length === 0) {
          await dirty();
          longestGapMs = Math.max(longestGapMs, Date.now() - last);
          last = Date.now();
          await delay(50);
        }
        await dirty();
        await result();
      });
      if (longestGapMs > debounceMs / 2) continue;
      expect(builds[0]! - started).toBeGreaterThanOrEqual(debounceMaxMs - 100);
      break;
    }

    expect(builds.length).toBeGreaterThanOrEqual(2);
  });

  test('[SNP-16] builds again if a reason arrives during a build, and then ends', async () => {
    let builds = 0;
    let dirtyNow: () => Promise<void> = async () => undefined;
    const build: Build = async () => {
      builds += 1;
      if (builds === 1) await dirtyNow();
      return published;
    };

    await rebuilding({ debounceMs: 50, debounceMaxMs: 500 }, build, async (dirty, result) => {
      dirtyNow = dirty;
      await dirty();
      await result();
    });

    expect(builds).toBe(2);
  });

  test('builds again while rows are pending, even without a signal', async () => {
    let builds = 0;
    const build: Build = async () => {
      builds += 1;
      return { ...published, pending: builds < 3 };
    };

    await rebuilding({ debounceMs: 20, debounceMaxMs: 200 }, build, async (dirty, result) => {
      await dirty();
      await result();
    });

    expect(builds).toBe(3);
  });

  test('survives a failed build, and a reason after its end starts it again', async () => {
    let builds = 0;
    const build: Build = async () => {
      builds += 1;
      if (builds === 1) throw new Error('the database is away');
      return published;
    };

    await rebuilding({ debounceMs: 20, debounceMaxMs: 200 }, build, async (dirty, result) => {
      await dirty();
      await result();
      await dirty();
      await result();
    });

    expect(builds).toBe(3);
  });

  test('[SNP-46] fails with the reason if the facts cannot be built, unless another reason has arrived', async () => {
    let builds = 0;
    let dirtyNow: () => Promise<void> = async () => undefined;
    const build: Build = async () => {
      builds += 1;
      if (builds === 1) await dirtyNow();
      throw ApplicationFailure.nonRetryable('a weight below zero', 'SNAPSHOT_BROKEN');
    };

    await rebuilding({ debounceMs: 20, debounceMaxMs: 200 }, build, async (dirty, result) => {
      dirtyNow = dirty;
      await dirty();
      await expect(result()).rejects.toMatchObject({
        cause: { cause: { type: 'SNAPSHOT_BROKEN' } },
      });
    });

    expect(builds).toBe(2);
  });

  test('[OPS-190] shows the result of a build and the change that caused it', async () => {
    const build: Build = async () => ({ ...published, source: 'stop-list' });

    await rebuilding(
      { debounceMs: 10, debounceMaxMs: 100 },
      build,
      async (dirty, result, workflowId) => {
        await dirty();
        await result();
        const handle = client.getHandle(workflowId);
        const { typedSearchAttributes } = await handle.describe();
        const { currentDetails } = await handle.query<{ currentDetails: string }, []>(
          '__temporal_workflow_metadata',
        );
        const shown = typedSearchAttributes
          .getAll()
          .map(({ key: { name }, value }) => [name, value]);

        expect(Object.fromEntries(shown)).toMatchObject({
          CarteOutcome: 'PUBLISHED',
          CarteTrigger: 'stop-list',
        });
        expect(currentDetails).toBe(
          'A new revision was published.\n\nRevision: 1.\n\nLast change: stop-list.',
        );
      },
    );
  });

  longTest('continues as new after its rounds, with what is pending', async () => {
    let builds = 0;
    const build: Build = async () => {
      builds += 1;
      return { ...published, pending: builds < 5 };
    };

    await rebuilding(
      { debounceMs: 10, debounceMaxMs: 100, roundsPerRun: 2 },
      build,
      async (dirty, result) => {
        await dirty();
        await result();
      },
    );

    expect(builds).toBe(5);
  });

  longTest('loses none of many reasons that arrive around its end', async () => {
    let signalled = 0;
    let seenAtBuild = 0;
    const build: Build = async () => {
      seenAtBuild = signalled;
      return published;
    };

    await rebuilding({ debounceMs: 1, debounceMaxMs: 5 }, build, async (dirty, result) => {
      for (let i = 0; i < 60; i += 1) {
        signalled += 1;
        await dirty();
        await delay(i % 7);
      }
      await result();
    });

    expect(seenAtBuild).toBe(60);
  });
});
