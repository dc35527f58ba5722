import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PeriodicTask } from '../../../kernel/periodic/periodic-task.ts';
import { runPeriodicTasks } from '../../../kernel/periodic/run-periodic-tasks.ts';
import { claimTasks, endTask, forgetTasks, releaseTask, renewLease } from '../../../kernel/periodic/task-rows.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';
import { holdLock } from '../../support/races.ts';
import { addRow, ago, deleteRows, fromNow, selectRow, selectRows, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
const running: { stop(): Promise<void> }[] = [];
const metrics = createMetrics('test');

beforeAll(async () => {
  database = await migratedDatabase();
});
beforeEach(() => deleteRows(database.db, 'periodic_task'));
afterEach(async () => {
  await Promise.all(running.splice(0).map((entry) => entry.stop()));
});
afterAll(() => database.close());

const HOUR_MS = 3_600_000;
const log = createLog({ service: 'test', level: 'silent' });
const task = (run: PeriodicTask['run'], options: Partial<PeriodicTask> = {}): PeriodicTask => ({
  name: 'canary',
  everyMs: 20,
  offsetMs: 0,
  isImmediate: true,
  run,
  ...options,
});
/** A process that repeats one task. */
function start(only: PeriodicTask, leaseMs = 60_000): { stop(): Promise<void> } {
  const lane = { slots: 2, limitMs: 60_000, tasks: () => [only] };
  const process = runPeriodicTasks({ db: database.db, log, metrics }, [lane], { lookMs: 5, leaseMs });
  running.push(process);
  return process;
}
const row = () => selectRow(database.db, 'periodic_task', '*', { name: 'canary' });
/** Claims the task for a process that then dies. */
const claim = (options: Partial<PeriodicTask> = {}, leaseMs = 60_000) =>
  claimTasks(database.db, [task(async () => undefined, options)], { limit: 5, leaseMs });

test('[OPS-121] deletes rows of tasks without a process, except those that another release claims', async () => {
  const { db } = database;
  for (const name of ['registered', 'renamed', 'running', 'another release'])
    await addRow(db, 'periodic_task', {
      name,
      dueAt: ago(name === 'another release' ? '9 minutes' : '11 minutes'),
      leasedUntil: name === 'running' ? fromNow('1 minute') : null,
    });
  await forgetTasks(db, ['registered', 'other']);
  const names = await selectRows(db, 'periodic_task', ['name'], {}, { orderBy: 'name' });

  expect(names).toEqual([{ name: 'another release' }, { name: 'registered' }, { name: 'running' }]);
});

describe('competing processes', () => {
  test('[OPS-102] several processes run a task one at a time', async () => {
    let [runs, atOnce, most] = [0, 0, 0];
    const work = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await selectRows(database.db, 'periodic_task', ['name']);
      atOnce -= 1;
      runs += 1;
    };
    for (let count = 0; count < 4; count += 1) start(task(work));
    await eventually('it has run often', async () => (runs >= 12 ? true : undefined));

    expect(most).toBe(1);
  });

  test('[OPS-102] one of several processes adds a task, and one claims it', async () => {
    for (let round = 0; round < 10; round += 1) {
      await deleteRows(database.db, 'periodic_task');
      await Promise.all(Array.from({ length: 6 }, () => claim({ everyMs: HOUR_MS, isImmediate: true })));
      await updateRows(database.db, 'periodic_task', { dueAt: ago('1 second'), leasedUntil: null });
      const claims = await Promise.all(Array.from({ length: 6 }, () => claim({ everyMs: HOUR_MS })));

      expect(claims.flat()).toHaveLength(1);
    }
  });

  test('[OPS-102] one of two processes claims a task that both have found free', async () => {
    await claim({ everyMs: HOUR_MS });
    await updateRows(database.db, 'periodic_task', { dueAt: ago('1 second'), leasedUntil: null });
    const held = await holdLock(database.db, ({ db }) =>
      db.selectFrom('periodic_task').select('name').forUpdate().execute(),
    );
    const claims = [claim({ everyMs: HOUR_MS }), claim({ everyMs: HOUR_MS })];
    await held.waits(2);
    await held.release();

    expect((await Promise.all(claims)).flat()).toHaveLength(1);
  });

  test('[OPS-103] the task of a process that died is repeated when its lease ends', async () => {
    await claim();
    await updateRows(database.db, 'periodic_task', { dueAt: ago('1 second') });
    await claim({}, 300);
    const { leasedUntil } = await row();
    let began: Date | undefined;
    start(task(async () => void (began ??= (await row()).startedAt!)));
    await eventually('another process runs it', async () => began);

    expect(began!.getTime()).toBeGreaterThanOrEqual(leasedUntil!.getTime());
  });

  test('[OPS-103] a process keeps a task during its whole run', async () => {
    let runs = 0;
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    const long = task(async () => {
      runs += 1;
      await held;
    });
    for (let count = 0; count < 3; count += 1) start(long, 150);
    await eventually('it runs', async () => (runs > 0 ? true : undefined));
    const { leasedUntil: first } = await row();
    await eventually('its lease was renewed several times', async () =>
      (await row()).leasedUntil!.getTime() > first!.getTime() + 450 ? true : undefined,
    );
    const meanwhile = runs;
    end();

    expect(meanwhile).toBe(1);
  });

  test('[OPS-103] a run whose task another process has claimed is aborted and records nothing', async () => {
    let aborted: AbortSignal | undefined;
    const only = task(
      async (signal) => {
        await updateRows(database.db, 'periodic_task', { lease: randomUUID(), leasedUntil: fromNow('1 hour') });
        await once(signal, 'abort');
        aborted = signal;
      },
      { everyMs: HOUR_MS },
    );
    const process = start(only, 60);
    await eventually('it is aborted', async () => aborted);
    await process.stop();

    expect((aborted!.reason as Error).message).toBe('another process has taken the task');
    expect(await row()).toMatchObject({ succeededAt: null, lease: expect.any(String) });
  });

  test('[OPS-103] a process does not change a task that another one has claimed', async () => {
    await claim();
    await updateRows(database.db, 'periodic_task', { dueAt: ago('1 second') });
    const [old] = await claim();
    await updateRows(database.db, 'periodic_task', { lease: randomUUID() });
    const before = await row();
    await endTask(
      database.db,
      old!,
      task(async () => undefined),
      'too late',
    );
    await releaseTask(database.db, old!);

    expect(await renewLease(database.db, old!, 60_000)).toBe(false);
    expect(await row()).toEqual(before);
  });
});

