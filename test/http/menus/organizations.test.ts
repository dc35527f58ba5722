import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { distanceMeters } from '../../../modules/delivery/rules/zones/distance.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';
import { selectRow, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
let api: Storefront;

beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
  api = await startStorefront(database);
});
afterAll(async () => {
  await api?.stop();
  await database?.close();
});

test('[STO-6] the list contains active organizations by name, with address and coordinates, once per uuid', async () => {
  const first = await rows.connection();
  const second = await rows.connection();
  const old = await rows.connection('DISABLED');
  const twice = randomUUID();
  await rows.organization(first, {
    erp_id: twice,
    name: 'Б',
    address: 'Невский, 1',
    latitude: 59.93,
    longitude: 30.33,
  });
  await rows.organization(second, { erp_id: twice, name: 'Чужая', inactive_at: new Date() });
  const moved = randomUUID();
  await rows.organization(old, { erp_id: moved, name: 'Старая', inactive_at: new Date() });
  await rows.organization(second, { erp_id: moved, name: 'А' });
  await rows.organization(first, { name: 'Ушла', inactive_at: new Date() });

  const response = await fetch(`${api.url}/api/v1/organizations`);
  const closed = {
    pickup: { enabled: false, accepting: false },
    delivery: { enabled: false, accepting: false },
    schedule: [{ days: 'Пн–Вс', delivery: 'закрыто', pickup: 'закрыто' }],
  };

  expect(response.headers.get('etag')).toMatch(/^W\//);
  expect(await response.json()).toEqual({
    items: [
      { id: moved, name: 'А', address: null, coordinates: null, ...closed },
      {
        id: twice,
        name: 'Б',
        address: 'Невский, 1',
        coordinates: { latitude: 59.93, longitude: 30.33 },
        ...closed,
      },
    ],
    page: 1,
    size: 50,
    total: 2,
  });
});

test('[HTTP-65] the list for a point begins with the nearest organization, with distances', async () => {
  const connectionId = await rows.connection();
  const at = (name: string, point: object) => rows.organization(connectionId, { name, ...point });
  await at('В Пулково', { latitude: 59.8003, longitude: 30.2625 });
  await at('Без места', {});
  await at('На Невском', { latitude: 59.9343, longitude: 30.3351 });
  const from: [number, number] = [30.3141, 59.9398];
  const list = async (query: string) => {
    const answer = await fetch(`${api.url}/api/v1/organizations?size=200${query}`);
    return (await answer.json()) as { items: { name: string; distanceMeters?: number | null }[] };
  };
  const point = `&lat=${from[1]}&lon=${from[0]}`;
  const nearest = (await list(`${point}&sort=distance,asc`)).items.filter(({ name }) =>
    /Пулково|места|Невском/.test(name),
  );
  const byName = (await list(point)).items.map(({ name }) => name);
  const plain = await list('');
  const meters = (to: [number, number]) => Math.round(distanceMeters(from, to));

  expect(nearest.map(({ name, distanceMeters: far }) => [name, far])).toEqual([
    ['На Невском', meters([30.3351, 59.9343])],
    ['В Пулково', meters([30.2625, 59.8003])],
    ['Без места', null],
  ]);
  expect(byName).toEqual(plain.items.map(({ name }) => name));
  expect(plain.items.every((item) => !('distanceMeters' in item))).toBe(true);
});

test('[HTTP-65] answers with distances are not stored', async () => {
  const { id } = await rows.organization(await rows.connection(), {
    name: 'Переезд',
    latitude: 60,
    longitude: 30,
  });
  const distance = async () => {
    const answer = await fetch(`${api.url}/api/v1/organizations?size=200&lat=60&lon=30`);
    const { items } = (await answer.json()) as {
      items: { name: string; distanceMeters?: number }[];
    };
    return items.find(({ name }) => name === 'Переезд')?.distanceMeters;
  };
  const before = await distance();
  await updateRows(database.db, 'mirror_organization', { latitude: 61 }, { id });

  expect(before).toBe(0);
  expect(await distance()).toBe(Math.round(distanceMeters([30, 60], [30, 61])));
});

test.each([
  ['lat=59', 'lon', 'required'],
  ['lon=30', 'lat', 'required'],
  ['sort=distance,asc', 'lat', 'required'],
  ['lat=91&lon=30', 'lat', 'max'],
])('[HTTP-65] the list rejects %s', async (query, field, code) => {
  const answer = await fetch(`${api.url}/api/v1/organizations?${query}`);

  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ errors: [{ field, code }] });
});

test('a menu without earlier requests is built, and answered byte for byte as stored', async () => {
  const place = await rows.restaurant();
  await rows.dish({ ...place, prices: { [place.organizationId]: 25_050 } });

  const response = await fetch(`${api.url}/api/v1/menu?organization_id=${place.organizationErpId}`);
  const stored = await selectRow(database.db, 'snapshot', ['payload', 'etag'], {
    organizationId: place.organizationId,
  });

  expect(await response.text()).toBe(stored.payload.toString('utf8'));
  expect(response.headers.get('etag')).toBe(stored.etag);
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
});
