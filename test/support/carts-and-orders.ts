import { randomUUID } from 'node:crypto';
import type { Cart, CheckoutVerdict } from '../../modules/ordering/schemas/cart.ts';
import type { PlacedOrder } from '../../modules/ordering/schemas/orders.ts';
import type { Menu, OrganizationPage } from '../../packages/client/src/storefront.ts';
import { ALWAYS_OPEN } from './open-restaurant.ts';
import { NO_ORDER_LIMITS } from './order-limits.ts';
import type { DemoProduct } from './product.ts';

/**
 * Carts per restaurant, of guests and of the customer. If the restaurant accepts orders, each cart
 * becomes an order.
 */
const CARTS = 6;
const PERSON = { name: 'Anna', phone: '+79990001122' };

/**
 * Adds what the demo catalog lacks: discounts, a promo code, carts, addresses and orders. Throws if
 * no order could be placed.
 */
export async function cartsAndOrders({ api, admin }: DemoProduct, token: string): Promise<void> {
  for (let number = 1; number <= 3; number += 1) {
    const { id } = await admin.post<{ id: number }>('/discounts', {
      code: `FUZZ${number}`,
      name: `Discount ${number}`,
      percent: 5 * number,
      needsPromocode: true,
    });
    await admin.post('/promocodes', { code: `LUNCH${number}`, discountId: id });
  }
  await admin.patch('/settings/order_limits', { version: 0, value: NO_ORDER_LIMITS });
  await admin.post('/composition-rules', { role: 'FREE_SOY', everyPersons: 1, freeUnits: 1 });
  // Results must not depend on the time.
  const { items: restaurants } = await admin.get<{ items: { id: number }[] }>(
    '/organizations?size=100',
  );
  for (const { id } of restaurants) {
    const { version } = await admin.get<{ version: number }>(`/organizations/${id}/schedule`);
    await admin.raw('PUT', `/organizations/${id}/schedule`, { version, windows: ALWAYS_OPEN });
  }
  const dishes: { organizationId: string; variantId: number }[] = [];
  const read = async <T>(path: string) =>
    (await (await fetch(`${api.url}/api/v1${path}`)).json()) as T;
  const { items } = await read<OrganizationPage>('/organizations?size=20');
  for (const { id: organizationId } of items) {
    const menu = await read<Menu>(`/menu?organization_id=${organizationId}`);
    const simple = menu.products
      .flatMap((product) => product.variants)
      .find(
        (variant) =>
          variant.available && variant.price > 0 && variant.modifierGroupIds.length === 0,
      );
    if (simple !== undefined) dishes.push({ organizationId, variantId: simple.id });
  }

  let sent = 0;
  const send = async <T>(path: string, body: object, extra: Record<string, string>) => {
    const response = await fetch(`${api.url}/api/v1${path}`, {
      method: 'POST',
      // Uses separate networks, because attempts with promo codes are limited per network.
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.${(sent += 1) >> 8}.${sent & 255}.1`,
        ...extra,
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  let orders = 0;
  const against = new Set<string>();
  // A customer has one cart until it becomes an order.
  let customerIsFree = true;
  for (const { organizationId, variantId } of dishes) {
    const lines = [{ variantId, quantity: 2, modifiers: [] }];
    const pickup = { type: 'PICKUP', organizationId, slotId: 'asap' };
    for (let number = 1; number <= CARTS; number += 1) {
      const isOfCustomer = customerIsFree && number === 1;
      const who: Record<string, string> = isOfCustomer ? { authorization: `Bearer ${token}` } : {};
      const ordered = await send<Cart>('/cart', { organizationId, lines }, who);
      const wanted = { cartId: ordered.cartId, fulfillment: pickup, paymentMethod: 'CASH' };
      const verdict = await send<CheckoutVerdict>('/checkout/preflight', wanted, who);
      if (isOfCustomer) customerIsFree = verdict.canSubmit;
      for (const { code } of verdict.blockers) against.add(code);
      if (verdict.canSubmit) {
        const { cartVersion, quote } = verdict;
        const body = { ...wanted, cartVersion, quoteId: quote?.id ?? null, customer: PERSON };
        await send<PlacedOrder>('/orders', body, { ...who, 'idempotency-key': randomUUID() });
        orders += 1;
      }
      const kept = await send<Cart>(
        '/cart',
        { organizationId, lines, promocode: `LUNCH${1 + (number % 3)}` },
        {},
      );
      const address = { city: 'Москва', street: 'Тверская', house: String(number) };
      await send('/addresses', { cartId: kept.cartId, address }, {});
    }
  }
  if (orders === 0)
    throw new Error(`No restaurant of the demo accepts an order: ${[...against].join(', ')}`);
}
