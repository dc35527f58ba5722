import { onceSealed, type Idempotency } from '../../../kernel/idempotency.ts';
import { randomUUID } from 'node:crypto';
import { MAX_LINES, type Cart, type PostedCart, type PostedLine } from '../schemas/cart.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { composeLines, mergeLines, type WantedLine } from '../rules/compose-lines.ts';
import { evaluateCart } from '../rules/evaluate-cart.ts';
import type { CartLine } from '../rules/cart-facts.ts';
import { normalCode } from '../rules/discount-fields.ts';
import type { MirrorEnv } from '../../mirror/env.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { CardKnowledge } from '../../gifts/cards/client-cards.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { requireVersion } from '../../../kernel/edits.ts';
import { isTheirs } from './cart-access.ts';
import { findCart, saveCart, type StoredCart } from './cart-row.ts';
import { cartView } from './cart-view.ts';
import type { DishFacts } from './dish-facts.ts';
import { ageOfGifts, NOT_READ } from './card-of-cart.ts';
import { inOneState } from './in-one-state.ts';
import { readCartFacts, toBuyer } from './read-cart-facts.ts';
import { readCartAndOrganization, readOrganization } from './read-organization.ts';
import { evaluatedCart } from '../rules/answered-cart.ts';
import { settleCart } from './settle-cart.ts';

export type CartDeps = {
  db: Database;
  secrets: SecretBox;
  dishFacts: DishFacts;
  env: Pick<MirrorEnv, 'SYNC_TIME_ZONE'>;
};

/** `customerId` and `verifiedPhone` are from the token. */
export type CartCaller = {
  cartId: string | null;
  customerId: string | null;
  verifiedPhone: string | null;
};

export const NO_CART = 'The cart does not exist.';

/**
 * Returns a cart as it can be ordered now. Removals and price changes create a version. `card` is
 * the state of the customer's card. Problem `not-found`.
 */
export function getCart(
  deps: CartDeps,
  caller: CartCaller,
  now: Date,
  card: CardKnowledge,
): Promise<Cart> {
  return inOneState(deps, async (tx) => {
    const read = await readOwnCart(tx, deps, caller);
    if (read === undefined || !isTheirs(read.stored.customerId, caller.customerId))
      throw new Problem('not-found', { detail: NO_CART });
    const { stored, organization } = read;
    const reading = await readCartFacts(tx, deps, organization, stored, {
      at: now.getTime(),
      stored,
    });

    const evaluated = evaluateCart(stored, reading.facts);
    const cart = evaluatedCart(stored, evaluated, { now, isPosted: false, changes: [] });
    await settleCart(tx, deps, stored, cart);

    return { ...cartView(cart, evaluated, reading), ...ageOfGifts(card, reading.facts.timeZone) };
  });
}

/**
 * Creates, changes or merges carts (rules ORD-4 to ORD-16). Problems: not-found, version-conflict
 * with `currentVersion`, validation.
 */
export function changeCart(
  deps: CartDeps,
  caller: CartCaller,
  posted: PostedCart,
  now: Date,
  {
    idempotency = null,
    card = NOT_READ,
  }: { idempotency?: Idempotency | null; card?: CardKnowledge } = {},
): Promise<{ isNew: boolean; cart: Cart }> {
  return inOneState(deps, (tx) =>
    onceSealed(tx, deps.secrets, idempotency, async () => {
      requireRewardCodes(posted);
      const postedLines = posted.lines.map(wantedLine);
      const { stored, own, customerId, promocode, organization } = await readForChange(
        tx,
        deps,
        caller,
        posted,
      );
      if (organization?.isServed !== true)
        throw invalidField('organizationId', 'not_found', 'No such organization.');

      const draft = { lines: [...postedLines, ...(own?.lines ?? [])] };
      const question = { at: now.getTime(), stored: stored ?? null };
      const reading = await readCartFacts(tx, deps, organization, draft, question);

      const composed = composeLines(
        postedLines,
        stored?.lines ?? [],
        reading.facts.variants,
        randomUUID,
      );
      if (composed.errors.length > 0) throw new Problem('validation', { errors: composed.errors });

      if (own !== undefined) await tx.db.deleteFrom('cart').where('id', '=', own.id).execute();
      const changed: StoredCart = {
        ...(stored ?? { ...NEW_CART, id: randomUUID() }),
        customerId,
        organizationId: reading.organization.id,
        lines: own === undefined ? composed.lines : joinedLines(composed.lines, own.lines),
        promocode,
        delivery: reading.delivery,
        options: { ...NO_OPTIONS, ...stored?.options, ...posted.options },
        giftChoices: posted.giftChoices ?? stored?.giftChoices ?? [],
        changes: [],
      };

      requireShortComments(changed.lines);
      const evaluated = evaluateCart(changed, reading.facts);
      // The customer's own cart may have unreported removals.
      const cart = evaluatedCart(changed, evaluated, {
        now,
        isPosted: true,
        changes: own?.changes ?? [],
      });

      await saveCart(tx, deps, cart);
      const view = {
        ...cartView(cart, evaluated, reading),
        ...ageOfGifts(card, reading.facts.timeZone),
      };

      return { isNew: stored === undefined, cart: view };
    }),
  );
}

