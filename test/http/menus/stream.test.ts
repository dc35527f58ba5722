import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { PublicApi, watchMenu } from '../../../packages/client/src/storefront.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import { migratedDatabase } from '../../support/database.ts';
import { openStream, type OpenStream, type StreamEvent } from '../../support/event-stream.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { eventually } from '../../support/processes.ts';
import { deleteRows, plus, updateRows } from '../../support/rows.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
let api: Storefront;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let dish: Awaited<ReturnType<MenuRows['dish']>>;

beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
  place = await rows.restaurant();
  dish = await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } });
  api = await startStorefront(database, {
    env: { STREAMS_PER_ADDRESS: '3', PUBLIC_ORIGINS: 'https://shop.example' },
  });
  await buildSnapshot(api.deps, place.organizationId);
  await eventually(
    'the menu is served',
    async () => (await api.store.load(place.organizationErpId)) || undefined,
  );
});
afterAll(async () => {
  await api?.stop();
  await database?.close();
});

const opened: OpenStream[] = [];
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close();
  await eventually('every stream is closed', async () =>
    (await openStreams()) === 0 ? true : undefined,
  );
});
async function open(
  query = `?organization_id=${place.organizationErpId}`,
  headers: Record<string, string> = {},
) {
  const stream = await openStream(`${api.url}/api/v1/stream${query}`, headers);
  opened.push(stream);
  return stream;
}
const openStreams = async () => {
  const { values } = await api.deps.metrics.openStreams.get();
  return values.reduce((sum, { value }) => sum + value, 0);
};
async function reprice(): Promise<void> {
  await updateRows(
    database.db,
    'mirror_price',
    { priceKopecks: plus('priceKopecks', 100) },
    { organizationId: place.organizationId },
  );
  await buildSnapshot(api.deps, place.organizationId);
}
const findState = (events: readonly StreamEvent[]) => ({
  menu: events.findLast(({ event }) => event === 'menu')?.data,
  availability: events.findLast(({ event }) => event === 'availability')?.data as
    | { unavailableItemIds: string[] }
    | undefined,
});
async function stopAndReprice(): Promise<void> {
  await rows.stop(place.organizationId, dish.erpId);
  await reprice();
}
async function stop(): Promise<void> {
  await rows.stop(place.organizationId, dish.erpId);
  await patchAvailability(api.deps, place.organizationId);
}