describe('a run', () => {
  test('[OPS-102] a run records its duration and success, and is repeated in the next interval', async () => {
    let runs = 0;
    start(task(async () => void (runs += 1)));
    await eventually('it has run twice', async () => (runs >= 2 ? true : undefined));
    await running.splice(0)[0]!.stop();
    const found = await row();

    expect(found).toMatchObject({ failures: 0, lastError: null, lease: null, leasedUntil: null });
    expect(found.durationMs).toBeGreaterThanOrEqual(0);
    expect(found.succeededAt).toBeInstanceOf(Date);
    expect(await metrics.registry.getSingleMetricAsString('carte_periodic_task_duration_seconds')).toMatch(
      /_count\{[^}]*task="canary",outcome="succeeded"[^}]*\} [1-9]/,
    );
  });

  test('[OPS-102] a failed run is counted with its message and repeated', async () => {
    let runs = 0;
    let goOn = (): void => undefined;
    const isSeen = new Promise<void>((resolve) => (goOn = resolve));
    start(
      task(async () => {
        runs += 1;
        if (runs <= 2) throw new Error('no luck');
        await isSeen;
      }),
    );
    await eventually('two have failed', async () => ((await row()).failures === 2 ? true : undefined));
    const failed = await row();
    goOn();
    await eventually('one has succeeded', async () => ((await row()).failures === 0 ? true : undefined));

    expect(failed).toMatchObject({ lastError: 'no luck', succeededAt: null });
    expect(await row()).toMatchObject({ lastError: null, succeededAt: expect.any(Date) });
  });

  test('[OPS-103] a run that exceeds its limit has failed, and the next one follows', async () => {
    let runs = 0;
    const endless = task(async () => {
      runs += 1;
      if (runs === 1) await new Promise(() => undefined);
    });
    const lane = { slots: 1, limitMs: 50, tasks: () => [endless] };
    running.push(runPeriodicTasks({ db: database.db, log, metrics }, [lane], { lookMs: 5 }));
    await eventually('the next one has succeeded', async () => ((await row()).succeededAt === null ? undefined : true));

    expect(runs).toBeGreaterThanOrEqual(2);
  });

  test('[OPS-103] a run that was aborted by a stop is due immediately for another process', async () => {
    let begun = false;
    const process = start(
      task(
        async (signal) => {
          begun = true;
          await once(signal, 'abort');
          throw signal.reason;
        },
        { everyMs: HOUR_MS },
      ),
    );
    await eventually('it runs', async () => (begun ? true : undefined));
    await process.stop();

    expect(await row()).toMatchObject({ failures: 0, lease: null, leasedUntil: null });
    expect(await claim({ everyMs: HOUR_MS })).toHaveLength(1);
  });
});

describe('the next run', () => {
  test('[OPS-102] a task is due at the start of an interval by the database clock', async () => {
    await claim({ everyMs: 60_000, offsetMs: 7_000, isImmediate: false });
    const { dueAt } = await row();

    expect((dueAt.getTime() - 7_000) % 60_000).toBe(0);
    expect(await claim({ everyMs: 60_000, offsetMs: 7_000, isImmediate: false })).toEqual([]);
  });

  test('[OPS-102] a task is due if its interval was reduced below its remaining wait', async () => {
    await addRow(database.db, 'periodic_task', { name: 'canary', dueAt: fromNow('3 hours') });

    expect(await claim({ everyMs: 4 * HOUR_MS })).toEqual([]);
    expect(await claim({ everyMs: HOUR_MS })).toHaveLength(1);
  });
});
