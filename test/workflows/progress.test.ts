import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sweepBatches } from '../../modules/media/sweep-media.ts';
import type { MediaBatchInput } from '../../modules/media/messages/media.ts';
import {
  importLock,
  type ImportInput,
  type ImportResult,
} from '../../modules/mirror/messages/sync.ts';
import { startImportWorkflow } from '../../modules/mirror/runs/start-import.ts';
import { localMediaStore } from '../../platform/media-store-disk.ts';
import type { MediaStore } from '../../platform/media-store.ts';
import {
  importingFixture,
  stopImportingFixture,
  type RunningImports,
} from '../support/importing-fixture.ts';
import { eventually } from '../support/processes.ts';
import { holdTable } from '../support/races.ts';
import { selectRow } from '../support/rows.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MENU = '/api/menu/v3/by_id';
const SWEEP = 'media-sweep/hung';
const HEARTBEAT_MS = 2_000;

let running: RunningImports;
let folder: string;
const over = Promise.withResolvers<void>();
/** Calls of the store's list: attempt, and the file after which it begins. */
const lists: [attempt: number, after: string | null][] = [];

/** A store that does not answer the first attempt's second page. */
function hangingStore(): MediaStore {
  const store = localMediaStore(folder);
  return {
    ...store,
    async list({ after }) {
      const { attempt } = activityInfo();
      lists.push([attempt, after]);
      if (attempt === 1 && after !== null) await over.promise;
      return store.list({ after, limit: 2 });
    },
  };
}

beforeAll(async () => {
  folder = await temporaryFolder('progress');
  await mkdir(join(folder, 'originals'), { recursive: true });
  for (const name of ['a', 'b', 'c', 'd'])
    await writeFile(join(folder, 'originals', `${name}.png`), name);
  running = await importingFixture();
  const { sync, workers, fixture } = running;
  await workers.stop();
  const store = hangingStore();
  const sweepDeps = {
    ...sync.product,
    failpoint: fixture.deps.failpoint,
    mediaStore: async () => store,
  };
  running.workers = await sync.start({
    workflows: {
      sweepMedia: (input: MediaBatchInput) =>
        sweepBatches({ ...sweepDeps, orphanGraceMs: 3_600_000 }, input, cancellationSignal()),
    },
  });
});
afterAll(async () => {
  over.resolve();
  await stopImportingFixture(running);
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => running.fixture.emulator.control('reset'));
afterEach(() => running.fixture.emulator.control('clear-faults'));

async function pending(workflowId: string) {
  const { raw } = await running.sync.temporal.workflow.getHandle(workflowId).describe();
  const [activity] = raw.pendingActivities ?? [];
  const [details] = activity?.heartbeatDetails?.payloads ?? [];
  return {
    attempt: Number(activity?.attempt ?? 0),
    details:
      details == null
        ? null
        : defaultPayloadConverter.fromPayload<Record<string, unknown>>(details),
    failure: activity?.lastFailure?.timeoutFailureInfo?.timeoutType ?? null,
  };
}
/** The heartbeat time-out in Temporal's wire format. */
const HEARTBEAT = 4;

describe('[OPS-191] an import that hangs', () => {
  const lock = () => {
    const { fixture, menuId } = running;
    return importLock({ job: 'MENU', connectionId: fixture.connectionId, externalMenuId: menuId });
  };
  const start = async () => {
    const { fixture, sync, menuId } = running;
    await startImportWorkflow(sync.upkeep, {
      job: 'MENU',
      connectionId: fixture.connectionId,
      externalMenuId: menuId,
      mode: 'FULL',
      trigger: 'SCHEDULE',
      timings: { ...sync.upkeep.timings, heartbeatMs: HEARTBEAT_MS },
    });
    return sync.temporal.workflow.getHandle<(input: ImportInput) => Promise<ImportResult>>(lock());
  };

  test('during an answer shows its bytes, ends at its heartbeat time-out, and is retried', async () => {
    await running.fixture.emulator.control('fault', { kind: 'stalled', endpoint: MENU });
    const handle = await start();
    const hung = await eventually('the details are shown', async () => {
      const found = await pending(lock());
      return found.details?.['bytes'] === undefined ? undefined : found;
    });
    const retried = await eventually('the next attempt is due', async () => {
      const found = await pending(lock());
      return found.attempt > 1 ? found : undefined;
    });
    const { runId } = await handle.result();

    expect(hung).toMatchObject({ attempt: 1, details: { batch: 1, of: 1, organizations: 2 } });
    expect(hung.details?.['bytes']).toBeGreaterThan(1_000);
    expect(retried.failure).toBe(HEARTBEAT);
    expect(
      await selectRow(running.fixture.db, 'sync_run', ['status', 'reason'], { id: runId }),
    ).toEqual({
      status: 'SUCCESS',
      reason: null,
    });
  });

  test('at a locked table shows that table, ends at its heartbeat time-out, and is retried', async () => {
    const held = await holdTable(running.fixture.db, 'stage_item');
    const handle = await start();
    const retried = await eventually('the next attempt is due', async () => {
      const found = await pending(lock());
      return found.attempt > 1 ? found : undefined;
    });
    await held.release();
    const { runId } = await handle.result();

    expect(retried).toMatchObject({
      failure: HEARTBEAT,
      details: { batch: 1, writes: 'stage_item' },
    });
    expect(await selectRow(running.fixture.db, 'sync_run', ['status'], { id: runId })).toEqual({
      status: 'SUCCESS',
    });
  });
});

test('[OPS-192] a sweep of the media store that hangs is retried from the point that it reached', async () => {
  const { temporal, queues } = running.sync;
  const swept = temporal.workflow.execute('mediaSweep', {
    workflowId: SWEEP,
    taskQueue: queues.workflows,
    args: [{ heartbeatMs: HEARTBEAT_MS }],
  });
  const hung = await eventually('the next attempt is due', async () => {
    const found = await pending(SWEEP);
    return found.attempt > 1 ? found : undefined;
  });
  await swept;

  const [, [, place] = [0, null]] = lists;
  expect(place).not.toBeNull();
  expect(hung).toMatchObject({ failure: HEARTBEAT, details: { after: place } });
  expect(lists.slice(0, 3)).toEqual([
    [1, null],
    [1, place],
    [2, place],
  ]);
});
