import { useEffect, useRef, useState, type ReactNode } from 'react';
import type {
  Cart,
  CheckoutQuestion,
  CheckoutRepair,
  CheckoutVerdict,
  DeliverySlots,
  StorefrontContext,
} from '@carte/client/storefront';
import { api, asCustomer, attempt } from '../api.ts';
import { acceptChanges, moveCart, refreshCart } from '../cart.ts';
import { dayName, readText, rubles } from '../format.ts';
import { AddressFields, focusAddress } from '../parts/address.tsx';
import { CartLines, editLine, isEmpty } from '../parts/cart-lines.tsx';
import { Choices } from '../parts/choices.tsx';
import { GuestFields, type FieldProblems } from '../parts/guest.tsx';
import { Verdict } from '../parts/verdict.tsx';
import { placeOrder } from '../place-order.ts';
import { openRestaurant } from '../restaurant.ts';
import { go, Link, useArrival, useTitle } from '../routes.tsx';
import { signIn } from '../sign-in.ts';
import { useShop } from '../store.ts';
import { t } from '../texts.ts';

const ASAP = 'asap';
const CHANGES_MS = 300;
type Type = 'PICKUP' | 'DELIVERY';
type Wishes = {
  type: Type;
  slotId: string;
  payment: string;
  addressId: string | null;
  /** The amount in rubles for which the guest needs change. */
  changeFrom: number | null;
  leaveAtDoor: boolean;
};
const NO_WISHES: Wishes = {
  type: 'PICKUP',
  slotId: ASAP,
  payment: '',
  addressId: null,
  changeFrom: null,
  leaveAtDoor: false,
};

export function CheckoutView(): ReactNode {
  const main = useRef<HTMLElement>(null);
  const cart = useShop((state) => state.cart);
  const context = useShop((state) => state.context);
  useTitle(t('checkout.title'));
  useArrival(main);
  return (
    <div className="columns">
      <main id="checkout" ref={main} tabIndex={-1}>
        <p>
          <Link to="/">{t('shop.toMenu')}</Link>
        </p>
        <h1>{t('checkout.title')}</h1>
        {isEmpty(cart) ? (
          <p className="quiet">{t('checkout.empty')}</p>
        ) : (
          context !== null && <Checkout cart={cart} context={context} />
        )}
      </main>
      <aside className="always" aria-labelledby="cart-title">
        <h2 id="cart-title">{t('cart.title')}</h2>
        <CartLines />
      </aside>
    </div>
  );
}

