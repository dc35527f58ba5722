import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { isProblem, watchOrder, type Order } from '@carte/client/storefront';
import { api, asCustomer, attempt, reportFailure } from '../api.ts';
import { keepCart, refreshCart } from '../cart.ts';
import { clock, rubles } from '../format.ts';
import { forgetOrder } from '../parts/kept-order.ts';
import { go, useArrival, useTitle } from '../routes.tsx';
import { useShop } from '../store.ts';
import { t, textOfCode } from '../texts.ts';

const STATUS_MS = 3_000;
const ENDED: readonly string[] = ['CLOSED', 'CANCELLED', 'FAILED'];

export function OrderView({ orderId }: { orderId: string }): ReactNode {
  const main = useRef<HTMLElement>(null);
  const [order, setOrder] = useState<Order | null>(null);
  const title = order === null ? t('order.title') : t('order.number', order);
  useTitle(title);
  useArrival(main);
  const language = useShop((state) => state.language);
  const isVisible = useSyncExternalStore(onVisibility, () => !document.hidden);
  useEffect(() => {
    if (!isVisible) return;
    const watching = new AbortController();
    void attempt(() => follow(orderId, watching.signal, setOrder));
    return () => watching.abort();
  }, [orderId, isVisible, language]);
  return (
    <main id="order" ref={main} tabIndex={-1} className="narrow" aria-busy={order === null}>
      <h1 id="order-title">{title}</h1>
      <p id="order-message" role="status">
        {order?.message}
      </p>
      {order !== null && <Parts order={order} onChange={setOrder} />}
    </main>
  );
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

async function follow(
  orderId: string,
  signal: AbortSignal,
  show: (order: Order) => void,
): Promise<void> {
  const options = { ...asCustomer(), intervalMs: STATUS_MS, signal, onFailure: reportFailure };
  try {
    for await (const order of watchOrder(api, orderId, options)) show(order);
  } catch (error) {
    if (!isProblem(error, 'not-found', 'unauthorized')) throw error;
    close();
  }
}

function close(): void {
  forgetOrder();
  go('/', { replace: true });
}

function Parts({ order, onChange }: { order: Order; onChange: (order: Order) => void }): ReactNode {
  const { orderId, eta, lines, gifts, total, statusHistory, cancellable, status } = order;
  const items = [
    ...lines.filter(({ hidden }) => !hidden),
    ...gifts.filter(({ leftOut }) => !leftOut),
  ];
  const button = (key: string, text: string, onClick: () => void) => (
    <button type="button" data-key={key} onClick={onClick}>
      {text}
    </button>
  );
  return (
    <div id="order-parts">
      {!ENDED.includes(status) && <p>{t('order.expected', { time: clock(eta.at) })}</p>}
      <ul>
        {items.map(({ name, variantName, quantity, lineTotal }, at) => (
          <li key={at} className="row">
            <span>{`${variantName === null ? name : `${name}, ${variantName}`} × ${quantity}`}</span>
            <span>{rubles(lineTotal)}</span>
          </li>
        ))}
        {gifts
          .filter(({ leftOut }) => leftOut)
          .map(({ name }, at) => (
            <li key={`left ${at}`} className="quiet">
              {t('gift.givenBefore', { name })}
            </li>
          ))}
      </ul>
      <p className="row">
        <strong>{t('cart.total')}</strong>
        <strong>{rubles(total)}</strong>
      </p>
      <ol className="quiet" aria-label={t('order.history')}>
        {statusHistory.map((each) => (
          <li
            key={each.at + each.status}
          >{`${clock(each.at)} ${textOfCode('order', each.status) ?? each.status}`}</li>
        ))}
      </ol>
      <p className="row action">
        {cancellable &&
          button('order-cancel', t('order.cancel'), () => void cancel(orderId, onChange))}
        {button('order-repeat', t('order.repeat'), () => void repeat(orderId))}
        {button('order-close', t('order.close'), close)}
      </p>
    </div>
  );
}

const cancel = (orderId: string, onChange: (order: Order) => void): Promise<unknown> =>
  attempt(async () =>
    onChange((await api.cancelOrder({ order_id: orderId }, {}, asCustomer())).data),
  );

const repeat = (orderId: string): Promise<unknown> =>
  attempt(async () => {
    const options = { ...asCustomer(), idempotencyKey: crypto.randomUUID() };
    keepCart((await api.repeatOrder({ order_id: orderId }, options)).data);
    // Reading the cart updates the gifts of the customer.
    await refreshCart();
    go('/cart');
  });
