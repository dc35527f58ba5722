import type {
  CheckoutAdjustment,
  CheckoutBlocker,
  CheckoutQuestion,
  CheckoutRepair,
  CheckoutVerdict,
  CheckoutWarning,
  PostedGiftChoice,
} from '../../client/src/storefront.ts';
import { startAddress, wantedAddress } from './address.ts';
import { api, asCustomer, attempt } from './api.ts';
import { acceptChanges, chooseGift, editLine, moveCart, refreshCart } from './cart.ts';
import { byId, choice, h, roubles, show } from './dom.ts';
import { orderForm } from './order.ts';
import { canSignIn, signIn } from './sign-in.ts';
import { store } from './store.ts';

type Type = 'PICKUP' | 'DELIVERY';
const ASAP = 'asap';
const wanted: { type: Type; slotId: string; payment: string; addressId: string | null } = {
  type: 'PICKUP',
  slotId: ASAP,
  payment: '',
  addressId: null,
};
const parts = {
  how: h('div'),
  address: h('div'),
  time: h('div'),
  payment: h('div'),
  verdict: h('div', { id: 'verdict', role: 'status' }),
};
/** Is outside of the part that a verdict replaces, so that nothing that is typed is lost. */
const guest = orderForm(
  () => (passing === null || store.cart === null ? null : { question: question(), verdict: passing }),
  (verdict) => showVerdict(verdict),
  withoutChecks,
);
/** The last verdict, while it lets the order pass. */
let passing: CheckoutVerdict | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let asked = 0;
let checking: Promise<void> = Promise.resolve();
let isHeld = false;

/** Shows the checkout of the chosen restaurant, for what the cart holds. */
export function startCheckout(openRestaurant: (id: string) => Promise<void>): void {
  const form = byId<HTMLFormElement>('checkout');
  moveTo = openRestaurant;
  show(form, h('h3', {}, 'Оформление'), parts.how, parts.address, parts.time, parts.payment, parts.verdict, guest);
  guest.hidden = true;
  form.onsubmit = (event) => event.preventDefault();
  startAddress(parts.address, (addressId) => {
    wanted.addressId = addressId;
    void showSlots();
  });
  Object.assign(wanted, { slotId: ASAP, payment: store.context?.paymentMethods[0]?.code ?? '' });
  showChoices();
  void showSlots();
}

let moveTo: (id: string) => Promise<void> = () => Promise.resolve();

function showChoices(): void {
  const { context } = store;
  if (context === null) return;
  const { status, organization, paymentMethods, eta } = context;
  const how = (value: Type, text: string, accepting: boolean, minutes: number) => ({
    value,
    label: `${text}, около ${minutes} мин${accepting ? '' : ' (сейчас не принимаем)'}`,
  });
  show(
    parts.how,
    choice(
      'Как получить',
      'type',
      [
        how('PICKUP', 'Самовывоз', status.pickup.accepting, eta.pickup.minutes),
        how('DELIVERY', 'Доставка', status.delivery.accepting, eta.delivery.minutes),
      ],
      wanted.type,
      (type) => {
        Object.assign(wanted, { type, slotId: ASAP });
        showChoices();
        void showSlots();
      },
    ),
    wanted.type === 'PICKUP'
      ? h('p', { class: 'quiet' }, `Забрать: ${organization.address ?? organization.name}`)
      : null,
  );
  parts.address.hidden = wanted.type === 'PICKUP';
  const methods = paymentMethods.filter(({ fulfillmentTypes }) => fulfillmentTypes.includes(wanted.type));
  if (!methods.some(({ code }) => code === wanted.payment)) wanted.payment = methods[0]?.code ?? '';
  show(
    parts.payment,
    choice(
      'Оплата',
      'payment',
      methods.map(({ code, name }) => ({ value: code, label: name })),
      wanted.payment,
      (code) => {
        wanted.payment = code;
        checkSoon();
      },
    ),
  );
}

async function showSlots(): Promise<void> {
  const { type, addressId } = wanted;
  const asked = {
    organization_id: store.organizationId,
    type,
    ...(store.cart === null ? {} : { cart_id: store.cart.cartId }),
    ...(addressId === null || type === 'PICKUP' ? {} : { address_id: addressId }),
  };
  const answer = await attempt(() => api.getDeliverySlots(asked, asCustomer()));
  if (answer === null || type !== wanted.type) return;
  const { asap, days, timedOrdersEnabled } = answer.data;
  const option = (id: string, text: string) => h('option', { value: id, selected: id === wanted.slotId }, text);
  const select = h(
    'select',
    {
      'data-key': 'slot',
      onchange: () => {
        wanted.slotId = select.value;
        checkSoon();
      },
    },
    option(ASAP, asap.available ? `Как можно скорее, ${asap.etaRange.join('–')} мин` : 'Как можно скорее'),
    ...(timedOrdersEnabled ? days : []).map(({ label, slots }) =>
      h(
        'optgroup',
        { label },
        ...slots.map(({ id, from, to, offset = '' }) => option(id, `${from}–${to} ${offset}`.trimEnd())),
      ),
    ),
  );
  show(parts.time, h('label', {}, 'Когда ', select));
  checkSoon();
}

/**
 * Asks a moment later whether the cart can be ordered like this; several changes are one question.
 */
export function checkSoon(): void {
  const isEmpty = store.cart === null || store.cart.lines.length === 0;
  byId('checkout').hidden = isEmpty;
  clearTimeout(timer);
  if (!isEmpty && !isHeld) timer = setTimeout(() => void check(), 300);
}

