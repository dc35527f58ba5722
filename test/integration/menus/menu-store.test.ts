import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { listenTo } from '../../../platform/db/kept-connection.ts';
import { createEnsureSnapshot } from '../../../modules/menus/storefront/ensure-snapshot.ts';
import { createMenuStore, type MenuStore } from '../../../modules/menus/storefront/menu-store.ts';
import {
  buildSnapshot,
  type SnapshotDeps,
} from '../../../modules/menus/snapshot/build-snapshot.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import { openDatabase, type Database } from '../../support/text-database.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { advisory } from '../../../platform/db/locks.ts';
import { silentProxyTo } from '../../support/chaos/silent-proxy.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { eventually } from '../../support/processes.ts';
import { databaseNow, selectRows, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
let deps: SnapshotDeps;
const log = createLog({ service: 'test', level: 'silent' });
const cleanups: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
  deps = { db: database.db, log, metrics: createMetrics('test') };
});
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});
afterAll(() => database.close());

async function startStore(
  pollMs: number,
  poolSize = 5,
): Promise<{ store: MenuStore; db: Database }> {
  const db = await openDatabase({
    url: database.url,
    poolSize,
    applicationName: `carte-store-${randomUUID()}`,
  });
  const store = createMenuStore({ db, log, metrics: createMetrics('test'), pollMs });
  const { loaded } = await store.start();
  await loaded;
  cleanups.push(async () => {
    await store.stop();
    await db.close();
  });
  return { store, db };
}

const until = (what: string, isTrue: () => boolean | undefined) =>
  eventually(what, async () => (isTrue() === true ? true : undefined));

async function publishedRestaurant() {
  const place = await rows.restaurant();
  const dish = await rows.dish({ ...place, prices: { [place.organizationId]: 25_000 } });
  await buildSnapshot(deps, place.organizationId);
  return { ...place, dish };
}
const reprice = (sizeId: number, kopecks: number) =>
  updateRows(database.db, 'mirror_price', { priceKopecks: kopecks }, { itemSizeId: sizeId });
const NEVER = 3_600_000;

describe('two API instances on one database', () => {
  test('[STO-9] see a publication and a stop by notification alone', async () => {
    const place = await publishedRestaurant();
    const stores = [(await startStore(NEVER)).store, (await startStore(NEVER)).store];
    const documents = (store: MenuStore) => store.find(place.organizationErpId)?.documents;
    expect(stores.map((store) => documents(store)?.revision)).toEqual([1, 1]);

    await reprice(place.dish.sizeId, 30_000);
    await buildSnapshot(deps, place.organizationId);
    await until('the publication', () => stores.every((store) => documents(store)?.revision === 2));

    await rows.stop(place.organizationId, place.dish.erpId);
    await patchAvailability(deps, place.organizationId);
    await until('the stop', () =>
      stores.every((store) => documents(store)?.availability.identity.includes(place.dish.erpId)),
    );
    expect(stores.map((store) => documents(store)?.revision)).toEqual([2, 2]);
  });

  test('[STO-9] find a publication with a lost notification by polling', async () => {
    const place = await publishedRestaurant();
    const { store } = await startStore(100);
    const before = store.find(place.organizationErpId)!.documents!;

    // Simulates a lost notification: the row changes without a notification.
    await updateRows(
      database.db,
      'snapshot',
      { revision: 2, etag: 'W/"2"', payload: Buffer.from('{"revision":2}') },
      { organizationId: place.organizationId },
    );

    await until('the repair', () => store.find(place.organizationErpId)?.documents?.revision === 2);
    expect(store.find(place.organizationErpId)!.documents).not.toBe(before);
  });

  test('subscribe again after their connection was cut, and read what they missed', async () => {
    const place = await publishedRestaurant();
    const { store } = await startStore(NEVER);
    const listening = () =>
      database.db.query<{ pid: number }>(
        `select pid from pg_stat_activity where query = 'listen carte_snapshot' and datname = current_database()`,
      );
    await eventually('the store listens', async () =>
      (await listening()).length > 0 ? true : undefined,
    );

    await database.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen carte_snapshot' and datname = current_database()`,
    );
    await reprice(place.dish.sizeId, 31_000);
    await buildSnapshot(deps, place.organizationId);
    await until(
      'catching up',
      () => store.find(place.organizationErpId)?.documents?.revision === 2,
    );

    await reprice(place.dish.sizeId, 32_000);
    await buildSnapshot(deps, place.organizationId);
    await until(
      'the next one',
      () => store.find(place.organizationErpId)?.documents?.revision === 3,
    );
    expect((await listening()).length).toBeGreaterThan(0);
  });
});