describe('[HTTP-56] the stream of a menu', () => {
  test('begins with the state, and continues with changes of stop-list and menu', async () => {
    const stream = await open();
    const first = await stream.until(2);
    const { revision } = first[0]!.data as { revision: number };
    expect(first.map(({ event }) => event)).toEqual(['menu', 'availability']);
    expect(first[0]!.data).toEqual({ organizationId: place.organizationErpId, revision });
    expect(first[1]!.data).toEqual({ revision, unavailableItemIds: [], unavailableVariantIds: [] });

    await stop();
    const [, , stopped] = await stream.until(3);
    expect(stopped).toMatchObject({
      event: 'availability',
      data: { revision, unavailableItemIds: [dish.erpId] },
    });

    await reprice();
    const [, , , menu, lists] = await stream.until(5);
    expect(menu).toMatchObject({ event: 'menu', data: { revision: revision + 1 } });
    expect(lists).toMatchObject({ event: 'availability', data: { revision: revision + 1 } });
    const ids = stream.events.map(({ id }) => id);
    expect([ids[0], ids[3]]).toEqual(['', '']);
    expect(new Set(ids).size).toBe(4);
    await deleteRows(database.db, 'mirror_stop_list');
    await patchAvailability(api.deps, place.organizationId);
  });

  test('contains the state after a reconnection only if it has changed', async () => {
    const [, { id }] = (await (await open()).until(2)) as [unknown, { id: string }];
    const same = await open(undefined, { 'Last-Event-ID': id });
    await reprice();
    expect((await same.until(2))[0]).toMatchObject({ event: 'menu' });
    expect(same.events[0]!.id).not.toBe(id);

    const late = await open(undefined, { 'Last-Event-ID': id });
    expect((await late.until(2)).map(({ event }) => event)).toEqual(['menu', 'availability']);
  });

  test.each([
    ['opening', { received: 0, stopped: 0, revisions: 0, change: async () => undefined }],
    ['a change of the stop-list', { received: 2, stopped: 1, revisions: 0, change: stop }],
    [
      'a change of menu and stop-list',
      { received: 2, stopped: 1, revisions: 1, change: stopAndReprice },
    ],
    ['two changes', { received: 2, stopped: 1, revisions: 1, change: () => stop().then(reprice) }],
  ])('[HTTP-90] shows the current state after a loss at any event of %s', async (_, expected) => {
    const stream = await open();
    const before = await stream.until(2);
    const revision = (before[0]!.data as { revision: number }).revision + expected.revisions;
    await expected.change();
    const availability = await eventually('the change is served', async () => {
      const answer = await fetch(
        `${api.url}/api/v1/availability?organization_id=${place.organizationErpId}`,
      );
      const lists = (await answer.json()) as { revision: number; unavailableItemIds: string[] };
      return lists.revision === revision && lists.unavailableItemIds.length === expected.stopped
        ? lists
        : undefined;
    });
    const current = { menu: { organizationId: place.organizationErpId, revision }, availability };
    await eventually('the change is in the stream', async () =>
      isDeepStrictEqual(findState(stream.events), current) ? true : undefined,
    );

    for (let received = expected.received; received <= stream.events.length; received += 1) {
      const seen = stream.events.slice(0, received);
      const lastId = seen.findLast(({ id }) => id !== '')?.id;
      const again = await open(undefined, lastId === undefined ? {} : { 'Last-Event-ID': lastId });
      const missed = lastId === stream.events.at(-1)!.id ? [] : await again.until(2);
      expect(findState([...seen, ...missed])).toEqual(current);
      again.close();
      await eventually('it is closed', async () =>
        (await openStreams()) === 1 ? true : undefined,
      );
    }
    await deleteRows(database.db, 'mirror_stop_list');
    await patchAvailability(api.deps, place.organizationId);
    await eventually('nothing is stopped', async () =>
      findState(stream.events).availability?.unavailableItemIds.length === 0 ? true : undefined,
    );
  });

  test('contains no changes of another restaurant', async () => {
    const other = await rows.restaurant();
    await rows.dish({ ...other, prices: { [other.organizationId]: 10_000 } });
    await buildSnapshot(api.deps, other.organizationId);
    await api.store.load(other.organizationErpId);
    const [ours, theirs] = [
      await open(),
      await open(`?organization_id=${other.organizationErpId.toUpperCase()}`),
    ];
    await Promise.all([ours.until(2), theirs.until(2)]);
    await stop();
    await ours.until(3);
    await deleteRows(database.db, 'mirror_stop_list');
    await patchAvailability(api.deps, place.organizationId);
    await ours.until(4);

    expect(theirs.events).toHaveLength(2);
  });

  test('sends headers that keep caches and proxies from delaying events', async () => {
    const { status, headers } = await open(undefined, {
      Origin: 'https://shop.example',
      'Accept-Encoding': 'gzip, br',
    });

    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': 'https://shop.example',
      'x-request-id': expect.any(String) as unknown,
    });
    expect(headers.has('content-encoding')).toBe(false);
  });

  test.each([
    ['an unknown restaurant', () => `?organization_id=${randomUUID()}`, 404],
    ['an id that is none', () => '?organization_id=1', 422],
    ['two ids', () => `?organization_id=${randomUUID()}&organization_id=${randomUUID()}`, 422],
    ['a query of 20,000 characters', () => `?x=${'x'.repeat(10_000)}`, 414],
  ])('fails for %s', async (_, query, status) => {
    const answer = await fetch(`${api.url}/api/v1/stream${query()}`);

    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  test('answers HEAD without a stream and rejects other methods', async () => {
    const url = `${api.url}/api/v1/stream?organization_id=${place.organizationErpId}`;
    const head = await fetch(url, { method: 'HEAD' });

    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    expect(await openStreams()).toBe(0);
  });

  test('ends when the restaurant is no longer served', async () => {
    const gone = await rows.restaurant();
    await rows.dish({ ...gone, prices: { [gone.organizationId]: 10_000 } });
    await buildSnapshot(api.deps, gone.organizationId);
    await api.store.load(gone.organizationErpId);
    const stream = await open(`?organization_id=${gone.organizationErpId}`);
    await stream.until(2);
    await updateRows(
      database.db,
      'mirror_organization',
      { inactiveAt: new Date() },
      { id: gone.organizationId },
    );
    // An announcement of an unknown menu makes the process compare its menus.
    await database.db.query(`select pg_notify('carte_snapshot', '0')`);

    await stream.ended;
    expect(
      (await fetch(`${api.url}/api/v1/stream?organization_id=${gone.organizationErpId}`)).status,
    ).toBe(404);
  });
});

test('[HTTP-58] streams are limited by address until one of them is closed', async () => {
  const streams = [await open(), await open(), await open()];
  const refused = await open();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);

  streams[0]!.close();
  await eventually('a stream may be opened', async () => {
    const stream = await open();
    return stream.status === 200 ? true : undefined;
  });
});

test('[HTTP-71] the client returns a change without a request', async () => {
  const client = new PublicApi({ baseUrl: api.url });
  const menus = watchMenu(client, place.organizationErpId, { intervalMs: 3_600_000 });
  const first = (await menus.next()).value!;
  await eventually('the stream is open', async () =>
    (await openStreams()) === 1 ? true : undefined,
  );
  const next = menus.next();
  await reprice();
  const second = (await next).value!;
  await menus.return();

  expect(second.revision).toBe(first.revision + 1);
});