const wantedLine = ({
  lineId,
  variantId,
  quantity,
  modifiers,
  comment,
}: PostedLine): WantedLine => ({
  ...(lineId === undefined ? {} : { lineId }),
  variantId,
  quantity,
  modifiers: modifiers.map(({ groupId, modifierId, quantity: units }) => ({
    groupId,
    modifierId,
    quantity: units,
  })),
  ...(comment === undefined ? {} : { comment }),
});

function requireRewardCodes({ giftChoices = [] }: PostedCart): void {
  const at = giftChoices.findIndex(
    ({ choice, rewardCode }) => (choice === 'REPLACE') !== (rewardCode !== undefined),
  );
  if (at >= 0)
    throw invalidField(
      `giftChoices.${at}.rewardCode`,
      'required',
      'REPLACE names the other gift; nothing else does.',
    );
}

/** UTF-8 bytes of all comments together (rule HTTP-34). */
const MOST_COMMENT_BYTES = 4_096;

function requireShortComments(lines: readonly CartLine[]): void {
  const bytes = lines.reduce((sum, { comment }) => sum + Buffer.byteLength(comment ?? ''), 0);
  if (bytes <= MOST_COMMENT_BYTES) return;
  const message = `The comments of all lines total ${bytes} bytes (UTF-8). The limit is ${MOST_COMMENT_BYTES}.`;
  throw invalidField('lines', 'max_length', message);
}

const NO_OPTIONS = { leaveAtDoor: false, cutlery: 0, sugar: 0 };
export const NEW_CART = { answered: '', updatedAt: new Date(0), version: 0 };

async function readOwnCart(tx: Sql, deps: CartDeps, caller: CartCaller) {
  const { cartId, customerId } = caller;
  const id =
    cartId ?? (customerId === null ? undefined : (await findCart(tx, deps, { customerId }))?.id);

  return id === undefined
    ? undefined
    : readCartAndOrganization(tx, deps, id, toBuyer(deps, caller));
}

async function readForChange(tx: Sql, deps: CartDeps, caller: CartCaller, posted: PostedCart) {
  const buyer = toBuyer(deps, caller);
  const to = {
    erpId: posted.organizationId,
    promocode: posted.promocode === undefined ? undefined : normalCode(posted.promocode),
  };

  const { cartId, customerId } = caller;
  if (cartId === null) {
    await requireNoCart(tx, deps, customerId);
    const promocode = to.promocode ?? null;
    const organization = await readOrganization(tx, { erpId: to.erpId }, { ...buyer, promocode });
    return { stored: undefined, own: undefined, customerId, promocode, organization };
  }

  const read = await readCartAndOrganization(tx, deps, cartId, buyer, to);
  const cart = read?.stored ?? (await findCart(tx, deps, { id: cartId }));
  requireChangeable(cart, customerId, posted.version);

  const whose = cart.customerId ?? customerId;
  const own = await ownCart(tx, deps, caller, cart);
  const promocode =
    to.promocode === undefined ? (cart.promocode ?? own?.promocode ?? null) : to.promocode;
  // Only discounts of the stored promo code were read.
  const isRead = promocode === cart.promocode || to.promocode !== undefined;
  const organization = isRead
    ? read?.organization
    : await readOrganization(tx, { erpId: to.erpId }, { ...buyer, customerId: whose, promocode });

  return { stored: cart, own, customerId: whose, promocode, organization };
}

/** Without the id of the cart, a retry could replace it or fill it twice. */
async function requireNoCart(tx: Sql, deps: CartDeps, customerId: string | null): Promise<void> {
  const own = customerId === null ? undefined : await findCart(tx, deps, { customerId });
  if (own === undefined) return;

  throw new Problem('version-conflict', {
    detail: 'The customer has a cart. Send its `cartId` and `version`.',
    extra: { currentVersion: own.version, cartId: own.id },
  });
}

function requireChangeable(
  cart: StoredCart | undefined,
  customerId: string | null,
  version: number | undefined,
): asserts cart is StoredCart {
  // A customer may have acquired the cart since the access check.
  if (cart === undefined || !isTheirs(cart.customerId, customerId))
    throw new Problem('not-found', { detail: NO_CART });
  if (version === undefined)
    throw invalidField('version', 'required', 'An existing cart needs the version that was seen.');
  requireVersion(cart.version, version);
}

async function ownCart(
  tx: Sql,
  deps: CartDeps,
  { customerId }: CartCaller,
  cart: StoredCart,
): Promise<StoredCart | undefined> {
  if (customerId === null || cart.customerId !== null) return undefined;
  return findCart(tx, deps, { customerId });
}

/** Rule ORD-15. */
function joinedLines(posted: readonly CartLine[], own: readonly CartLine[]): CartLine[] {
  // New ids, because line ids are unique within a cart.
  const joined = mergeLines(
    posted,
    own.map((line) => ({ ...line, lineId: randomUUID() })),
  );
  if (joined.length <= MAX_LINES) return joined;
  const message = `With the ${own.length} lines of the customer's own cart they would be ${joined.length}, and a cart has at most ${MAX_LINES}.`;

  throw invalidField('lines', 'max_items', message);
}
