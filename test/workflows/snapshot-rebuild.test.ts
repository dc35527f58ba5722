import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection, WorkflowClient } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SnapshotActivities } from '../../activities/snapshot.ts';
import { workflowIds } from '../../contracts/ids.ts';
import { snapshotDirtied, type SnapshotRebuildInput } from '../../contracts/messages/rebuilds.ts';
import { createLog } from '../../platform/log.ts';
import { workflowBundle } from '../../workers/workflow-bundle.ts';
import { temporalRuntime } from '../support/temporal-runtime.ts';
import { testCache } from '../support/temporary-folder.ts';
import { testTemporal } from '../support/temporal.ts';

type Build = SnapshotActivities['buildSnapshot'];

let temporal: Awaited<ReturnType<typeof testTemporal>>;
let connection: Connection;
let native: NativeConnection;
let client: WorkflowClient;
const taskQueue = `snapshot-${randomUUID()}`;
/** What the worker builds with: it steers the branch under test. */
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
}, 180_000);
afterAll(async () => {
  worker?.shutdown();
  await ended;
  await connection?.close();
  await native?.close();
  await temporal?.stop();
});

/** Starts the workflow of a restaurant of its own; `build` is what the worker builds with. */
async function rebuilding<T>(
  timings: Omit<SnapshotRebuildInput, 'organizationId'>,
  build: Build,
  use: (dirty: () => Promise<void>, result: () => Promise<void>) => Promise<T>,
): Promise<T> {
  currentBuild = build;
  const input = { organizationId: Math.trunc(Math.random() * 1e9), ...timings };
  const workflowId = workflowIds.snapshotRebuild(input.organizationId);
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
  );
}

const published = { outcome: 'PUBLISHED', revision: 1, pending: false } as const;

describe('snapshotRebuild', () => {
  test('joins many reasons into one build after the last of them', async () => {
    const builds: number[] = [];
    let lastSignal = 0;
    const build: Build = async () => {
      builds.push(Date.now());
      return published;
    };

    await rebuilding({ debounceMs: 600, debounceMaxMs: 20_000 }, build, async (dirty, result) => {
      for (let i = 0; i < 10; i += 1) {
        await dirty();
        lastSignal = Date.now();
        await delay(50);
      }
      await result();
    });

    expect(builds).toHaveLength(1);
    expect(builds[0]! - lastSignal).toBeGreaterThanOrEqual(550);
  });

  test('builds at the ceiling under a constant stream of reasons', async () => {
    const streamMs = 6_000;
    const builds: number[] = [];
    const build: Build = async () => {
      builds.push(Date.now());
      return published;
    };
    const started = Date.now();

    await rebuilding({ debounceMs: 700, debounceMaxMs: 1_500 }, build, async (dirty, result) => {
      while (Date.now() - started < streamMs) {
        await dirty();
        await delay(100);
      }
      await result();
    });

    expect(builds.length).toBeGreaterThanOrEqual(2);
    expect(builds[0]! - started).toBeGreaterThanOrEqual(1_400);
    // The stream never paused, so only the ceiling can have let a build through before its end.
    expect(builds[0]! - started).toBeLessThan(streamMs);
  });

  test('builds once more when a reason arrives while building, and then ends', async () => {
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

  test('builds again as long as the rows say that something is pending, without any signal', async () => {
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

  test('survives a build that fails, and a reason after the end starts anew', async () => {
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

  test('starts its history anew after its rounds and goes on with what is pending', async () => {
    let builds = 0;
    const build: Build = async () => {
      builds += 1;
      return { ...published, pending: builds < 5 };
    };

    await rebuilding({ debounceMs: 10, debounceMaxMs: 100, roundsPerRun: 2 }, build, async (dirty, result) => {
      await dirty();
      await result();
    });

    expect(builds).toBe(5);
  });

  test('loses no reason in a hail of them around its end', async () => {
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
