import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectionHealth } from '../../../modules/connections/connection-health.ts';
import { createErpCircuits } from '../../../modules/connections/erp-calls/erp-circuits.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openDatabase } from '../../../modules/own-database.ts';
import { createBreaker, type Breaker } from '../../../erp/breaker.ts';
import { ErpFailure, type ErpFailureKind } from '../../../erp/failure.ts';
import { createLog } from '../../../platform/log.ts';
import { aConnection } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { ago, databaseNow, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let other: Database;
let connectionId: number;
beforeAll(async () => {
  database = await migratedDatabase();
  other = await openDatabase({ url: database.url, poolSize: 5, applicationName: 'second-process' });
});
beforeEach(async () => {
  connectionId = (await aConnection(database.db, 'login')).id;
});
afterAll(async () => {
  await other.close();
  await database.close();
});

function createTestBreaker(
  db: Database,
  options: { size?: number; openMs?: number } = {},
): Breaker {
  const log = createLog({ service: 'test', level: 'silent' });
  return createBreaker({
    circuits: createErpCircuits({ db }),
    log,
    size: 20,
    openMs: 60_000,
    ...options,
  });
}

type Outcome = ErpFailureKind | 'ok';

async function call(
  breaker: Breaker,
  outcome: Outcome,
  endpoint = '/x',
  id = connectionId,
): Promise<string> {
  try {
    return await breaker({ connectionId: id, endpoint, longestMs: 10_000 }, async () => {
      if (outcome !== 'ok') throw new ErpFailure(outcome, { endpoint });
      return 'ok';
    });
  } catch (error) {
    return (error as ErpFailure).kind;
  }
}

async function calls(breaker: Breaker, outcomes: Outcome[]): Promise<void> {
  for (const outcome of outcomes) await call(breaker, outcome);
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const health = async (id = connectionId) =>
  (await connectionHealth(database.db)).find((entry) => entry.connectionId === id);
const pauseIsOver = () =>
  updateRows(database.db, 'erp_circuit', { openUntil: ago('1 ms') }, { connectionId });

describe('the circuit breaker of a connection', () => {
  test('stays closed below half of the last 20 requests', async () => {
    await calls(createTestBreaker(database.db), [
      ...times(11, 'ok' as const),
      ...times(9, 'SERVER' as const),
    ]);

    expect(await health()).toMatchObject({ circuit: 'CLOSED', openedAt: null, openUntil: null });
  });

  test('[ERP-9] opens at half of the last 20 requests, for 60 seconds, and returns the time to wait', async () => {
    const breaker = createTestBreaker(database.db);
    await calls(breaker, [...times(10, 'ok' as const), ...times(10, 'TIMEOUT' as const)]);

    const refused: unknown = await breaker(
      { connectionId, endpoint: '/x', longestMs: 1 },
      async () => 'never',
    ).catch((error: unknown) => error);

    expect(await health()).toMatchObject({ circuit: 'OPEN', openedAt: expect.any(Date) });
    expect(refused).toMatchObject({ name: 'ErpFailure', kind: 'CIRCUIT_OPEN', retryable: true });
    const { retryAfterMs } = refused as ErpFailure;
    expect(retryAfterMs).toBeGreaterThan(30_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  test('stays closed before 20 requests were made', async () => {
    const breaker = createTestBreaker(database.db);
    await calls(breaker, times(19, 'SERVER' as const));
    const before = await health();
    await call(breaker, 'SERVER');

    expect(before).toMatchObject({ circuit: 'CLOSED' });
    expect(await health()).toMatchObject({ circuit: 'OPEN' });
  });

  test('counts rejected requests as proof that the ERP works', async () => {
    const breaker = createTestBreaker(database.db, { size: 4 });
    await calls(breaker, [
      'CLIENT',
      'UNAUTHORIZED',
      'INVALID_ANSWER',
      'GONE',
      'FORBIDDEN',
      'CLIENT',
    ]);
    // One fault among three calls is less than half.
    await call(breaker, 'SERVER');

    expect(await health()).toMatchObject({ circuit: 'CLOSED' });
  });

  test('[ERP-27] ignores a 5xx for a part of a split request, but counts its time-out', async () => {
    const breaker = createTestBreaker(database.db, { size: 4 });
    const part = async (outcome: ErpFailureKind) => {
      const failed = breaker(
        { connectionId, endpoint: '/x', longestMs: 1, isSplit: true },
        async () => {
          throw new ErpFailure(outcome, { endpoint: '/x' });
        },
      );
      await expect(failed).rejects.toMatchObject({ kind: outcome });
    };
    for (const outcome of times(8, 'SERVER' as const)) await part(outcome);
    // Failed parts do not count as successes of the ERP either.
    await calls(breaker, ['ok', 'SERVER', 'ok']);
    expect(await health()).toMatchObject({ circuit: 'CLOSED' });

    await part('TIMEOUT');
    expect(await health()).toMatchObject({ circuit: 'OPEN' });
  });

  test('[ERP-27] stays open if its probe is a part that is answered with 5xx', async () => {
    const breaker = createTestBreaker(database.db, { size: 2 });
    await calls(breaker, ['SERVER', 'SERVER']);
    await pauseIsOver();

    await breaker({ connectionId, endpoint: '/x', longestMs: 1, isSplit: true }, async () => {
      throw new ErpFailure('SERVER', { endpoint: '/x' });
    }).catch(() => undefined);

    expect(await health()).toMatchObject({ circuit: 'OPEN' });
  });

  test('affects no other connection', async () => {
    const neighbour = (await aConnection(database.db, 'login')).id;
    const breaker = createTestBreaker(database.db, { size: 2 });
    await calls(breaker, ['SERVER', 'SERVER']);

    expect(await call(breaker, 'ok')).toBe('CIRCUIT_OPEN');
    expect(await call(breaker, 'ok', '/x', neighbour)).toBe('ok');
    expect(await health(neighbour)).toMatchObject({ circuit: 'CLOSED' });
  });

  test('[ERP-26] covers one group of endpoints, so a failing loyalty part leaves orders unaffected', async () => {
    const breaker = createTestBreaker(database.db, { size: 4 });
    const [card, create] = ['/api/1/loyalty/erp/customer/info', '/api/1/deliveries/create'];
    for (let failed = 0; failed < 4; failed += 1) await call(breaker, 'SERVER', card);
    const there = createTestBreaker(other, { size: 4 });

    expect(await Promise.all([call(breaker, 'ok', card), call(there, 'ok', card)])).toEqual(
      times(2, 'CIRCUIT_OPEN'),
    );
    expect(await Promise.all([call(breaker, 'ok', create), call(there, 'ok', create)])).toEqual(
      times(2, 'ok'),
    );
    expect((await health())?.circuits.filter(({ circuit }) => circuit !== 'CLOSED')).toMatchObject([
      { group: 'LOYALTY', circuit: 'OPEN' },
    ]);
  });

  test('[ERP-26] counts no 429, and closes if a probe is answered with 429', async () => {
    const breaker = createTestBreaker(database.db, { size: 2 });
    await calls(breaker, times(10, 'RATE_LIMITED' as const));
    const before = await health();
    await calls(breaker, ['SERVER', 'SERVER']);
    await pauseIsOver();
    await call(breaker, 'RATE_LIMITED');

    expect(before).toMatchObject({ circuit: 'CLOSED' });
    expect(await health()).toMatchObject({ circuit: 'CLOSED' });
  });

  test('[ERP-9] opens for every process, also for one without failures', async () => {
    await calls(createTestBreaker(database.db, { size: 2 }), ['SERVER', 'SERVER']);

    expect(await call(createTestBreaker(other, { size: 2 }), 'ok')).toBe('CIRCUIT_OPEN');
  });

  test('sends one probe of one process after the pause, and the others wait for its result', async () => {
    const [here, there] = [
      createTestBreaker(database.db, { size: 2 }),
      createTestBreaker(other, { size: 2 }),
    ];
    await calls(here, ['SERVER', 'SERVER']);
    await pauseIsOver();
    const halfOpen = await health();
    let probes = 0;
    let refused = 0;
    const found = Promise.withResolvers<void>();
    const decided = () => probes + refused === 6 && found.resolve();
    const probe = (breaker: Breaker) =>
      breaker({ connectionId, endpoint: '/x', longestMs: 600_000 }, async () => {
        probes += 1;
        decided();
        await found.promise;
        return 'ok';
      }).catch((error: ErpFailure) => {
        refused += 1;
        decided();
        return error.kind;
      });

    const results = await Promise.all([here, there, here, there, there, here].map(probe));

    expect(halfOpen).toMatchObject({ circuit: 'HALF_OPEN' });
    expect(probes).toBe(1);
    expect(results.toSorted()).toEqual([...times(5, 'CIRCUIT_OPEN'), 'ok']);
    expect(await health()).toMatchObject({ circuit: 'CLOSED', openedAt: null });
    expect(await call(there, 'ok')).toBe('ok');
  });

  test('opens again if a probe fails, and keeps the time of its first failure', async () => {
    const breaker = createTestBreaker(database.db, { size: 2 });
    await calls(breaker, ['SERVER', 'SERVER']);
    const first = await health();
    await pauseIsOver();

    expect(await call(breaker, 'SERVER')).toBe('SERVER');

    expect(await call(breaker, 'ok')).toBe('CIRCUIT_OPEN');
    expect(await health()).toMatchObject({ circuit: 'OPEN', openedAt: first?.openedAt });
  });

  test('opens again if a probe is interrupted', async () => {
    const breaker = createTestBreaker(database.db, { size: 2 });
    await calls(breaker, ['SERVER', 'SERVER']);
    await pauseIsOver();
    const gone = new Error('caller gone');

    await expect(
      breaker({ connectionId, endpoint: '/x', longestMs: 1_000 }, () => Promise.reject(gone)),
    ).rejects.toBe(gone);

    expect(await health()).toMatchObject({ circuit: 'OPEN' });
  });

  test('[ERP-9] sends no probe for an impatient request, so guests do not keep it open', async () => {
    const breaker = createTestBreaker(database.db, { size: 2 });
    await calls(breaker, ['SERVER', 'SERVER']);
    await pauseIsOver();
    const gone = new Error('the guest has waited long enough');
    let asked = 0;
    const hurried = () =>
      breaker({ connectionId, endpoint: '/card', longestMs: 10_000, isHurried: true }, async () => {
        asked += 1;
        throw gone;
      }).catch((error: ErpFailure) => error.kind);

    expect(await Promise.all([hurried(), hurried()])).toEqual(['CIRCUIT_OPEN', 'CIRCUIT_OPEN']);
    expect(asked).toBe(0);
    // The probe is free again for a request that waits for its answer.
    expect(await call(breaker, 'ok')).toBe('ok');
    expect(await health()).toMatchObject({ circuit: 'CLOSED' });
    await expect(hurried()).resolves.toBeUndefined();
    expect(asked).toBe(1);
  });

  test('repeats the probe of a dead process after the time in which it must have ended', async () => {
    await calls(createTestBreaker(database.db, { size: 2 }), ['SERVER', 'SERVER']);
    await pauseIsOver();
    const circuits = createErpCircuits({ db: other });
    const request = { connectionId, endpoint: '/x', longestMs: 600_000 };
    const dead = await circuits.enter(request);
    const meanwhile = await circuits.enter(request);
    await updateRows(database.db, 'erp_circuit', { probeUntil: databaseNow() }, { connectionId });

    expect([dead, meanwhile]).toEqual([
      { state: 'PROBE' },
      { state: 'OPEN', leftMs: expect.any(Number) },
    ]);
    expect(await circuits.enter(request)).toEqual({ state: 'PROBE' });
  });
});

describe('a Retry-After header', () => {
  const limited = (breaker: Breaker, retryAfterMs: number, endpoint: string) =>
    breaker({ connectionId, endpoint, longestMs: 1_000 }, async () => {
      throw new ErpFailure('RATE_LIMITED', { endpoint, status: 429, retryAfterMs });
    }).catch((error: ErpFailure) => error.kind);

  test('[WIRE-25] pitfall 25: keeps every process away from that endpoint, and from no other', async () => {
    await limited(createTestBreaker(database.db), 60_000, '/stops');
    const there = createTestBreaker(other);

    const held: unknown = await there(
      { connectionId, endpoint: '/stops', longestMs: 1 },
      async () => 'never',
    ).catch((error: unknown) => error);

    expect(held).toMatchObject({
      kind: 'RATE_LIMITED',
      retryable: true,
      retryAfterMs: expect.any(Number),
    });
    expect((held as ErpFailure).retryAfterMs).toBeGreaterThan(30_000);
    expect(await call(there, 'ok', '/menus')).toBe('ok');
  });

  test('delays the request if it is short', async () => {
    const breaker = createTestBreaker(database.db);
    const before = performance.now();
    await limited(breaker, 400, '/stops');

    expect(await call(breaker, 'ok', '/stops')).toBe('ok');

    expect(performance.now() - before).toBeGreaterThan(390);
  });
});
