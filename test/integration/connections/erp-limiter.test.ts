import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createErpLimiter } from '../../../modules/connections/erp-limiter.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Limiter, Priority } from '../../../erp/ports.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openDatabase } from '../../../modules/own-database.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';
import { plus, selectRow, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let other: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  other = await openDatabase({ url: database.url, poolSize: 2 });
});
afterAll(async () => {
  await other.close();
  await database.close();
});

test('[ERP-8] two processes together stay within the rate, and all calls pass', async () => {
  const limiters = [database.db, other].map((db) => createErpLimiter({ db, perSecond: 10 }));
  const passed: number[] = [];
  // Before the first one passes, and each is seen at its time or later: no delay on the way makes a
  // second look fuller.
  const startedAt = Date.now();
  await Promise.all(
    Array.from({ length: 36 }, async (_each, index) => {
      await limiters[index % 2]?.acquire();
      passed.push(Date.now());
    }),
  );
  for (const second of [1, 2, 3]) {
    const soFar = passed.filter((at) => at - startedAt < second * 1000 - 50).length;
    expect(soFar).toBeLessThanOrEqual(10 * second);
  }
  expect(Math.max(...passed) - startedAt).toBeGreaterThanOrEqual(2_950);
});

test('[ERP-8] urgent requests wait for no others in any process, and respect the rate', async () => {
  const [here, there] = [database.db, other].map((db) => createErpLimiter({ db, perSecond: 10 })) as [Limiter, Limiter];
  const passed: string[] = [];
  const startedAt = Date.now();
  const ask = async (limiter: Limiter, name: string, priority: Priority) => {
    await limiter.acquire({ priority });
    passed.push(name);
  };
  const usual = Array.from({ length: 40 }, () => ask(here, 'usual', 'REST'));
  const urgent = [here, there].flatMap((limiter) => [1, 2].map(() => ask(limiter, 'urgent', 'ORDERS')));
  await Promise.all([...usual, ...urgent]);

  // The second that has begun may be spent already; three of the next one are kept for them.
  expect(passed.lastIndexOf('urgent')).toBeLessThan(24);
  expect(passed).toHaveLength(44);
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(3_950);
});

test('[ERP-8] what is kept for urgent requests is not lost: the others have the whole rate', async () => {
  const limiter = createErpLimiter({ db: database.db, perSecond: 10 });
  const windows = new Set<number>();
  for (let value = 0; value < 60; value += 1) {
    await limiter.acquire();
    const row = await selectRow(database.db, 'erp_rate_limit', ['points', 'expire'], { key: 'erp:all' });
    windows.add(row.expire!);
  }

  // 8.6 seconds if three of ten were lost in each.
  expect(windows.size).toBeLessThanOrEqual(7);
});

test('[ERP-24] an order waits less than a second while guests and imports exceed the rate', async () => {
  const [api, otherApi, worker] = [database.db, other, database.db].map((db) =>
    createErpLimiter({ db, perSecond: 10 }),
  ) as [Limiter, Limiter, Limiter];
  const ended = new AbortController();
  const passed: Partial<Record<Priority, number>> = {};
  const keepAsking = async (limiter: Limiter, priority: Priority) => {
    while (!ended.signal.aborted) {
      await limiter.acquire({ priority, signal: ended.signal }).catch(() => undefined);
      if (!ended.signal.aborted) passed[priority] = (passed[priority] ?? 0) + 1;
    }
  };
  const others = [
    ...Array.from({ length: 10 }, () => [api, otherApi].map((limiter) => keepAsking(limiter, 'GUESTS'))).flat(),
    ...Array.from({ length: 4 }, () => [keepAsking(worker, 'CHANGES'), keepAsking(worker, 'REST')]).flat(),
  ];
  const waits: number[] = [];
  for (let order = 0; order < 12; order += 1) {
    const from = performance.now();
    await worker.acquire({ priority: 'ORDERS' });
    const waited = performance.now() - from;
    waits.push(waited);
    await delay(Math.max(0, 400 - waited));
  }
  // No class starves.
  await eventually('every class has had its turn', async () => (Object.keys(passed).length === 3 ? true : undefined));
  ended.abort();
  await Promise.all(others);

  expect(Math.max(...waits)).toBeLessThan(1_000);
});

