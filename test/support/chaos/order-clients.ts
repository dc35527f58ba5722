import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import { wholeInSoak } from '../repetitions.ts';
import type { SignedIn } from './gift-guests.ts';
import { generateWish, type Line, type Shop } from './order-wishes.ts';

export type OrderClients = {
  /** Order ids that guests received, by cart. */
  placed: ReadonlyMap<string, string>;
  refused: string[];
  failures: string[];
  silences: string[];
  counts: {
    requests: number;
    unanswered: number;
    unavailable: number;
    failed: number;
    /** Orders that a repeated key returned again, and rejected second orders. */
    sameAgain: number;
    secondRefused: number;
    withdrawn: number;
    /** Delivery orders, and applied repairs. */
    deliveries: number;
    repaired: number;
    postponed: number;
  };
  problems: string[];
};

type Ask = (method: string, path: string, body?: object, key?: string) => Promise<Answer>;
type Answer = { status: number; body: Record<string, unknown> };

const PATIENCE_MS = 4_000;
const PAUSE_MS = 250;
/** Time limit for the repetitions of a guest's request. */
const LATER_MS = wholeInSoak(600_000, 180_000);
const MOST_PREFLIGHTS = 20;
const LATER = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Simulates concurrent guests until `count` have an order. They repeat unanswered requests with the
 * same key.
 */