function Checkout({ cart, context }: { cart: Cart; context: StorefrontContext }): ReactNode {
  const [wishes, setWishes] = useState(NO_WISHES);
  const [isOrdering, setOrdering] = useState(false);
  const [problems, setProblems] = useState<FieldProblems>({});
  const { type, addressId } = wishes;
  const change = (changes: Partial<Wishes>) => setWishes((before) => ({ ...before, ...changes }));
  const methods = context.paymentMethods.filter(({ fulfillmentTypes }) =>
    fulfillmentTypes.includes(type),
  );
  const payment = methods.find(({ code }) => code === wishes.payment) ?? methods[0];
  const mayLeaveAtDoor = type === 'DELIVERY' && payment?.allowsLeaveAtDoor === true;
  const organizationId = context.organization.id;
  useEffect(() => change({ slotId: ASAP, payment: '' }), [organizationId]);
  const question: CheckoutQuestion = {
    cartId: cart.cartId,
    cartVersion: cart.version,
    fulfillment: {
      type,
      slotId: wishes.slotId,
      ...(type === 'PICKUP' ? { organizationId } : { addressId }),
    },
    paymentMethod: payment?.code ?? '',
    ...(payment?.requiresChange === true ? { changeFrom: wishes.changeFrom } : {}),
    ...(mayLeaveAtDoor ? { options: { leaveAtDoor: wishes.leaveAtDoor } } : {}),
  };
  const check = useVerdict(question, cart, isOrdering);
  const { verdict, passing } = check;
  // The findings may be out of sight, so the first is repeated above the disabled button.
  const reason = verdict?.blockers[0]?.message ?? verdict?.adjustments[0]?.message;

  async function order(data: FormData): Promise<void> {
    if (passing === null || isOrdering) return;
    setOrdering(true);
    setProblems({});
    try {
      // A running check could otherwise reach the server when the cart is already an order.
      await check.settled();
      const outcome = await placeOrder({
        ...question,
        cartVersion: passing.cartVersion,
        quoteId: passing.quote?.id ?? null,
        customer: { name: readText(data, 'name'), phone: readText(data, 'phone') },
        comment: readText(data, 'comment') || null,
      });
      if (outcome !== null && 'orderId' in outcome)
        return go(`/order/${outcome.orderId}`, { replace: true });
      if (outcome !== null && 'problems' in outcome) setProblems(outcome.problems);
      if (outcome !== null && 'verdict' in outcome) await check.accept(outcome.verdict);
    } finally {
      setOrdering(false);
    }
  }

  async function repair(proposed: CheckoutRepair): Promise<void> {
    switch (proposed.action) {
      case 'ADD_ITEMS':
        return go('/');
      case 'ACCEPT_CHANGES':
        return acceptChanges();
      case 'EDIT_LINE': {
        const line = cart.lines.find(({ lineId }) => lineId === proposed.lineId);
        return line === undefined ? undefined : editLine(line);
      }
      case 'CHOOSE_ADDRESS':
        return focusAddress();
      case 'CHOOSE_POINT':
        return document.getElementById('restaurant')?.focus();
      case 'MOVE_CART':
        await moveCart(proposed.organizationId);
        return openRestaurant(proposed.organizationId);
      case 'CHOOSE_SLOT':
        return change({ slotId: proposed.slotId });
      case 'CHOOSE_PAYMENT_METHOD':
        return change({ payment: proposed.allowed[0] ?? wishes.payment });
      case 'CHOOSE_GIFT':
        return document.getElementById('gifts')?.focus();
      case 'SIGN_IN':
        return signIn();
      case 'RETRY':
        return check.repeat();
    }
  }

  return (
    <form
      aria-label={t('checkout.title')}
      onSubmit={(event) => {
        event.preventDefault();
        void order(new FormData(event.currentTarget));
      }}
    >
      <Handover
        context={context}
        type={type}
        onChoice={(chosen) => change({ type: chosen, slotId: ASAP })}
      />
      {type === 'DELIVERY' && <AddressFields onAddress={(id) => change({ addressId: id })} />}
      <Slots
        cart={cart}
        wishes={wishes}
        place={context.organization}
        onChoice={(slotId) => change({ slotId })}
      />
      <Choices
        legend={t('checkout.payment')}
        name="payment"
        options={methods.map(({ code, name }) => ({ value: code as string, label: name }))}
        chosen={payment?.code ?? ''}
        onChoice={(code) => change({ payment: code })}
      />
      {payment?.requiresChange === true && (
        <label>
          {t('checkout.changeFrom')}
          <input
            type="number"
            min={0}
            inputMode="numeric"
            onInput={(event) => change({ changeFrom: event.currentTarget.valueAsNumber || null })}
          />
        </label>
      )}
      {mayLeaveAtDoor && (
        <label className="option">
          <input
            type="checkbox"
            checked={wishes.leaveAtDoor}
            onChange={(event) => change({ leaveAtDoor: event.currentTarget.checked })}
          />
          {t('checkout.leaveAtDoor')}
        </label>
      )}
      <GuestFields problems={problems} />
      <Verdict verdict={verdict} onRepair={(proposed) => void repair(proposed)} />
      <div className="action">
        {reason !== undefined && (
          <p className="reason" id="reason">
            {reason}
          </p>
        )}
        <button
          className="main"
          data-key="order"
          disabled={passing === null || isOrdering}
          aria-describedby={reason === undefined ? undefined : 'reason'}
        >
          {verdict?.canSubmit === true
            ? t('checkout.orderFor', { total: rubles(verdict.total.toPay) })
            : t('checkout.order')}
        </button>
      </div>
    </form>
  );
}

type HandoverProps = { context: StorefrontContext; type: Type; onChoice: (type: Type) => void };

