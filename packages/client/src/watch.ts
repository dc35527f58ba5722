import type { Availability, Menu, Order, PublicApi } from './generated/public.ts';
import { pause } from './pause.ts';
import type { Uuid } from './scalars.ts';
import { isProblem, type CallOptions } from './transport.ts';

export type WatchOptions = CallOptions & {
  /** Milliseconds between two questions. */
  intervalMs?: number;
  /** Called for a failure after which watching continues: no network, 429, 5xx. */
  onFailure?: (error: unknown) => void;
};

const MENU_EVERY_MS = 30_000;
const ORDER_EVERY_MS = 5_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Statuses after which an order does not change. */
const ENDED: readonly string[] = ['CLOSED', 'CANCELLED', 'FAILED'];

/**
 * The menu of a restaurant, first as it is and then after each change of the menu or of what is sold out. Unchanged answers cost a
 * 304. Ends when `signal` is aborted; until then failures of the network and of the server are retried with growing pauses.
 *
 * @throws ProblemError when the server refuses the request itself, for example an unknown restaurant
 */
export async function* watchMenu(
  api: PublicApi,
  organizationId: Uuid,
  { intervalMs = MENU_EVERY_MS, onFailure, ...call }: WatchOptions = {},
): AsyncGenerator<Menu, void, undefined> {
  const params = { organization_id: organizationId };
  let menu: Menu | null = null;
  let etag: string | null = null;
  const read = async (): Promise<Menu | null> => {
    const lists = await api.getAvailability(params, { ...call, ifNoneMatch: etag });
    if (lists.status === 304) return null;
    if (menu === null || menu.revision < lists.data.revision) menu = (await api.getMenu(params, call)).data;
    // A cache may still have the former menu: then the lists are read again.
    etag = menu.revision < lists.data.revision ? null : lists.etag;
    return withAvailability(menu, lists.data);
  };
  yield* changes(read, { intervalMs, onFailure, signal: call.signal });
}

/**
 * The menu with what `availability` lists as unavailable marked so, and with everything else of the
 * same revision available. A menu that is newer than the lists is returned as it is.
 */
export function withAvailability(menu: Menu, { revision, ...lists }: Availability): Menu {
  if (menu.revision > revision) return menu;
  const [variants, items] = [new Set(lists.unavailableVariantIds), new Set(lists.unavailableItemIds)];
  const dishes = new Set(menu.products.flatMap((product) => product.variants.map((each) => each.erpItemId)));
  // Lists of another revision do not decide what has become available, nor does the list of items
  // for an item that is a dish as well.
  const listsDecide = (id: Uuid) => menu.revision === revision && !dishes.has(id);
  return {
    ...menu,
    products: menu.products.map((product) => ({
      ...product,
      variants: product.variants.map((each) => ({
        ...each,
        available: !variants.has(each.id) && (menu.revision === revision || each.available),
      })),
    })),
    modifierGroups: menu.modifierGroups.map((group) => ({
      ...group,
      modifiers: group.modifiers.map((each) => ({
        ...each,
        available: !items.has(each.id) && (listsDecide(each.id) || each.available),
      })),
    })),
  };
}

/**
 * An order, first as it is and then after each change, until it is closed, canceled or failed, or `signal` is aborted. A customer's
 * order needs the field `Authorization` in `headers`. Failures are retried as by {@link watchMenu}.
 *
 * @throws ProblemError when the server refuses the request itself, for example an unknown order
 */
export async function* watchOrder(
  api: PublicApi,
  orderId: Uuid,
  { intervalMs = ORDER_EVERY_MS, onFailure, ...call }: WatchOptions = {},
): AsyncGenerator<Order, void, undefined> {
  let last = '';
  const read = async (): Promise<Order | null> => {
    const { data } = await api.getOrder({ order_id: orderId }, call);
    const text = JSON.stringify(data);
    if (text === last) return null;
    last = text;
    return data;
  };
  for await (const order of changes(read, { intervalMs, onFailure, signal: call.signal })) {
    yield order;
    if (ENDED.includes(order.status)) return;
  }
}

type Pauses = {
  intervalMs: number;
  onFailure: ((error: unknown) => void) | undefined;
  signal: AbortSignal | undefined;
};

/** What `read` returns each time, without null; pauses grow while it fails, and the server's `Retry-After` is respected. */
async function* changes<T>(
  read: () => Promise<T | null>,
  { intervalMs, onFailure, signal }: Pauses,
): AsyncGenerator<T, void, undefined> {
  const isAborted = () => signal?.aborted === true;
  for (let failures = 0; !isAborted();) {
    let pauseMs = intervalMs;
    try {
      const found = await read();
      failures = 0;
      if (found !== null) yield found;
    } catch (error) {
      if (isAborted()) return;
      if (isProblem(error) && error.status < 500 && error.status !== 429) throw error;
      onFailure?.(error);
      pauseMs = pauseAfter(error, failures);
      failures += 1;
    }
    await pause(pauseMs, signal);
  }
}

/** Milliseconds until the next try: what the server asks for, else twice as long each time, with a random part. */
function pauseAfter(error: unknown, failures: number): number {
  if (isProblem(error) && error.retryAfter !== null) return Math.max(error.retryAfter * 1_000, FIRST_PAUSE_MS);
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  return longest / 2 + (Math.random() * longest) / 2;
}
