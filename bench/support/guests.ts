import { randomUUID } from 'node:crypto';
import type { Menu } from '../../modules/menus/schemas/menu.ts';
import type { Cart, CheckoutVerdict } from '../../modules/ordering/schemas/cart.ts';
import { get, post } from './steady.ts';

export type Ordered = { orderId: string; cartMs: number; preflightMs: number; orderMs: number };

export type Customer = { phone: string; token: string };

const LINES = 2;

/** Creates guests whose calls reject with the problem document. */
export function guests(apiUrls: readonly string[], restaurants: readonly string[]) {
  const buildUrl = (at: number, path: string) => `${apiUrls[at % apiUrls.length]}/api/v1${path}`;
  const dishes = new Map<string, number[]>();

  async function readDishes(at: number, organizationId: string): Promise<number[]> {
    const existing = dishes.get(organizationId);
    if (existing !== undefined) return existing;
    const menu = JSON.parse(
      await get(buildUrl(at, `/menu?organization_id=${organizationId}`)),
    ) as Menu;
    const found = menu.products
      .flatMap(({ variants }) => variants)
      .filter(
        ({ available, price, modifierGroupIds }) =>
          available && price > 0 && modifierGroupIds.length === 0,
      )
      .map(({ id }) => id);

    dishes.set(organizationId, found);

    return found;
  }

  async function order(at: number, customer?: Customer): Promise<Ordered> {
    const signedIn: Record<string, string> =
      customer === undefined ? {} : { authorization: `Bearer ${customer.token}` };
    const organizationId = restaurants[(at * 37) % restaurants.length]!;
    const existing = await readDishes(at, organizationId);
    const lines = Array.from({ length: LINES }, (_, line) => ({
      variantId: existing[(at + line) % existing.length]!,
      quantity: 3,
      modifiers: [],
    }));

    const begun = performance.now();
    const cart = JSON.parse(
      await post(buildUrl(at, '/cart'), JSON.stringify({ organizationId, lines }), signedIn),
    ) as Cart;
    const inCart = performance.now();
    const question = {
      cartId: cart.cartId,
      fulfillment: { type: 'PICKUP', organizationId, slotId: 'asap' },
      paymentMethod: 'CASH',
    };

    const verdict = JSON.parse(
      await post(buildUrl(at, '/checkout/preflight'), JSON.stringify(question), signedIn),
    ) as CheckoutVerdict;
    const checked = performance.now();
    if (!verdict.canSubmit)
      throw new Error(verdict.blockers.map(({ code, message }) => `${code} ${message}`).join(' '));
    const body = {
      ...question,
      cartVersion: verdict.cartVersion,
      quoteId: verdict.quote?.id ?? null,
      customer: { name: 'Анна', phone: customer?.phone ?? `+7999${String(1_000_000 + at)}` },
    };

    const { orderId } = JSON.parse(
      await post(buildUrl(at, '/orders'), JSON.stringify(body), {
        ...signedIn,
        'idempotency-key': randomUUID(),
      }),
    ) as { orderId: string };

    const done = performance.now();

    return {
      orderId,
      cartMs: inCart - begun,
      preflightMs: checked - inCart,
      orderMs: done - checked,
    };
  }

  return { order };
}
