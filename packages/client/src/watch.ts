import type { Availability, Menu, Order, PublicApi } from './generated/public.ts';
import { changes, type Reading, type WatchPauses } from './changes.ts';
import type { StreamEvent } from './event-stream.ts';
import type { Uuid } from './scalars.ts';
import type { CallOptions } from './transport.ts';

export type WatchOptions = WatchPauses & {
  /** False reads at intervals only, without an event stream. */
  streams?: boolean | undefined;
};

const MENU_EVERY_MS = 30_000;
const ORDER_EVERY_MS = 5_000;

/** Final statuses. */
const ENDED: readonly string[] = ['CLOSED', 'CANCELLED', 'FAILED'];

/**
 * Yields the menu of a restaurant, first as it is and then after each change of the menu or of
 * sold-out dishes. Ends when `signal` is aborted; until then failures of network and server are
 * retried with growing pauses.
 *
 * @throws ProblemError if the server rejects the request itself, for example an unknown
 * restaurant
 */
export async function* watchMenu(
  api: PublicApi,
  organizationId: Uuid,
  { intervalMs = MENU_EVERY_MS, streams = true, onFailure, ...call }: WatchOptions = {},
): AsyncGenerator<Menu, void, undefined> {
  const params = { organization_id: organizationId };
  let menu: Menu | null = null;
  let etag: string | null = null;
  let last = '';
  const read = async (event: StreamEvent | null): Promise<Reading<Menu>> => {
    // An event with the lists of this revision follows.
    if (event?.type === 'menu') return { found: null };
    const isList = event?.type === 'availability';
    const { data: lists, etag: next } = isList
      ? { data: event.data as Availability, etag: null }
      : await api.getAvailability(params, { ...call, ifNoneMatch: etag });
    if (lists === null) return { found: null };

    if (menu?.revision !== lists.revision) menu = (await api.getMenu(params, call)).data;
    // If a cache returned the former menu, the lists are read again.
    const isBehind = menu.revision < lists.revision;
    etag = isBehind ? null : next;
    const text = JSON.stringify([menu.revision, lists]);
    if (text === last && !isBehind) return { found: null };
    last = text;

    return { found: withAvailability(menu, lists), ...(isBehind ? { nextInMs: intervalMs } : {}) };
  };

  const open = streams ? (options: CallOptions) => api.streamMenu(params, options) : null;
  yield* changes(read, open, { intervalMs, onFailure, call });
}

/**
 * Returns the menu with availability from lists of the same revision. A menu that is newer than
 * the lists is returned unchanged.
 */
export function withAvailability(menu: Menu, { revision, ...lists }: Availability): Menu {
  if (menu.revision > revision) return menu;
  const [variants, items] = [
    new Set(lists.unavailableVariantIds),
    new Set(lists.unavailableItemIds),
  ];

  const dishes = new Set(
    menu.products.flatMap((product) => product.variants.map((variant) => variant.erpItemId)),
  );
  // Lists of another revision can only make units unavailable. So can the list of items for an item
  // that is also a dish.
  const listsDecide = (id: Uuid) => menu.revision === revision && !dishes.has(id);

  return {
    ...menu,
    products: menu.products.map((product) => ({
      ...product,
      variants: product.variants.map((variant) => ({
        ...variant,
        available: !variants.has(variant.id) && (menu.revision === revision || variant.available),
      })),
    })),
    modifierGroups: menu.modifierGroups.map((group) => ({
      ...group,
      modifiers: group.modifiers.map((modifier) => ({
        ...modifier,
        available: !items.has(modifier.id) && (listsDecide(modifier.id) || modifier.available),
      })),
    })),
  };
}

/**
 * Yields an order, first as it is and then after each change, until it is closed, canceled or
 * failed, or `signal` is aborted. A customer's order needs `Authorization` in `headers`. Streams
 * and failures are handled as by {@link watchMenu}.
 *
 * @throws ProblemError if the server rejects the request itself, for example an unknown order
 */
export async function* watchOrder(
  api: PublicApi,
  orderId: Uuid,
  { intervalMs = ORDER_EVERY_MS, streams = true, onFailure, ...call }: WatchOptions = {},
): AsyncGenerator<Order, void, undefined> {
  const params = { order_id: orderId };
  let last = '';
  const read = async (): Promise<Reading<Order>> => {
    const { data } = await api.getOrder(params, call);
    const text = JSON.stringify(data);
    if (text === last) return { found: null };
    last = text;
    return { found: data };
  };

  const open = streams ? (options: CallOptions) => api.streamOrder(params, options) : null;

  for await (const order of changes(read, open, { intervalMs, onFailure, call })) {
    yield order;
    if (ENDED.includes(order.status)) return;
  }
}
