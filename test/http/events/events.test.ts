import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EventList } from '../../../modules/events/schemas/events.ts';
import type { PlacedOrder } from '../../../modules/ordering/schemas/orders.ts';
import { systemActor } from '../../../kernel/actor.ts';
import { closeRunIn } from '../../../modules/mirror/runs/close-run.ts';
import { hideProducts } from '../../../modules/catalog/products/move-product.ts';
import { AdminApi } from '../../../packages/client/src/admin.ts';
import { watchEvents } from '../../../packages/client/src/events.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN } from '../../support/api.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { orderingFixture } from '../../support/ordering-fixture.ts';
import { addRow, deleteRows } from '../../support/rows.ts';

const fixture = await orderingFixture();
const { api, db, place, soup, pizza, ask, makeCart, question } = fixture;
let admin: AdminClient;
let orderId: string;
let runId: number;

beforeAll(async () => {
  await openForOrders(db, place.organizationId);
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  await deleteRows(db, 'public_event');
  const cart = await makeCart({
    lines: [{ variantId: soup.variantId, quantity: 2, modifiers: [] }],
  });
  const customer = { name: 'Анна Канарейкина', phone: '8 (999) 000-11-22' };
  const { body } = await ask<PlacedOrder>('POST', '/orders', question(cart, { customer }), {
    key: randomUUID(),
  });
  ({ orderId } = body);
  await ask('POST', `/orders/${orderId}/cancel`, { reason: 'Передумала' });
  ({ id: runId } = await addRow(db, 'sync_run', {
    id: 900_001,
    connectionId: place.connectionId,
    job: 'STOP_LIST',
    trigger: 'MANUAL',
    status: 'RUNNING',
  }));
  await db.transaction((tx) =>
    closeRunIn(tx, { runId, status: 'FAILED', reason: 'ERP_UNAVAILABLE' }),
  );
  await db.transaction((tx) => hideProducts(tx, systemActor('test'), [soup.productId], 'TEST'));
});
afterAll(fixture.stop);

const list = (query = '') => admin.get<EventList>(`/events${query}`);

describe('GET /events', () => {
  test('[EVT-1, EVT-5] lists the events of orders, imports and products after an id', async () => {
    const { items, after } = await list();

    expect(items).toEqual([
      {
        id: expect.any(Number),
        type: 'order.accepted',
        version: 1,
        occurredAt: expect.any(String),
        organizationId: place.organizationId,
        subject: `order/${orderId}`,
        data: { orderId, number: expect.stringMatching(/^\d{5}$/) },
      },
      expect.objectContaining({
        type: 'order.status_changed',
        organizationId: place.organizationId,
        subject: `order/${orderId}`,
        data: { orderId, previousStatus: 'ACCEPTED', status: 'CANCELLED' },
      }),
      expect.objectContaining({
        type: 'import.failed',
        organizationId: null,
        subject: `import/${runId}`,
        data: {
          runId,
          job: 'STOP_LIST',
          connectionId: place.connectionId,
          reason: 'ERP_UNAVAILABLE',
        },
      }),
      expect.objectContaining({
        type: 'product.unpublished',
        subject: `product/${soup.productId}`,
        data: { productId: soup.productId, reason: 'TEST' },
      }),
    ]);
    expect(after).toBe(items.at(-1)!.id);
    expect(await list(`?after=${after}`)).toMatchObject({ items: [], after });
    expect((await list(`?after=${items[1]!.id}&limit=1`)).items).toEqual([items[2]]);
    expect(await list('?types=gift.granted')).toMatchObject({ items: [], after });
    expect(await list(`?types=import.failed&limit=1`)).toMatchObject({
      items: [{ type: 'import.failed' }],
    });
  });

  test('[EVT-1] contains no personal data', async () => {
    expect(JSON.stringify(await list())).not.toMatch(/Канарейкина|9990001122|Передумала/);
  });

  test('[EVT-5] filters by types and organization', async () => {
    const readTypes = async (query: string) => (await list(query)).items.map(({ type }) => type);

    expect(await readTypes('?types=order.accepted&types=import.failed')).toEqual([
      'order.accepted',
      'import.failed',
    ]);
    expect(await readTypes(`?organization_id=${place.organizationId}`)).toEqual([
      'order.accepted',
      'order.status_changed',
    ]);
    expect((await admin.raw('GET', '/events?types=other')).status).toBe(422);
    expect((await admin.raw('GET', '/events?limit=1001')).status).toBe(422);
  });

  test('[EVT-5] rejects users without the permission', async () => {
    const { email, password } = await api.user('CONTENT_MANAGER');
    const other = await adminClient(api.url, email, password);

    expect((await other.raw('GET', '/events')).status).toBe(403);
  });
});

test('[EVT-16] the client returns stored events and then a new one', async () => {
  const client = new AdminApi({ baseUrl: api.url, accessToken: admin.accessToken });
  const pages = watchEvents(client, {
    after: 0,
    types: ['product.published', 'product.unpublished'],
    intervalMs: 20,
  });
  const first = (await pages.next()).value!;
  expect(first.items.map(({ type }) => type)).toEqual(['product.unpublished']);
  await db.transaction((tx) => hideProducts(tx, systemActor('test'), [pizza.productId], 'TEST'));
  const second = (await pages.next()).value!;
  await pages.return();

  expect(second.items[0]!.id).toBeGreaterThan(first.after);
});
