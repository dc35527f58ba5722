import type {
  Cart,
  CartGift,
  CartLine,
  PostedCart,
  PostedCartLine,
  PostedGiftChoice,
} from '../../client/src/storefront.ts';
import { isProblem } from '../../client/src/transport.ts';
import { api, asCustomer, attempt } from './api.ts';
import { openDish } from './dish.ts';
import { byId, field, h, roubles, show, tell } from './dom.ts';
import { groupsOf, productOf, store } from './store.ts';

const KEPT = 'carte.cart';
type Changed = () => void;
let changed: Changed = () => undefined;

/** Reads the cart that this browser has; `onChange` is called whenever it is another one. */
export async function startCart(onChange: Changed): Promise<void> {
  changed = onChange;
  const id = localStorage.getItem(KEPT);
  if (id !== null && store.cart === null) await readCart(id);
  showCart();
}

async function readCart(id: string): Promise<void> {
  try {
    keep((await api.getCart({ cart_id: id }, asCustomer())).data);
  } catch (error) {
    if (!isProblem(error)) throw error;
    forgetCart();
  }
}

function keep(cart: Cart): void {
  store.cart = cart;
  localStorage.setItem(KEPT, cart.cartId);
  showCart();
  changed();
}

/** The cart has become an order: this browser has none any more. */
export function orderedCart(): void {
  forgetCart();
  changed();
}

/** Continues with another cart. */
export const openCart = (cart: Cart): void => keep(cart);

function forgetCart(): void {
  store.cart = null;
  localStorage.removeItem(KEPT);
  showCart();
}

/** Reads again what the server has made of the cart. */
export const refreshCart = async (): Promise<void> => (store.cart === null ? undefined : readCart(store.cart.cartId));

/** A line as it may be sent again: default units that it does not have are named with 0. */
function posted({ lineId, variantId, quantity, modifiers, comment }: CartLine): PostedCartLine {
  const variant = productOf(variantId)?.variant;
  const units = modifiers.map(({ groupId, modifierId, quantity: wanted }) => ({
    groupId,
    modifierId,
    quantity: wanted,
  }));
  const has = new Set(units.map((unit) => unit.modifierId));
  const unwanted = (variant === undefined ? [] : groupsOf(variant)).flatMap((group) =>
    group.modifiers
      .filter(({ id, isDefault }) => isDefault && !has.has(id) && !store.stopped.items.has(id))
      .map(({ id }) => ({ groupId: group.id, modifierId: id, quantity: 0 })),
  );
  return { lineId, variantId, quantity, modifiers: [...units, ...unwanted], comment };
}

type Wish = Partial<Pick<PostedCart, 'lines' | 'promocode' | 'organizationId' | 'giftChoices'>>;

/** Sends the guest's choice to the server; its answer is the cart. */
async function post({ lines, promocode, giftChoices, organizationId = store.organizationId }: Wish): Promise<void> {
  const { cart } = store;
  const body: PostedCart = {
    organizationId,
    lines: lines ?? cart?.lines.map(posted) ?? [],
    ...(cart === null ? {} : { cartId: cart.cartId, version: cart.version }),
    ...(promocode === undefined ? {} : { promocode }),
    ...(giftChoices === undefined ? {} : { giftChoices }),
  };
  await attempt(async () => {
    try {
      keep((await api.changeCart(body, asCustomer())).data);
    } catch (error) {
      if (!isProblem(error, 'version-conflict', 'not-found') || cart === null) throw error;
      await readCart(cart.cartId);
      tell('messages', 'Корзина изменилась в другом окне. Проверьте её и повторите.');
    }
  });
}

const currentLines = (): PostedCartLine[] => store.cart?.lines.map(posted) ?? [];

export async function addDish(line: PostedCartLine): Promise<void> {
  await post({ lines: [...currentLines(), line] });
  const name = productOf(line.variantId)?.product.name ?? '';
  if (store.cart?.lines.some(({ variantId }) => variantId === line.variantId) === true)
    tell('news', `В корзине: ${name}. Всего ${roubles(store.cart.total)}.`);
}

const changeLine = (lineId: string, line: PostedCartLine): Promise<void> =>
  post({ lines: currentLines().map((each) => (each.lineId === lineId ? { ...line, lineId } : each)) });

/** Takes the cart to another restaurant. */
export const moveCart = (organizationId: string): Promise<void> => post({ organizationId });

/** Sends the cart as it is: the guest has seen what the server took out of it. */
export const acceptChanges = (): Promise<void> => post({});

/** Says what becomes of a gift that the restaurant cannot give now. */
export const chooseGift = (choice: PostedGiftChoice): Promise<void> => post({ giftChoices: [choice] });

/** Opens a line to be changed. */
export function editLine(lineId: string | undefined): void {
  const line = store.cart?.lines.find((each) => each.lineId === lineId);
  const found = line === undefined ? null : productOf(line.variantId);
  if (line !== undefined && found !== null) openDish(found.product, (chosen) => changeLine(line.lineId, chosen), line);
}

