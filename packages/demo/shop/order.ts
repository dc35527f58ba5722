import type { CheckoutQuestion, CheckoutVerdict, NewOrder, Order, PlacedOrder } from '../../client/src/storefront.ts';
import { isProblem } from '../../client/src/transport.ts';
import { api, asCustomer, attempt, every } from './api.ts';
import { openCart, orderedCart } from './cart.ts';
import { byId, field, h, roubles, show } from './dom.ts';

const KEPT = 'carte.order';
const STATUS_SECONDS = 3;
const ENDS: readonly Order['status'][] = ['CLOSED', 'CANCELLED', 'FAILED'];
const STATUSES: Readonly<Record<string, string>> = {
  ACCEPTED: 'Принят',
  SENT: 'Передаём ресторану',
  CONFIRMED: 'Принят рестораном',
  COOKING: 'Готовится',
  READY: 'Готов',
  ON_THE_WAY: 'В пути',
  DELIVERED: 'Доставлен',
  CLOSED: 'Выполнен',
  CANCELLED: 'Отменён',
  FAILED: 'Не принят',
};

/**
 * The order that was sent and not answered yet: sent again unchanged it has the same key, so it is
 * never made twice.
 */
let pending: { key: string; body: string } | null = null;
let endFollowing = (): void => undefined;

/**
 * Renders the form of the person who orders, and the button that orders what the last verdict
 * accepted. `onRefused` gets the fresh verdict of an order that was refused; `alone` runs the order
 * while the cart is not checked.
 */
export function orderForm(
  ask: () => { question: CheckoutQuestion; verdict: CheckoutVerdict } | null,
  onRefused: (verdict: CheckoutVerdict) => Promise<void>,
  alone: (work: () => Promise<void>) => Promise<void>,
): HTMLElement {
  const input = (name: string, props: object) => ({ name, 'data-key': `guest-${name}`, ...props });
  const button = h(
    'button',
    { type: 'button', 'data-key': 'order', onclick: () => void alone(() => order(form, ask(), onRefused)) },
    'Заказать',
  );
  const form = h(
    'fieldset',
    {},
    h('legend', {}, 'Кто заказывает'),
    field('Имя', input('name', { maxlength: 60, autocomplete: 'name', required: true })),
    field('Телефон', input('phone', { type: 'tel', maxlength: 30, autocomplete: 'tel', required: true })),
    field('Комментарий', input('comment', { maxlength: 500, autocomplete: 'off' })),
    button,
  );
  return form;
}

async function order(
  form: HTMLElement,
  asked: { question: CheckoutQuestion; verdict: CheckoutVerdict } | null,
  onRefused: (verdict: CheckoutVerdict) => Promise<void>,
): Promise<void> {
  const valueOf = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)!;
  const empty = ['name', 'phone'].map(valueOf).find((each) => !each.reportValidity());
  if (asked === null || empty !== undefined) return;
  const { question, verdict } = asked;
  const body: NewOrder = {
    ...question,
    cartVersion: verdict.cartVersion,
    quoteId: verdict.quote?.id ?? null,
    customer: { name: valueOf('name').value, phone: valueOf('phone').value },
    comment: valueOf('comment').value || null,
  };
  const text = JSON.stringify(body);
  if (pending?.body !== text) pending = { key: crypto.randomUUID(), body: text };
  const { key } = pending;
  await attempt(async () => {
    try {
      const { data } = (await api.placeOrder(body, { ...asCustomer(), idempotencyKey: key })) as { data: PlacedOrder };
      return await ordered(data.orderId);
    } catch (error) {
      // An answer came, so the next press is another order.
      if (isProblem(error)) pending = null;
      if (isProblem(error, 'checkout-blocked') && error.problem.preflight !== undefined)
        return await onRefused(error.problem.preflight as CheckoutVerdict);
      if (isProblem(error, 'cart-already-ordered') && error.problem.orderId !== undefined)
        return await ordered(error.problem.orderId);
      throw error;
    }
  });
}

async function ordered(orderId: string): Promise<void> {
  pending = null;
  localStorage.setItem(KEPT, orderId);
  orderedCart();
  await followOrder();
  byId('order').focus();
}

/** Shows the last order of this browser and its state, until it has ended. */
export async function followOrder(): Promise<void> {
  endFollowing();
  const orderId = localStorage.getItem(KEPT);
  if (orderId === null) return;
  const look = async () => {
    try {
      const { data } = await api.getOrder({ order_id: orderId }, asCustomer());
      showOrder(data);
      if (ENDS.includes(data.status)) endFollowing();
    } catch (error) {
      if (!isProblem(error, 'not-found', 'unauthorized')) throw error;
      closeOrder();
    }
  };
  endFollowing = every(STATUS_SECONDS, look);
  await attempt(look);
}

function closeOrder(): void {
  endFollowing();
  localStorage.removeItem(KEPT);
  byId('order').hidden = true;
}

function showOrder(shown: Order): void {
  const { orderId, number, message, eta, lines, gifts, total, statusHistory, cancellable, status } = shown;
  const clock = (text: string) => text.slice(11, 16);
  const button = (key: string, text: string, onclick: () => void) =>
    h('button', { type: 'button', 'data-key': key, onclick }, text);
  byId('order').hidden = false;
  byId('order-title').textContent = `Заказ ${number}`;
  const line = byId('order-message');
  if (line.textContent !== message) line.textContent = message;
  show(
    byId('order-parts'),
    ENDS.includes(status) ? null : h('p', {}, `Ждём к ${clock(eta.at)}`),
    h(
      'ul',
      {},
      ...[...lines.filter(({ hidden }) => !hidden), ...gifts.filter(({ leftOut }) => !leftOut)].map(
        ({ name, variantName, quantity, lineTotal }) =>
          h(
            'li',
            { class: 'row' },
            h('span', {}, `${variantName === null ? name : `${name}, ${variantName}`} × ${quantity}`),
            h('span', {}, roubles(lineTotal)),
          ),
      ),
      ...gifts
        .filter(({ leftOut }) => leftOut)
        .map(({ name }) => h('li', { class: 'quiet' }, `${name}: подарок уже привезли с другим заказом`)),
    ),
    h('p', { class: 'row' }, h('strong', {}, 'Всего'), h('strong', {}, roubles(total))),
    h(
      'ol',
      { class: 'quiet', 'aria-label': 'Как менялся заказ' },
      ...statusHistory.map((each) => h('li', {}, `${clock(each.at)} ${STATUSES[each.status] ?? each.status}`)),
    ),
    h(
      'p',
      { class: 'row' },
      cancellable ? button('order-cancel', 'Отменить заказ', () => void cancel(orderId)) : null,
      button('order-repeat', 'Повторить', () => void repeat(orderId)),
      button('order-close', 'Закрыть', closeOrder),
    ),
  );
}

const cancel = (orderId: string): Promise<unknown> =>
  attempt(async () => showOrder((await api.cancelOrder({ order_id: orderId }, {}, asCustomer())).data));

const repeat = (orderId: string): Promise<unknown> =>
  attempt(async () => {
    const { data } = await api.repeatOrder(
      { order_id: orderId },
      { ...asCustomer(), idempotencyKey: crypto.randomUUID() },
    );
    openCart(data);
    byId('cart-title').scrollIntoView();
  });
