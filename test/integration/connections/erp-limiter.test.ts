import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createErpLimiter } from '../../../modules/connections/erp-calls/erp-limiter.ts';
import type { Limiter, Priority } from '../../../erp/ports.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openDatabase } from '../../../modules/own-database.ts';
import { migratedDatabase } from '../../support/database.ts';
import { stopDatabaseClock, type DatabaseClock } from '../../support/database-clock.ts';
import { eventually } from '../../support/processes.ts';
import { plus, selectRow, updateRows } from '../../support/rows.ts';
import { countStatements } from '../../support/statements.ts';

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
  // The start is taken before the first request, so that no delay makes a second seem fuller.
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
  const [here, there] = [database.db, other].map((db) =>
    createErpLimiter({ db, perSecond: 10 }),
  ) as [Limiter, Limiter];
  const passed: string[] = [];
  const startedAt = Date.now();
  const ask = async (limiter: Limiter, name: string, priority: Priority) => {
    await limiter.acquire({ priority });
    passed.push(name);
  };
  const usual = Array.from({ length: 40 }, () => ask(here, 'usual', 'REST'));
  const urgent = [here, there].flatMap((limiter) =>
    [1, 2].map(() => ask(limiter, 'urgent', 'ORDERS')),
  );
  await Promise.all([...usual, ...urgent]);

  // The current second may be used up, and three requests of the next are reserved for orders.
  expect(passed.lastIndexOf('urgent')).toBeLessThan(24);
  expect(passed).toHaveLength(44);
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(3_950);
});

describe('the limiter while the clock of the database is stopped', () => {
  let stopped: Awaited<ReturnType<typeof migratedDatabase>>;
  let clock: DatabaseClock;
  const pools: Database[] = [];
  beforeAll(async () => {
    stopped = await migratedDatabase();
    clock = await stopDatabaseClock(stopped.url);
    for (const poolSize of [5, 5, 5])
      pools.push(await openDatabase({ url: stopped.url, poolSize }));
  });
  beforeEach(() => clock.advance(10_000));
  afterAll(async () => {
    for (const pool of pools) await pool.close();
    await stopped.close();
  });

  const points = async (): Promise<number> =>
    (await selectRow(stopped.db, 'erp_rate_limit', ['points'], { key: 'erp:all' })).points;

  /** Takes points until a caller must wait. Returns the number of points. */
  async function takeAll(
    limiter: Limiter,
    statements: () => number,
    priority: Priority,
  ): Promise<number> {
    const ended = new AbortController();
    let count = 0;
    let asked = statements();
    const loop = (async () => {
      for (;;) {
        await limiter.acquire({ priority, signal: ended.signal });
        count += 1;
        asked = statements();
      }
    })().catch(() => undefined);
    // A caller that repeats its statement was rejected the first time.
    await eventually('a caller is refused', async () =>
      statements() >= asked + 2 ? true : undefined,
    );
    ended.abort();
    await loop;
    return count;
  }

  test('[ERP-24] reserves shares of the first half of a second for each more urgent priority', async () => {
    const [db] = pools;
    const limiter = createErpLimiter({ db: db!, perSecond: 100 });
    const statements = countStatements(db!);
    const taken: number[] = [];
    for (const priority of ['REST', 'CHANGES', 'GUESTS', 'ORDERS'] as const) {
      await clock.advance(10_000);
      taken.push(await takeAll(limiter, statements, priority));
    }

    expect(taken).toEqual([50, 60, 70, 100]);
  });

  test('[ERP-8] gives unused shares of urgent requests to the other requests', async () => {
    const limiter = createErpLimiter({ db: pools[0]!, perSecond: 10 });
    await Promise.all(Array.from({ length: 5 }, () => limiter.acquire()));
    await clock.advance(600);
    await Promise.all(Array.from({ length: 5 }, () => limiter.acquire()));

    expect(await points()).toBe(10);
  });

  test('[ERP-24] an order waits less than a second while guests and imports exceed the rate', async () => {
    const [api, otherApi, worker] = pools.map((db) => createErpLimiter({ db, perSecond: 10 })) as [
      Limiter,
      Limiter,
      Limiter,
    ];
    const ended = new AbortController();
    const passed = new Set<Priority>();
    const keepAsking = async (limiter: Limiter, priority: Priority) => {
      while (!ended.signal.aborted) {
        await limiter.acquire({ priority, signal: ended.signal }).then(
          () => passed.add(priority),
          () => undefined,
        );
      }
    };
    const order = () => worker.acquire({ priority: 'ORDERS' });
    const others = [
      ...Array.from({ length: 10 }, () =>
        [api, otherApi].map((limiter) => keepAsking(limiter, 'GUESTS')),
      ).flat(),
      ...Array.from({ length: 4 }, () => [
        keepAsking(worker, 'CHANGES'),
        keepAsking(worker, 'REST'),
      ]).flat(),
    ];
    await eventually('guests have taken their share', async () =>
      (await points()) === 7 ? true : undefined,
    );

    // The rest of the window is reserved for orders, although 28 callers wait.
    await Promise.all([order(), order(), order()]);
    expect(await points()).toBe(10);

    // The window is full, so an order waits only for the next window.
    await clock.advance(600);
    const late = order();
    await clock.advance(401);
    await late;

    await eventually('every class has had its turn', async () => {
      await clock.advance(250);
      return passed.size === 3 ? true : undefined;
    });
    ended.abort();
    await Promise.all(others);
  });
});

test('[ERP-8] hosts with different clocks share one window by the clock of the database', async () => {
  const limiter = createErpLimiter({ db: database.db, perSecond: 2 });
  const ends = async () =>
    (await selectRow(database.db, 'erp_rate_limit', ['expire'], { key: 'erp:all' })).expire!;
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

test('[ERP-8] a database clock that is set back by an hour blocks no caller', async () => {
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

test('a limiter that is off has no limit, but rejects an already aborted call', async () => {
  const limiter = createErpLimiter({ db: database.db, perSecond: null });
  await Promise.all(Array.from({ length: 1000 }, () => limiter.acquire()));
  await expect(limiter.acquire({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow(
    'gone',
  );
});

test('a database failure is an error of the limiter, not a wait', async () => {
  const closed = await openDatabase({ url: database.url });
  const limiter = createErpLimiter({ db: closed, perSecond: 10 });
  await closed.close();
  await expect(limiter.acquire()).rejects.toThrow('after calling end on the pool');
});