function setQuantity({ lineId }: CartLine, quantity: number): void {
  const lines = currentLines().map((each) => (each.lineId === lineId ? { ...each, quantity } : each));
  void post({ lines: lines.filter((each) => each.quantity > 0) });
}

function showCart(): void {
  const { cart } = store;
  if (cart === null || (cart.lines.length === 0 && cart.changes.length === 0))
    return show(byId('cart'), h('p', { class: 'quiet' }, 'Пока пусто. Выберите блюдо в меню.'));
  const shownItems = cart.serviceItems.filter(({ hidden }) => !hidden);
  show(
    byId('cart'),
    h('ul', {}, ...cart.lines.map(lineOf)),
    ...cart.changes.map(({ name, message }) => h('p', { class: 'finding' }, `${name}: ${message}`)),
    giftsOf(cart),
    ...shownItems.map(({ name, quantity, lineTotal }) => sum(`${name} × ${quantity}`, lineTotal)),
    ...cart.discounts.map(({ name, applied, amount, message }) =>
      applied ? sum(name, -amount) : h('p', { class: 'quiet' }, `${name}: ${message ?? ''}`),
    ),
    cart.deliveryFee > 0 ? sum('Доставка', cart.deliveryFee) : null,
    h('p', { class: 'row', id: 'total' }, h('strong', {}, 'Всего'), h('strong', {}, roubles(cart.total))),
    promocodeForm(cart),
  );
}

/**
 * Renders the gifts of the guest, apart from the chosen dishes: the server puts it there, and
 * nobody can order it.
 */
function giftsOf({ gifts, giftsReadAt }: Cart): HTMLElement | null {
  if (gifts.length === 0) return null;
  const gift = ({ name, quantity, price, image, available, included }: CartGift) =>
    h(
      'li',
      { class: 'row' },
      image === null ? null : h('img', { src: image.url, srcset: image.srcset, alt: '', width: 64, height: 64 }),
      h('span', {}, `${name} × ${quantity}`, included ? null : h('small', { class: 'quiet' }, WAITS[`${available}`])),
      h('span', {}, roubles(price)),
    );
  return h(
    'section',
    { id: 'gifts', 'aria-labelledby': 'gifts-title' },
    h('h3', { id: 'gifts-title' }, 'Подарок'),
    h('ul', {}, ...gifts.map(gift)),
    giftsReadAt === undefined
      ? null
      : h('p', { class: 'quiet' }, 'Список подарков мог измениться: ресторан не ответил вовремя.'),
  );
}

const WAITS = { true: ' — в следующий раз', false: ' — сейчас нет, подарок останется за вами' } as const;

const sum = (text: string, money: number) =>
  h('p', { class: 'row' }, h('span', {}, text), h('span', {}, roubles(money)));

function lineOf(line: CartLine): HTMLElement {
  const { lineId, name, variantName, modifiers, quantity, lineTotal, available, priceChanged } = line;
  const button = (text: string, label: string, onclick: () => void) =>
    h('button', { type: 'button', 'aria-label': `${label}: ${name}`, 'data-key': `${label} ${lineId}`, onclick }, text);
  const canChange = modifiers.length > 0 || (productOf(line.variantId)?.product.variants.length ?? 0) > 1;
  return h(
    'li',
    {},
    h(
      'div',
      { class: 'row' },
      h('span', {}, variantName === null ? name : `${name}, ${variantName}`),
      h('span', {}, roubles(lineTotal)),
    ),
    modifiers.length === 0
      ? null
      : h(
          'p',
          { class: 'quiet' },
          modifiers.map((each) => `${each.name}${each.quantity > 1 ? ` × ${each.quantity}` : ''}`).join(', '),
        ),
    priceChanged ? h('p', { class: 'finding warning' }, 'Цена изменилась.') : null,
    available ? null : h('p', { class: 'finding' }, 'Сейчас не продаётся.'),
    h(
      'div',
      { class: 'row' },
      h(
        'span',
        {},
        button('−', 'Убрать одну', () => setQuantity(line, quantity - 1)),
        ` ${quantity} `,
        button('+', 'Добавить ещё', () => setQuantity(line, quantity + 1)),
      ),
      canChange ? button('Изменить', 'Изменить', () => editLine(lineId)) : null,
    ),
  );
}

function promocodeForm(cart: Cart): HTMLElement {
  const form = h(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault();
        const code = form.querySelector('input')!.value.trim();
        void post({ promocode: code === '' ? null : code });
      },
    },
    field('Промокод', {
      name: 'promocode',
      maxlength: 50,
      value: cart.promocode ?? '',
      autocomplete: 'off',
      'data-key': 'promocode',
    }),
    h('button', { 'data-key': 'promocode-use' }, 'Применить'),
  );
  return form;
}