describe('a process that starts', () => {
  test('[STO-17] loads all restaurants, and a requested menu before the others', async () => {
    const places = [];
    for (let count = 0; count < 12; count += 1) places.push(await publishedRestaurant());
    const last = places.at(-1)!;
    // Loading these menus takes a while.
    await database.db.query(
      `update snapshot set payload_br = convert_to(repeat('x', 8000000), 'utf8') where organization_id = any ($1) and organization_id <> $2`,
      [places.map((place) => place.organizationId), last.organizationId],
    );
    const db = await openDatabase({
      url: database.url,
      poolSize: 3,
      applicationName: `carte-store-${randomUUID()}`,
    });
    const store = createMenuStore({ db, log, metrics: createMetrics('test'), pollMs: NEVER });
    const { loaded } = await store.start();
    const existing = places.map((place) => store.find(place.organizationErpId));
    const cold = existing.filter((entry) => entry?.documents === null).length;
    const asked = store.load(last.organizationErpId);
    const first = await Promise.race([
      asked.then(() => 'the menu that is asked for'),
      loaded.then(() => 'all menus'),
    ]);
    await loaded;

    expect(existing.every((entry) => entry !== undefined)).toBe(true);
    expect(store.only()).toBeUndefined();
    expect((await asked).revision).toBe(1);
    expect(cold).toBe(existing.length);
    expect(first).toBe('the menu that is asked for');
    expect(existing.map((entry) => entry?.documents?.revision)).toEqual(places.map(() => 1));
    await store.stop();
    await db.close();
    await updateRows(
      database.db,
      'mirror_organization',
      { inactiveAt: databaseNow() },
      { id: places.map((place) => place.organizationId) },
    );
  });
});

describe('organizations that change', () => {
  test('appear in the store when they are new, and disappear when they are inactive', async () => {
    const place = await publishedRestaurant();
    const { store } = await startStore(50);
    expect(store.find(place.organizationErpId)?.documents).toBeTruthy();

    await updateRows(
      database.db,
      'mirror_organization',
      { inactiveAt: databaseNow() },
      { id: place.organizationId },
    );
    const next = await publishedRestaurant();

    await until('leaving', () => store.find(place.organizationErpId) === undefined);
    await until('coming', () => store.find(next.organizationErpId)?.documents?.revision === 1);
    await expect(store.load(place.organizationErpId)).rejects.toMatchObject({
      name: 'Problem',
      kind: 'not-found',
    });
  });

  test('appear under a new connection that takes over their uuid', async () => {
    const first = await publishedRestaurant();
    const second = await rows.restaurant();
    const { db } = database;
    await updateRows(
      db,
      'mirror_organization',
      { erpId: first.organizationErpId, inactiveAt: databaseNow() },
      { id: second.organizationId },
    );
    const { store } = await startStore(50);
    expect(store.find(first.organizationErpId)?.organizationId).toBe(first.organizationId);

    await updateRows(
      db,
      'mirror_organization',
      { inactiveAt: databaseNow() },
      { id: first.organizationId },
    );
    await updateRows(
      db,
      'mirror_organization',
      { inactiveAt: null },
      { id: second.organizationId },
    );
    await buildSnapshot(deps, second.organizationId);

    await until('the successor', () => {
      const place = store.find(first.organizationErpId);
      return place?.organizationId === second.organizationId && place.documents !== null;
    });
  });
});

describe('the build of a missing menu', () => {
  test('[STO-8] happens once for concurrent requests, in one process and in several', async () => {
    const place = await rows.restaurant();
    await rows.dish({ ...place, prices: { [place.organizationId]: 25_000 } });
    const processes = await Promise.all([startStore(NEVER), startStore(NEVER)]);

    const answers = await Promise.all(
      processes.flatMap(({ store }) =>
        Array.from({ length: 20 }, () => store.load(place.organizationErpId)),
      ),
    );

    expect(new Set(answers.map((answer) => answer.etag)).size).toBe(1);
    expect(answers[0]!.revision).toBe(1);
    const [row] = await selectRows(database.db, 'snapshot', ['revision'], {
      organizationId: place.organizationId,
    });
    expect(row).toEqual({ revision: 1 });
  });

  test('needs only the connections of a small pool for many organizations', async () => {
    const places = [];
    for (let i = 0; i < 8; i += 1) places.push(await rows.restaurant());
    const { store } = await startStore(NEVER, 4);

    const answers = await Promise.all(places.map((place) => store.load(place.organizationErpId)));

    expect(answers.map((answer) => answer.revision)).toEqual(places.map(() => 1));
  });

  test('makes requests wait without a connection while another process builds', async () => {
    const place = await rows.restaurant();
    const { store, db } = await startStore(NEVER, 4);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let other: Promise<void> = Promise.resolve();
    await new Promise<void>((isLocked) => {
      other = database.db.transaction(async (tx) => {
        await advisory.tryFirstBuild(tx, place.organizationId);
        isLocked();
        await held;
      });
    });

    let answered = false;
    const answer = store.load(place.organizationErpId).then((documents) => {
      answered = true;
      return documents;
    });
    await delay(300);
    expect(answered).toBe(false);
    // Waiting requests use no connection, unlike the subscription.
    expect(db.pool.totalCount - db.pool.idleCount).toBeLessThanOrEqual(2);
    release();
    await other;

    expect((await answer).revision).toBe(1);
  });

  test('happens only if the menu is still missing', async () => {
    const place = await publishedRestaurant();
    await reprice(place.dish.sizeId, 99_000);

    await createEnsureSnapshot(deps)(place.organizationId);

    const [row] = await selectRows(database.db, 'snapshot', ['revision'], {
      organizationId: place.organizationId,
    });
    expect(row).toEqual({ revision: 1 });
  });
});

