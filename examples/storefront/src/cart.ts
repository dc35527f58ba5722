import {
  groupsOf,
  isProblem,
  type Cart,
  type CartLine,
  type PostedCart,
  type PostedCartLine,
  type PostedGiftChoice,
} from '@carte/client/storefront';
import { api, asCustomer, attempt } from './api.ts';
import { rubles } from './format.ts';
import { findProduct, shop, update } from './store.ts';
import { t } from './texts.ts';

const KEPT = 'carte.cart';

export async function readKeptCart(): Promise<void> {
  const id = localStorage.getItem(KEPT);
  if (id !== null) await attempt(() => readCart(id));
}

async function readCart(id: string): Promise<void> {
  try {
    keepCart((await api.getCart({ cart_id: id }, asCustomer())).data);
  } catch (error) {
    // Other problems may be temporary, and the id of a guest's cart is stored only here.
    if (!isProblem(error, 'not-found', 'cart-already-ordered')) throw error;
    forgetCart();
  }
}

export function keepCart(cart: Cart): void {
  localStorage.setItem(KEPT, cart.cartId);
  update({ cart });
}

export function forgetCart(): void {
  localStorage.removeItem(KEPT);
  update({ cart: null, news: '' });
}

export async function refreshCart(): Promise<void> {
  const { cart } = shop();
  if (cart !== null) await attempt(() => readCart(cart.cartId));
}

/**
 * Converts a line to a request. Missing default units have 0, so that the server does not add them.
 */
function posted({ lineId, variantId, quantity, modifiers, comment }: CartLine): PostedCartLine {
  const { menu } = shop();
  const variant = findProduct(variantId)?.variant;
  const units = modifiers.map(({ groupId, modifierId, quantity: count }) => ({
    groupId,
    modifierId,
    quantity: count,
  }));
  const has = new Set(units.map((unit) => unit.modifierId));
  const unwanted = (variant === undefined || menu === null ? [] : groupsOf(menu, variant)).flatMap(
    (group) =>
      group.modifiers
        .filter(({ id, isDefault, available }) => isDefault && !has.has(id) && available)
        .map(({ id }) => ({ groupId: group.id, modifierId: id, quantity: 0 })),
  );
  return { lineId, variantId, quantity, modifiers: [...units, ...unwanted], comment };
}

type Changes = Partial<Pick<PostedCart, 'lines' | 'promocode' | 'organizationId' | 'giftChoices'>>;

let last: Promise<unknown> = Promise.resolve();

/** Sends changes in sequence, each based on the previous answer. */
function post(changesOf: () => Changes): Promise<void> {
  const sent = last.then(() => send(changesOf()));
  last = sent.catch(() => undefined);
  return sent;
}

/** Sends changes and stores the cart that the server returns. */
async function send({
  lines,
  promocode,
  giftChoices,
  organizationId = shop().organizationId,
}: Changes): Promise<void> {
  const { cart, menu } = shop();
  // Only the menu contains the default units that are missing from a line.
  if (menu === null && cart !== null && cart.lines.length > 0)
    return update({ message: t('menu.loading') });
  const body: PostedCart = {
    organizationId,
    lines: lines ?? postedLines(),
    ...(cart === null ? {} : { cartId: cart.cartId, version: cart.version }),
    ...(promocode === undefined ? {} : { promocode }),
    ...(giftChoices === undefined ? {} : { giftChoices }),
  };
  await attempt(async () => {
    try {
      keepCart((await api.changeCart(body, asCustomer())).data);
    } catch (error) {
      if (!isProblem(error, 'version-conflict', 'not-found') || cart === null) throw error;
      await readCart(cart.cartId);
      update({ message: t('cart.changedElsewhere') });
    }
  });
}

const postedLines = (): PostedCartLine[] => shop().cart?.lines.map(posted) ?? [];

export async function addDish(line: PostedCartLine): Promise<void> {
  await post(() => ({ lines: [...postedLines(), line] }));
  const { cart } = shop();
  if (cart?.lines.some(({ variantId }) => variantId === line.variantId) !== true) return;
  const name = findProduct(line.variantId)?.product.name ?? '';
  update({ news: t('cart.added', { name, total: rubles(cart.total) }) });
}

export const changeLine = (lineId: string, line: PostedCartLine): Promise<void> =>
  post(() => ({
    lines: postedLines().map((each) => (each.lineId === lineId ? { ...line, lineId } : each)),
  }));

/** Changes the units of a line, and removes a line without units. */
export const addUnits = (lineId: string, units: number): Promise<void> =>
  post(() => ({
    lines: postedLines()
      .map((each) => (each.lineId === lineId ? { ...each, quantity: each.quantity + units } : each))
      .filter((each) => each.quantity > 0),
  }));

export const moveCart = (organizationId: string): Promise<void> => post(() => ({ organizationId }));

/** Accepts the server's changes to the cart. */
export const acceptChanges = (): Promise<void> => post(() => ({}));

/** Sends the guest's decision about a gift that is currently unavailable. */
export const chooseGift = (choice: PostedGiftChoice): Promise<void> =>
  post(() => ({ giftChoices: [choice] }));

export const applyPromocode = (code: string): Promise<void> =>
  post(() => ({ promocode: code === '' ? null : code }));