/**
 * Runs `work` while nothing is checked: the cart may become an order in it, and an ordered cart has
 * no checkout.
 */
async function withoutChecks(work: () => Promise<void>): Promise<void> {
  isHeld = true;
  clearTimeout(timer);
  try {
    await Promise.allSettled([checking]);
    await work();
  } finally {
    isHeld = false;
    checkSoon();
  }
}

function question(): CheckoutQuestion {
  const { cartId, version } = store.cart!;
  const place = wanted.type === 'PICKUP' ? { organizationId: store.organizationId } : { addressId: wanted.addressId };
  return {
    cartId,
    cartVersion: version,
    fulfillment: { type: wanted.type, slotId: wanted.slotId, ...place },
    paymentMethod: wanted.payment,
  };
}

function check(): Promise<void> {
  checking = ask();
  return checking;
}

async function ask(): Promise<void> {
  const turn = (asked += 1);
  const answer = await attempt(() => api.checkCheckout(question(), asCustomer()));
  if (answer !== null && turn === asked) await showVerdict(answer.data);
}

async function showVerdict(verdict: CheckoutVerdict): Promise<void> {
  const { canSubmit, total, eta, blockers, warnings, adjustments, cartVersion } = verdict;
  passing = canSubmit && adjustments.length === 0 ? verdict : null;
  guest.hidden = passing === null;
  show(
    parts.verdict,
    ...blockers.map((each) => findingOf(each, 'finding')),
    ...adjustments.map((each) => findingOf(each, 'finding done')),
    ...warnings.map((each) => findingOf(each, 'finding warning')),
    canSubmit ? h('p', {}, `К оплате ${roubles(total.toPay)}, будет готово через ${eta.minutes} мин.`) : null,
  );
  // The server has changed the cart: what it shows is read again, and the next question names that
  // version.
  if (store.cart !== null && store.cart.version !== cartVersion) await refreshCart();
}

const REPAIRS: Readonly<Record<string, string>> = {
  ADD_ITEMS: 'Добавить блюда',
  ACCEPT_CHANGES: 'Согласиться с изменениями',
  EDIT_LINE: 'Изменить блюдо',
  CHOOSE_ADDRESS: 'Указать адрес',
  CHOOSE_POINT: 'Выбрать ресторан',
  RETRY: 'Проверить ещё раз',
  MOVE_CART: 'Перенести корзину в этот ресторан',
  CHOOSE_SLOT: 'Выбрать ближайшее время',
  CHOOSE_PAYMENT_METHOD: 'Выбрать другую оплату',
  ...(canSignIn ? { SIGN_IN: 'Войти' } : {}),
};

type Finding = CheckoutBlocker | CheckoutWarning | CheckoutAdjustment;

function findingOf(finding: Finding, className: string): HTMLElement {
  const proposed = proposedBy(finding);
  return h('div', { class: className }, h('p', {}, finding.message), proposed && repairOf(proposed));
}

function proposedBy(finding: Finding): CheckoutRepair | null {
  if (finding.code === 'SLOT_EXPIRED') return { action: 'CHOOSE_SLOT', slotId: finding.newSlotId };
  return ('repair' in finding ? finding.repair : undefined) ?? null;
}

/** A button for a repair; null for an action that is newer than the shop. */
function repairOf(proposed: CheckoutRepair): HTMLElement | null {
  const { action } = proposed;
  if (action === 'CHOOSE_GIFT') return giftChoice(proposed);
  const text = REPAIRS[action];
  if (text === undefined) return null;
  return h('button', { type: 'button', 'data-key': `repair-${action}`, onclick: () => void mend(proposed) }, text);
}

/** A button for each gift that may come instead, and one for a later order. */
function giftChoice({ compensationId, replacements }: Extract<CheckoutRepair, { action: 'CHOOSE_GIFT' }>): HTMLElement {
  const button = (key: string, text: string, choice: Omit<PostedGiftChoice, 'compensationId'>) =>
    h(
      'button',
      { type: 'button', 'data-key': key, onclick: () => void chooseGift({ compensationId, ...choice }) },
      text,
    );
  return h(
    'p',
    { class: 'choices' },
    ...replacements.map(({ rewardCode, name }) =>
      button(`gift-${rewardCode}`, `Взамен: ${name}`, { choice: 'REPLACE', rewardCode }),
    ),
    button('gift-postpone', 'Получить в следующий раз', { choice: 'POSTPONE' }),
  );
}

/** Does what the server proposes. */
async function mend(repair: CheckoutRepair): Promise<void> {
  switch (repair.action) {
    case 'ADD_ITEMS':
      return byId('menu').focus();
    case 'ACCEPT_CHANGES':
      return acceptChanges();
    case 'EDIT_LINE':
      return editLine(repair.lineId);
    case 'CHOOSE_ADDRESS':
      return wantedAddress();
    case 'CHOOSE_POINT':
      return byId('restaurant').focus();
    case 'MOVE_CART':
      await moveCart(repair.organizationId);
      return moveTo(repair.organizationId);
    case 'CHOOSE_SLOT':
      wanted.slotId = repair.slotId;
      return showSlots();
    case 'CHOOSE_PAYMENT_METHOD':
      wanted.payment = repair.allowed[0] ?? wanted.payment;
      showChoices();
      return checkSoon();
    case 'CHOOSE_GIFT':
      return byId('gifts').focus();
    case 'SIGN_IN':
      return signIn();
    case 'RETRY':
      return check();
  }
}
