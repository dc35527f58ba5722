import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ServiceError, type ScheduleOptions } from '@temporalio/client';
import {
  applySchedules,
  claimNamespace,
  isScheduleMissing,
} from '../../modules/mirror/schedules/apply-schedules.ts';
import {
  computePhase,
  desiredSchedules,
  shiftedMs,
} from '../../modules/mirror/schedules/desired-schedules.ts';
import { watchSchedules } from '../../modules/mirror/schedules/watch-schedules.ts';
import { JOBS } from '../../modules/mirror/rules/jobs.ts';
import { queuesWithPrefix } from '../../kernel/pure/queues.ts';
import { readEnv } from '../../modules/env.ts';
import { createLog } from '../../platform/log.ts';
import { schedulePlan } from '../../modules/schedules.ts';
import { endImportPause, pauseImport } from '../../modules/mirror/pauses/import-pauses.ts';
import { testActor } from '../support/connection.ts';
import { eventually } from '../support/processes.ts';
import { importBasics, mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { migratedDatabase } from '../support/database.ts';
import { longTest } from '../support/repetitions.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { ago, selectRow, selectRows, updateRows } from '../support/rows.ts';

const env = readEnv({
  DATABASE_URL: 'postgres://x/x',
  ERP_URL: 'http://x',
  ENCRYPTION_KEYS: `a:${'A'.repeat(43)}=`,
});

describe('schedules as data', () => {
  const plan = schedulePlan(env);
  const schedules = desiredSchedules(
    [{ connectionId: 3, externalMenuIds: [5, 8] }],
    plan,
    queuesWithPrefix(''),
  );
  const byId = new Map(schedules.map((schedule) => [schedule.scheduleId, schedule]));

  test('[OPS-102, OPS-105] only hourly and daily work has schedules, not maintenance or polls', () => {
    expect([...byId.keys()]).toEqual([
      'schedule/organizations/3',
      'schedule/terminals/3',
      'schedule/menu-list/3',
      'schedule/zones/3',
      'schedule/gift-reconciliation/3',
      'schedule/menu-full/3',
      'schedule/media-sweep',
    ]);
  });

  test('[MIR-32] every schedule has the intervals, windows and overlap of the plan', () => {
    const minute = 60_000;
    const interval = Object.fromEntries(
      JOBS.map((job) => [job, [plan.jobs[job].everyMs, plan.jobs[job].catchupMs]]),
    );

    expect(interval).toEqual({
      ORGANIZATIONS: [60 * minute, 10 * minute],
      TERMINALS: [60 * minute, 10 * minute],
      MENU_LIST: [60 * minute, 10 * minute],
      MENU: [5 * minute, 5 * minute],
      STOP_LIST: [45_000, minute],
      ZONES: [60 * minute, 10 * minute],
    });
    for (const { policies } of schedules)
      expect(policies).toMatchObject({
        overlap: 'SKIP',
        pauseOnFailure: false,
        catchupWindow: expect.any(Number),
      });
  });

  test('[MIR-34] hourly jobs run in a fixed order', () => {
    const offsets = (['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'ZONES'] as const).map(
      (job) => plan.jobs[job].offsetMs,
    );

    expect(offsets).toEqual([0, 120_000, 240_000, 360_000]);
  });

  test('[MIR-49] connections are spread over the interval and keep the order of jobs', () => {
    const many = Array.from({ length: 90 }, (_, index) => ({
      connectionId: index + 1,
      externalMenuIds: [],
    }));
    const offsets = new Map(
      desiredSchedules(many, plan, queuesWithPrefix('')).flatMap(({ scheduleId, spec }) => {
        const [interval] = spec.intervals ?? [];
        return interval === undefined ? [] : [[scheduleId, interval] as const];
      }),
    );
    const ofJob = (job: string) =>
      many.map(({ connectionId }) =>
        Number(offsets.get(`schedule/${job}/${connectionId}`)!.offset),
      );
    const polls = many.map(({ connectionId }) =>
      shiftedMs(plan.jobs.STOP_LIST, computePhase(connectionId)),
    );
    const perSecond = Map.groupBy(polls, (offset) => offset);
    const [first, second] = [ofJob('organizations'), ofJob('terminals')];

    // 90 connections share 45 seconds: two per second, three after rounding.
    expect(Math.max(...[...perSecond.values()].map((entry) => entry.length))).toBeLessThanOrEqual(
      3,
    );
    expect([...perSecond.keys()].every((offset) => offset % 1000 === 0 && offset < 45_000)).toBe(
      true,
    );
    for (const [at, offset] of first.entries())
      expect((second[at]! - offset + 3_600_000) % 3_600_000).toBeCloseTo(120_000, -4);
  });

  test('[MIR-33] the nightly full import runs at 04:30 in the configured time zone and for all menus', () => {
    expect(byId.get('schedule/menu-full/3')).toMatchObject({
      spec: { calendars: [{ hour: 4, minute: 30 }], timezone: 'Europe/Moscow' },
      policies: { catchupWindow: 6 * 3_600_000 },
      action: {
        workflowType: 'syncTick',
        args: [{ job: 'MENU', connectionId: 3, markFullDue: true }],
      },
    });
  });

  test('every schedule starts its workflow on the workflows queue under an id of its own', () => {
    const ids = schedules.map((schedule) => schedule.action.workflowId);

    expect(new Set(ids).size).toBe(schedules.length);
    expect(new Set(schedules.map((schedule) => schedule.action.taskQueue))).toEqual(
      new Set(['carte-workflows']),
    );
  });
});

describe('the application of schedules', () => {
  let fixture: TestFixture;
  let sync: SyncWorker;
  beforeAll(async () => {
    fixture = await mirrorFixture();
    sync = await syncWorker(fixture);
    await importBasics(fixture);
  });
  afterAll(async () => {
    await sync.close();
    await fixture.close();
  });
  const applied = () => applySchedules(sync.schedules);
  /** The list of schedules follows changes with a delay; a schedule itself does not. */
  const described = (id: string) => sync.temporal.schedule.getHandle(id).describe();
  const listed = (count: number) =>
    eventually(`${count} schedules are listed`, async () => {
      const ids: string[] = [];
      for await (const summary of sync.temporal.schedule.list()) ids.push(summary.scheduleId);
      return ids.length === count ? ids : undefined;
    });
  /** Six schedules of the connection, and one of the product. */
  const ALL = 7;

  test('[WIRE-25] pitfall 25: several concurrent processes create each schedule once', async () => {
    const results = await Promise.all(Array.from({ length: 4 }, applied));
    const ids = await listed(ALL);
    for (const id of ids) await sync.temporal.schedule.getHandle(id).delete();
    await listed(0);

    expect(new Set(ids).size).toBe(ALL);
    expect(results.reduce((sum, result) => sum + result.created, 0)).toBe(ALL);
  });

  test('[MIR-50] rejects an installation whose namespace belongs to another one, and changes no schedule', async () => {
    await applied();
    const before = await described('schedule/media-sweep');
    const other = await migratedDatabase();
    // Test databases are copies with the same installation id.
    await updateRows(other.db, 'mirror_reconciled', { installationId: randomUUID() });
    const refused = await applySchedules({
      ...sync.schedules,
      db: other.db,
      queues: queuesWithPrefix('other-'),
    }).catch((error: Error) => [error.name, error.message]);
    await other.close();
    const after = await described('schedule/media-sweep');

    expect(refused).toEqual([
      'StartFailure',
      expect.stringMatching(/^The namespace "[^"]+" of Temporal belongs to another/),
    ]);
    expect(after.action).toMatchObject({
      taskQueue: (before.action as { taskQueue: string }).taskQueue,
    });
    expect((await listed(ALL)).length).toBe(ALL);
    expect(await applied()).toMatchObject({ created: 0, updated: 0, deleted: 0 });
    for (const id of await listed(ALL)) await sync.temporal.schedule.getHandle(id).delete();
    await listed(0);
  });

  longTest(
    '[MIR-50] assigns the namespace to one of two installations that request it concurrently',
    async () => {
      const other = await migratedDatabase();
      await updateRows(other.db, 'mirror_reconciled', { installationId: randomUUID() });
      const mine = sync.schedules;
      const theirs = { ...sync.schedules, db: other.db };
      const readInstallation = async ({ db }: typeof mine) =>
        (await selectRow(db, 'mirror_reconciled', ['installationId'])).installationId;
      for (let round = 0; round < 20; round += 1) {
        const claimants =
          round % 2 === 0 ? [mine, theirs, mine, theirs] : [theirs, mine, theirs, mine];
        const results = await Promise.allSettled(claimants.map(claimNamespace));
        const got = results.map(({ status }) => status === 'fulfilled');
        const { memo } = await described('schedule/media-sweep');
        const winner = claimants[got.indexOf(true)]!;

        expect(got).toEqual(claimants.map((claimant) => claimant === winner));
        expect(memo).toEqual({ installation: await readInstallation(winner) });
        expect(
          results.flatMap((result) =>
            result.status === 'rejected' ? [(result.reason as Error).name] : [],
          ),
        ).toEqual(['StartFailure', 'StartFailure']);
        await sync.temporal.schedule.getHandle('schedule/media-sweep').delete();
        await eventually('it is free again', async () =>
          (await isScheduleMissing(sync.temporal, 'schedule/media-sweep')) ? true : undefined,
        );
      }
      await other.close();
      await listed(0);
    },
  );

  test('repeats a request about a schedule that got no answer', async () => {
    const unanswered = Object.assign(new Error('Deadline exceeded'), {
      code: 4,
      details: '',
      metadata: {},
    });
    let lost = 0;
    const schedule = Object.create(sync.temporal.schedule, {
      create: {
        value: async (options: ScheduleOptions) => {
          await sync.temporal.schedule.create(options);
          lost += 1;
          if (lost <= 2) throw new ServiceError('Failed to create schedule', { cause: unanswered });
        },
      },
    }) as typeof sync.temporal.schedule;
    const temporal = Object.create(sync.temporal, {
      schedule: { value: schedule },
    }) as typeof sync.temporal;

    const found = await applySchedules({ ...sync.schedules, temporal });
    for (const id of await listed(ALL)) await sync.temporal.schedule.getHandle(id).delete();
    await listed(0);

    // The first schedule was created although the answer was lost.
    expect(found).toMatchObject({ created: ALL - 2, updated: 2 });
  });

  test('[MIR-58] limits the time of each change, not of all changes together', async () => {
    await applied();
    await listed(ALL);
    await updateRows(
      fixture.db,
      'connection',
      { status: 'DISABLED' },
      { id: fixture.connectionId },
    );
    // Limits are a fifth of the product's, so six deletions take longer than the old total limit.
    const slow = (scheduleId: string) => {
      const handle = sync.temporal.schedule.getHandle(scheduleId);
      return Object.create(handle, {
        delete: { value: () => delay(1_300).then(() => handle.delete()) },
      }) as typeof handle;
    };
    const schedule = Object.create(sync.temporal.schedule, {
      getHandle: { value: slow },
    }) as object;
    const quicker = <T>(deadline: number | Date, work: () => Promise<T>) =>
      sync.temporal.withDeadline(Date.now() + (Number(deadline) - Date.now()) / 5, work);
    const temporal = Object.create(sync.temporal, {
      schedule: { value: schedule },
      withDeadline: { value: quicker },
    }) as typeof sync.temporal;
    const done = await applySchedules({ ...sync.schedules, temporal });
    await updateRows(fixture.db, 'connection', { status: 'ACTIVE' }, { id: fixture.connectionId });
    for (const id of await listed(ALL - done.deleted))
      await sync.temporal.schedule.getHandle(id).delete();
    await listed(0);

    expect(done.deleted).toBe(6);
  });

  test('[MIR-61] a worker that cannot change schedules continues and changes them later', async () => {
    const failures = [new Error('a schedule is odd'), new Error('and again')];
    const list = () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return sync.temporal.schedule.list();
    };
    const schedule = Object.create(sync.temporal.schedule, { list: { value: list } }) as object;
    const temporal = Object.create(sync.temporal, {
      schedule: { value: schedule },
    }) as typeof sync.temporal;
    const lines: string[] = [];
    const log = createLog({
      service: 'test',
      level: 'warn',
      destination: { write: (line: string) => void lines.push(line) },
    });
    const end = await watchSchedules({ ...sync.product, temporal, log }, 50);
    await listed(ALL);
    await end();
    for (const id of await listed(ALL)) await sync.temporal.schedule.getHandle(id).delete();
    await listed(0);

    expect(failures).toEqual([]);
    expect(lines.filter((line) => line.includes('the check is retried'))).toHaveLength(2);
  });

  test('creates, updates and deletes schedules, and keeps paused ones paused', async () => {
    const zones = `schedule/zones/${fixture.connectionId}`;
    const created = await applied();
    await listed(ALL);
    const again = await applied();
    await sync.temporal.schedule.getHandle(zones).pause('maintenance');
    const { plan } = sync.schedules;
    const faster = {
      ...plan,
      jobs: { ...plan.jobs, ZONES: { ...plan.jobs.ZONES, everyMs: 20_000, offsetMs: 0 } },
    };
    const updated = await applySchedules({ ...sync.schedules, plan: faster });
    const paused = await described(zones);
    await updateRows(
      fixture.db,
      'connection',
      { status: 'DISABLED' },
      { id: fixture.connectionId },
    );
    const deleted = await applySchedules({ ...sync.schedules, plan: faster });

    expect(created).toMatchObject({ created: ALL, updated: 0, deleted: 0 });
    expect(again).toMatchObject({ created: 0, deleted: 0, unchanged: ALL });
    expect(updated.updated).toBeGreaterThanOrEqual(1);
    expect(paused.state.paused).toBe(true);
    expect(paused.spec.intervals?.[0]?.every).toBe(20_000);
    expect(deleted).toMatchObject({ deleted: 6 });
    await expect(described(zones)).rejects.toMatchObject({ name: 'ScheduleNotFoundError' });
    // Until the list is up to date, the apply step treats deleted schedules as present.
    await listed(ALL - 6);
  });

  test('a pause row stops its schedule with the reason, and its end resumes it', async () => {
    const { connectionId } = fixture;
    await updateRows(fixture.db, 'connection', { status: 'ACTIVE' }, { id: connectionId });
    await applied();
    const ids = [`schedule/terminals/${connectionId}`, `schedule/zones/${connectionId}`];
    const nightly = `schedule/menu-full/${connectionId}`;
    const states = async (...names: string[]) =>
      Promise.all(names.map(async (id) => (await described(id)).state)).then((all) =>
        all.map(({ paused, note }) => ({
          paused,
          why: note?.replace(/^definition [0-9a-f]+/, ''),
        })),
      );
    const reason = 'the kitchen moves';
    const because = (pauseId: number): string => `; paused by pause ${pauseId}: ${reason}`;
    const terminals = await pauseImport(fixture, testActor, {
      connectionId,
      job: 'TERMINALS',
      reason,
    });
    const zones = await pauseImport(fixture, testActor, { connectionId, job: 'ZONES', reason });
    await pauseImport(fixture, testActor, { connectionId, job: 'MENU', reason });
    await applied();
    const paused = await states(...ids, nightly);
    await endImportPause(fixture, testActor, terminals.id);
    await settled(async () => (await states(ids[0]!))[0]!.paused === false);
    const one = await states(...ids, nightly);
    await updateRows(fixture.db, 'import_pause', { until: ago('1 second') }, { id: zones.id });
    await settled(async () => (await states(ids[1]!))[0]!.paused === false);

    expect(paused).toEqual([
      { paused: true, why: because(terminals.id) },
      { paused: true, why: because(zones.id) },
      { paused: false, why: '' },
    ]);
    expect(one.map((entry) => entry.paused)).toEqual([false, true, false]);
    expect((await states(...ids)).map((state) => state.paused)).toEqual([false, false]);
  });

  test('a pause made in Temporal is kept, stored with its note, and cleared when it is lifted there', async () => {
    const id = 'schedule/media-sweep';
    const remembered = () =>
      selectRows(fixture.db, 'schedule_paused_elsewhere', ['scheduleId as id', 'note']);
    await sync.temporal.schedule.getHandle(id).pause('maintenance of the database');
    await settled(async () => (await remembered()).length === 1);
    const seen = await remembered();
    const kept = await described(id);
    await sync.temporal.schedule.getHandle(id).unpause('done');
    await settled(async () => (await remembered()).length === 0);

    expect(seen).toEqual([{ id, note: 'maintenance of the database' }]);
    expect(kept.state.paused).toBe(true);
    expect((await described(id)).state.paused).toBe(false);
  });

  async function settled(isSo: () => Promise<boolean>): Promise<void> {
    await eventually('the schedules are as the rows want', async () => {
      await applied();
      return (await isSo()) ? true : undefined;
    });
  }
});