describe('a network that becomes silent', () => {
  // A soak polls as often as production, `npm test` ten times as often. A statement times out after
  // the test, so only the poll can find the silence.
  const isSoak = Number(process.env['SOAK_FACTOR'] ?? 1) >= 10;
  const scale = isSoak ? 1 : 0.1;

  test('[OPS-36] causes a new subscription, so a menu is served within half a minute of its publication', async () => {
    const place = await publishedRestaurant();
    const { proxy, throughProxy } = await silentProxyTo(database.url);
    const db = await openDatabase({
      url: throughProxy,
      poolSize: 4,
      statementTimeoutMs: 300_000,
    });
    const store = createMenuStore({
      db,
      log,
      metrics: createMetrics('test'),
      pollMs: 3_000 * scale,
      silence: { askMs: 5_000 * scale, giveUpMs: 10_000 * scale },
    });
    await (
      await store.start()
    ).loaded;
    try {
      await Promise.all(Array.from({ length: 3 }, () => db.query('select pg_sleep(0.1)')));
      await proxy.cut(50);
      await reprice(place.dish.sizeId, 33_000);
      await buildSnapshot(deps, place.organizationId);
      await until(
        'the publication',
        () => store.find(place.organizationErpId)?.documents?.revision === 2,
      );

      expect(proxy.counts.connectionsLost).toBe(4);
    } finally {
      await store.stop();
      await db.close();
      await proxy.close();
    }
  });

  test('[OPS-36] differs from a slow statement, which causes no new subscription', async () => {
    const { db } = await startStore(NEVER);
    const slow = db.query<{ one: number }>('select 1 as one from pg_sleep(0.6)');
    const lost: unknown[] = [];
    const listener = listenTo({ db, log, silence: { askMs: 50, giveUpMs: 100 } }, 'carte_nothing', {
      announced: () => undefined,
      connected: () => lost.push('connected'),
    });

    expect(await slow).toEqual([{ one: 1 }]);
    await listener.stop();
    expect(lost).toEqual(['connected']);
  });
});

test('a long subscription keeps no data of its polls', async () => {
  const { db } = await startStore(NEVER);
  const signals: AbortSignal[] = [];
  const Original = AbortController;
  globalThis.AbortController = class extends Original {
    constructor() {
      super();
      signals.push(this.signal);
    }
  };
  const listener = listenTo({ db, log, silence: { askMs: 2, giveUpMs: 20 } }, 'carte_nothing', {
    announced: () => undefined,
    connected: () => undefined,
  });
  globalThis.AbortController = Original;
  await delay(400);
  const waiting = signals.map((signal) => getEventListeners(signal, 'abort').length);
  await listener.stop();

  expect(signals).toHaveLength(1);
  // The remaining listeners are of the connection's end and the last query's pauses.
  expect(Math.max(...waiting)).toBeLessThan(12);
});

describe('a database that becomes unavailable', () => {
  test('keeps loaded menus available, and the store ends in time', async () => {
    const own = await migratedDatabase();
    const ownRows = menuRows(own.db);
    const place = await ownRows.restaurant();
    await buildSnapshot({ ...deps, db: own.db }, place.organizationId);
    const db = await openDatabase({ url: own.url, poolSize: 3 });
    const store = createMenuStore({ db, log, metrics: createMetrics('test'), pollMs: 20 });
    await (
      await store.start()
    ).loaded;

    await own.close();
    await delay(200);

    expect(store.find(place.organizationErpId)?.documents?.revision).toBe(1);
    await store.stop();
    await db.close();
  });
});