function Handover({
  context: { status, organization, eta },
  type,
  onChoice,
}: HandoverProps): ReactNode {
  const label = (key: 'pickup' | 'delivery') => {
    const name = t(`checkout.${key}`, { count: eta[key].minutes });
    return status[key].accepting ? name : t('checkout.notAccepting', { name });
  };
  return (
    <>
      <Choices<Type>
        legend={t('checkout.how')}
        name="type"
        options={[
          { value: 'PICKUP', label: label('pickup') },
          { value: 'DELIVERY', label: label('delivery') },
        ]}
        chosen={type}
        onChoice={onChoice}
      />
      {type === 'PICKUP' && (
        <p className="quiet">
          {t('checkout.pickUpAt', { place: organization.address ?? organization.name })}
        </p>
      )}
    </>
  );
}

type SlotsProps = {
  cart: Cart;
  wishes: Wishes;
  place: { id: string; timeZone: string };
  onChoice: (slotId: string) => void;
};

function Slots({ cart: { cartId, version }, wishes, place, onChoice }: SlotsProps): ReactNode {
  const { id: organizationId, timeZone } = place;
  const [slots, setSlots] = useState<DeliverySlots | null>(null);
  const language = useShop((state) => state.language);
  const { type, slotId } = wishes;
  const addressId = type === 'PICKUP' ? null : wishes.addressId;
  useEffect(() => {
    let isLatest = true;
    const base = { organization_id: organizationId, type, cart_id: cartId };
    const query = addressId === null ? base : { ...base, address_id: addressId };
    void attempt(() => api.getDeliverySlots(query, asCustomer())).then((answer) => {
      if (answer !== null && isLatest) setSlots(answer.data);
    });
    return () => void (isLatest = false);
  }, [organizationId, type, addressId, cartId, version, language]);
  return (
    <label>
      {t('checkout.when')}
      <select
        data-key="slot"
        value={slotId}
        onChange={(event) => onChoice(event.currentTarget.value)}
      >
        <option value={ASAP}>{asapText(slots)}</option>
        {slots?.timedOrdersEnabled === true &&
          slots.days.map(({ date, slots: times }) => (
            <optgroup key={date} label={dayName(date, timeZone)}>
              {times.map(({ id, from, to, offset = '' }) => (
                <option key={id} value={id}>
                  {`${from}–${to} ${offset}`.trimEnd()}
                </option>
              ))}
            </optgroup>
          ))}
      </select>
    </label>
  );
}

function asapText(slots: DeliverySlots | null): string {
  const [from, to] = slots?.asap.available === true ? slots.asap.etaRange : [];
  return from === undefined || to === undefined
    ? t('checkout.asap')
    : t('checkout.asapIn', { from, to });
}

type Check = {
  verdict: CheckoutVerdict | null;
  /** The answer to the current request if it has no blockers, else null. */
  passing: CheckoutVerdict | null;
  accept: (verdict: CheckoutVerdict) => Promise<void>;
  repeat: () => void;
  settled: () => Promise<void>;
};

/** Runs preflight shortly after each change of the request or the menu. */
function useVerdict(question: CheckoutQuestion, cart: Cart, isPaused: boolean): Check {
  const menu = useShop((state) => state.menu);
  const language = useShop((state) => state.language);
  const [answer, setAnswer] = useState<{ to: string; verdict: CheckoutVerdict } | null>(null);
  const [repetitions, setRepetitions] = useState(0);
  const running = useRef<Promise<void>>(Promise.resolve());
  const text = JSON.stringify(question);
  const accept = async (verdict: CheckoutVerdict): Promise<void> => {
    setAnswer({ to: text, verdict });
    // If the server has changed the cart, the next request must name the new version.
    if (cart.version !== verdict.cartVersion) await refreshCart();
  };
  useEffect(() => {
    if (isPaused) return;
    let isLatest = true;
    const check = async () => {
      const found = await attempt(() =>
        api.checkCheckout(JSON.parse(text) as CheckoutQuestion, asCustomer()),
      );
      if (found !== null && isLatest) await accept(found.data);
    };
    const timer = setTimeout(() => void (running.current = check()), CHANGES_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [text, menu, language, isPaused, repetitions]);
  const verdict = answer?.verdict ?? null;
  const isPassing =
    answer?.to === text && answer.verdict.canSubmit && answer.verdict.adjustments.length === 0;
  return {
    verdict,
    passing: isPassing ? verdict : null,
    accept,
    repeat: () => setRepetitions((count) => count + 1),
    settled: () => running.current,
  };
}
