import { randomUUID } from 'node:crypto';
import { createMetrics } from '../../platform/metrics.ts';
import { moveOrder } from '../../modules/ordering/orders/move-order.ts';
import { holdOrder } from '../../modules/ordering/orders/order-row.ts';
import type { Cart } from '../../modules/ordering/schemas/cart.ts';
import type { PlacedOrder } from '../../modules/ordering/schemas/orders.ts';
import type { PublicMenu } from '../support/compare-menu.ts';
import { ALWAYS_OPEN } from '../support/open-restaurant.ts';
import { eventually } from '../support/processes.ts';
import type { DemoProduct } from '../support/product.ts';
import { selectRows } from '../support/rows.ts';

const FAULTS = {
  NEVER_ENDED: { kind: 'order-stuck' },
  DEADLINE_PASSED: { kind: '429', endpoint: '/api/1/deliveries/create', retryAfter: 600 },
} as const;

/**
 * Adds a failed order: neither confirmed nor rejected (`NEVER_ENDED`), or never sent. A customer's
 * order has a gift. Does not wait for the deadlines.
 */
export async function failedOrder(
  { product, api, admin, organizationId }: DemoProduct,
  token: string | null,
  problem: keyof typeof FAULTS,
): Promise<string> {
  const { db, emulator } = product;
  const signedIn = token === null ? {} : { authorization: `Bearer ${token}` };
  async function post<T>(path: string, body: object): Promise<T> {
    const headers = {
      'content-type': 'application/json',
      ...signedIn,
      'idempotency-key': randomUUID(),
    };
    const response = await fetch(`${api.url}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  const { version: ofSchedule } = await admin.get<{ version: number }>(
    `/organizations/${organizationId}/schedule`,
  );
  // Recordings must not depend on the hour.
  const opened = await admin.raw('PUT', `/organizations/${organizationId}/schedule`, {
    version: ofSchedule,
    windows: ALWAYS_OPEN,
  });
  if (!opened.ok) throw new Error(`the restaurant is not open: ${opened.status}`);
  const menu = (await (
    await fetch(`${api.url}/api/v1/menu?organization_id=${organizationId}`)
  ).json()) as PublicMenu;
  const { id: variantId } = menu.products
    .flatMap(({ variants }) => variants)
    .find(
      (variant) => variant.available && variant.price > 0 && variant.modifierGroupIds.length === 0,
    )!;
  // A customer has one cart.
  const answer = await fetch(`${api.url}/api/v1/cart`, { headers: signedIn });
  const { cartId, version }: Partial<Cart> = answer.ok ? ((await answer.json()) as Cart) : {};
  const lines = [{ variantId, quantity: 2, modifiers: [] }];
  const cart = await post<Cart>('/cart', { cartId, version, organizationId, lines });
  if (token !== null && cart.gifts.every(({ included }) => !included))
    throw new Error('no gift comes with the order');
  await emulator.control('fault', FAULTS[problem]);
  const { orderId } = await post<PlacedOrder>('/orders', {
    cartId: cart.cartId,
    cartVersion: cart.version,
    fulfillment: { type: 'PICKUP', organizationId, slotId: 'asap' },
    paymentMethod: 'CASH',
    customer: { name: 'Анна', phone: '+79990001122' },
  });
  await eventually('the order is sent', async () => {
    const [row] = await selectRows(db, 'customer_order', ['state'], { id: orderId });
    return row?.state === 'SENT' ? true : undefined;
  });
  await db.transaction(async (tx) =>
    moveOrder(
      { metrics: createMetrics('test') },
      tx,
      await holdOrder(tx, orderId),
      'FAILED',
      'CARTE',
      {
        problem,
      },
    ),
  );
  return orderId;
}
