import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';
import { selectRow } from '../../support/rows.ts';

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

test('[STO-6] lists active organizations by name, with address and coordinates, each uuid once', async () => {
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
      { id: twice, name: 'Б', address: 'Невский, 1', coordinates: { latitude: 59.93, longitude: 30.33 }, ...closed },
    ],
    page: 1,
    size: 50,
    total: 2,
  });
});

test('a menu that was never asked for is built, and answered byte for byte as it is stored', async () => {
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