test('[ERP-24] each priority leaves the shares of the more urgent ones alone in the first half of a second', async () => {
  const limiter = createErpLimiter({ db: database.db, perSecond: 100 });
  const { db } = database;
  const taken = async (priority: Priority): Promise<number> => {
    const window = await db.query<{ key: string }>(
      `update erp_rate_limit set points = 0, expire = (extract(epoch from clock_timestamp()) * 1000)::bigint + 1000 returning key`,
    );
    expect(window).toHaveLength(1);
    const until = AbortSignal.timeout(350);
    let count = 0;
    while (!until.aborted)
      await limiter.acquire({ priority, signal: until }).then(
        () => (count += 1),
        () => undefined,
      );
    return count;
  };
  await limiter.acquire();

  expect([await taken('REST'), await taken('CHANGES'), await taken('GUESTS')]).toEqual([50, 60, 70]);
});

test('[ERP-8] hosts whose clocks differ share one window, that of the database', async () => {
  const limiter = createErpLimiter({ db: database.db, perSecond: 2 });
  const ends = async () => (await selectRow(database.db, 'erp_rate_limit', ['expire'], { key: 'erp:all' })).expire!;
  await Promise.all([limiter.acquire(), limiter.acquire()]);
  const window = await ends();
  const late = limiter.acquire();
  const { now } = Date;
  Date.now = () => now() + 5_000;
  const ahead = limiter.acquire();
  await Promise.all([late, ahead]).finally(() => (Date.now = now));
  const next = await ends();

  expect(next - window).toBeGreaterThanOrEqual(1_000);
  const left = await database.db.query<{ ms: number }>(
    `select (expire - extract(epoch from now()) * 1000)::integer as ms from erp_rate_limit where key = 'erp:all'`,
  );
  expect(left[0]!.ms).toBeLessThanOrEqual(1_000);
});

test('[ERP-8] a clock of the database that is set back by an hour blocks no caller', async () => {
  const limiter = createErpLimiter({ db: database.db, perSecond: 2 });
  await limiter.acquire();
  await updateRows(database.db, 'erp_rate_limit', { points: 2, expire: plus('expire', 3600000) });

  await limiter.acquire({ signal: AbortSignal.timeout(5_000) });
  const [row] = await database.db.query<{ leftMs: number }>(
    `select (expire - extract(epoch from now()) * 1000)::integer as "leftMs" from erp_rate_limit where key = 'erp:all'`,
  );
  expect(row!.leftMs).toBeLessThanOrEqual(1_000);
});

test('a waiting call can be aborted immediately without affecting others', async () => {
  const limiter = createErpLimiter({ db: database.db, perSecond: 1 });
  await limiter.acquire();
  const reason = new Error('enough');
  const controller = new AbortController();
  let firstPassed = false;
  const first = limiter.acquire().then(() => (firstPassed = true));
  const second = limiter.acquire({ signal: controller.signal });
  const third = limiter.acquire();
  controller.abort(reason);
  await expect(second).rejects.toBe(reason);
  expect(firstPassed).toBe(false);
  await expect(Promise.all([first, third])).resolves.toBeDefined();
});

test('off has no limit, but rejects an already aborted call', async () => {
  const limiter = createErpLimiter({ db: database.db, perSecond: null });
  await Promise.all(Array.from({ length: 1000 }, () => limiter.acquire()));
  await expect(limiter.acquire({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
});

test('a database that fails is an error and not a wait', async () => {
  const closed = await openDatabase({ url: database.url });
  const limiter = createErpLimiter({ db: closed, perSecond: 10 });
  await closed.close();
  await expect(limiter.acquire()).rejects.toThrow('after calling end on the pool');
});