export async function orderClients(options: {
  apiUrl: string;
  shop: Shop;
  nextGuest: () => Promise<SignedIn | undefined>;
  count: number;
  atOnce: number;
  dice: Dice;
  log: (line: string) => void;
  patienceMs?: number;
  isOver?: () => boolean;
  onPlaced?: (orderId: string, token: string | undefined) => void;
}): Promise<OrderClients> {
  const {
    apiUrl,
    shop,
    nextGuest,
    count,
    atOnce,
    dice,
    log,
    isOver = () => false,
    patienceMs = PATIENCE_MS,
  } = options;
  const { organizationId } = shop;
  const placed = new Map<string, string>();
  const clients: OrderClients = {
    placed,
    refused: [],
    silences: [],
    failures: [],
    counts: {
      requests: 0,
      unanswered: 0,
      unavailable: 0,
      failed: 0,
      sameAgain: 0,
      secondRefused: 0,
      withdrawn: 0,
      deliveries: 0,
      repaired: 0,
      postponed: 0,
    },
    problems: [],
  };
  const { counts, problems } = clients;

  async function askAs(
    token: string | undefined,
    [method, path, body, key]: Parameters<Ask>,
  ): Promise<Answer> {
    for (const deadline = Date.now() + LATER_MS; ; await delay(PAUSE_MS)) {
      counts.requests += 1;
      const answer = await fetch(`${apiUrl}/api/v1${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        signal: AbortSignal.timeout(patienceMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
        .then(async (response) => ({
          status: response.status,
          body: (await response.json()) as Answer['body'],
        }))
        .catch((error: unknown) => {
          clients.silences.push(
            `${new Date().toISOString()} ${method} ${path.split('?')[0]}: ${String((error as Error).cause ?? error)}`,
          );
          return undefined;
        });
      if (answer !== undefined && answer.status >= 500) {
        counts.failed += 1;
        clients.failures.push(
          `${new Date().toISOString()} ${method} ${path.split('?')[0]}: ${JSON.stringify(answer)}`,
        );
      }
      if (answer === undefined) counts.unanswered += 1;
      else if (LATER.has(answer.status) || is(answer, 'idempotency-in-flight'))
        counts.unavailable += 1;
      else return answer;
      if (Date.now() < deadline) continue;
      const lastly = answer ?? { status: 0, body: {} };
      problems.push(`${method} ${path.split('?')[0]} is still answered ${said(lastly)}`);
      return lastly;
    }
  }

  /** Records the order of a cart. A cart must never become another order. */
  function note(cartId: string, orderId: string): void {
    const existing = placed.get(cartId);
    if (existing !== undefined && existing !== orderId)
      problems.push(`cart ${cartId} became orders ${existing} and ${orderId}`);
    placed.set(cartId, orderId);
  }

  function heard(cartId: string, { status, body }: Answer, isFirst: boolean): boolean {
    if (status === 201) {
      if (!isFirst) counts.sameAgain += 1;
      note(cartId, String(body['orderId']));
      return true;
    }
    if (!is({ status, body }, 'cart-already-ordered')) return false;
    counts.secondRefused += 1;
    note(cartId, String(body['orderId']));
    return true;
  }

  async function changeCart(
    ask: Ask,
    cartId: string,
    postponed: string | undefined,
  ): Promise<void> {
    const { body } = await ask('GET', `/cart?cart_id=${cartId}`);
    const { version, lines = [] } = body as {
      version?: number;
      lines?: (Line & { lineId: string })[];
    };
    const same = lines.map(({ lineId, variantId, quantity, modifiers }, at) => ({
      lineId,
      variantId,
      quantity: Math.min(quantity + (at === 0 && postponed === undefined ? 3 : 0), 99),
      modifiers: modifiers.map(({ groupId, modifierId, quantity: units }) => ({
        groupId,
        modifierId,
        quantity: units,
      })),
    }));
    const wanted = lines.length === 0 ? generateWish(shop, dice).cart.lines : same;
    const giftChoices =
      postponed === undefined ? undefined : [{ compensationId: postponed, choice: 'POSTPONE' }];
    await ask('POST', '/cart', { cartId, version, organizationId, lines: wanted, giftChoices });
  }

  async function order(): Promise<void> {
    const guest = await nextGuest();
    try {
      await orderAs(guest);
    } finally {
      guest?.leave();
    }
  }

  async function cartFor(ask: Ask, wish: object): Promise<Answer> {
    let made = await ask('POST', '/cart', wish);
    // A request whose answer was lost may have changed the cart.
    for (let tries = 0; tries < MOST_PREFLIGHTS && is(made, 'version-conflict'); tries += 1) {
      const { cartId, currentVersion: version } = made.body;
      made = await ask('POST', '/cart', { ...wish, cartId, version });
    }
    return made;
  }

  async function orderAs(guest: SignedIn | undefined): Promise<void> {
    const ask: Ask = (...request) => askAs(guest?.token, request);
    const { cart, house } = generateWish(shop, dice);
    const made = await cartFor(ask, cart);
    const cartId = String(made.body['cartId']);
    if (made.status >= 300) return void clients.refused.push(`cart: ${said(made)}`);
    const address =
      house === null
        ? null
        : await ask('POST', '/addresses', { cartId, address: { ...house, flat: '7' } });
    const question = {
      cartId,
      fulfillment: {
        slotId: 'asap',
        ...(address === null
          ? { type: 'PICKUP', organizationId }
          : { type: 'DELIVERY', addressId: address.body['addressId'] }),
      },
      paymentMethod: 'CASH',
    };
    let last = 'nothing';
    let accepted: number | undefined;
    for (let tries = 0; tries < MOST_PREFLIGHTS; tries += 1) {
      const seen = await ask('POST', '/checkout/preflight', { ...question, cartVersion: accepted });
      const {
        canSubmit,
        quote,
        cartVersion,
        blockers = [],
      } = seen.body as {
        canSubmit?: boolean;
        quote?: { id: string } | null;
        cartVersion?: number;
        blockers?: {
          code: string;
          repair?: { action: string; cartVersion?: number; compensationId?: string };
        }[];
      };
      last = said(seen);
      if (seen.status !== 200 || canSubmit !== true) {
        const repairs = blockers.flatMap(({ repair }) => repair ?? []);
        const accept = repairs.find(({ action }) => action === 'ACCEPT_CHANGES');
        if (accept !== undefined) accepted = accept.cartVersion;
        const choose = repairs.find(({ action }) => action === 'CHOOSE_GIFT');
        if (choose !== undefined) counts.postponed += 1;
        if (choose !== undefined || repairs.some(({ action }) => action === 'ADD_ITEMS'))
          await changeCart(ask, cartId, choose?.compensationId);
        if (repairs.length > 0) counts.repaired += 1;
        await delay(PAUSE_MS);
        continue;
      }
      const wish = {
        ...question,
        cartVersion,
        quoteId: quote?.id ?? null,
        customer: {
          name: 'Гость',
          phone: guest?.phone ?? `+7999${String(dice.between(0, 9_999_999)).padStart(7, '0')}`,
        },
      };
      const key = randomUUID();
      const place = (withKey: string) => ask('POST', '/orders', wish, withKey);
      const [isTwice, isElsewhere] = [dice.roll() < 0.2, dice.roll() < 0.1];
      const answers = await Promise.all([
        place(key),
        ...(isTwice ? [place(key)] : []),
        ...(isElsewhere ? [place(randomUUID())] : []),
      ]);
      const isPlaced = answers.map((answer, at) => heard(cartId, answer, at === 0)).some(Boolean);
      last = said(answers[0]);
      if (!isPlaced) continue;
      options.onPlaced?.(placed.get(cartId)!, guest?.token);
      if (address !== null) counts.deliveries += 1;
      if (dice.roll() < 0.15) heard(cartId, await place(key), false);
      if (dice.roll() < 0.05) {
        const { status } = await ask('POST', `/orders/${placed.get(cartId)}/cancel`, {});
        if (status === 200) counts.withdrawn += 1;
      }
      return;
    }
    clients.refused.push(last);
  }

  let begun = 0;
  const guests = async (): Promise<void> => {
    while (begun < count && !isOver()) {
      begun += 1;
      await order();
      if (placed.size > 0 && placed.size % 50 === 0) log(`${placed.size} orders placed`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, guests));
  return clients;
}

const is = ({ status, body }: Answer, kind: string): boolean =>
  status === 409 && String(body['type']).endsWith(kind);

function said(answer: Answer | undefined): string {
  const { type, blockers, preflight } = (answer?.body ?? {}) as {
    type?: string;
    blockers?: { code: string }[];
    preflight?: { blockers: { code: string }[]; adjustments: { code: string }[] };
  };
  const codes = [
    ...(blockers ?? []),
    ...(preflight?.blockers ?? []),
    ...(preflight?.adjustments ?? []),
  ];
  return [answer?.status, type, ...codes.map(({ code }) => code)]
    .filter((entry) => entry !== undefined)
    .join(' ');
}
