import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { isProblem, watchOrder, type Order } from '@carte/client/storefront';
import { api, asCustomer, attempt, reportFailure } from '../api.ts';
import { keepCart, refreshCart } from '../cart.ts';
import { clock, roubles } from '../format.ts';
import { forgetOrder } from '../parts/kept-order.ts';
import { go, useArrival, useTitle } from '../routes.tsx';

const STATUS_MS = 3_000;
const ENDED: readonly string[] = ['CLOSED', 'CANCELLED', 'FAILED'];
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

/** An order and its status, until it has ended. */
export function OrderView({ orderId }: { orderId: string }): ReactNode {
  const main = useRef<HTMLElement>(null);
  const [order, setOrder] = useState<Order | null>(null);
  useTitle(order === null ? 'Заказ' : `Заказ ${order.number}`);
  useArrival(main);
  const isVisible = useSyncExternalStore(onVisibility, () => !document.hidden);
  useEffect(() => {
    if (!isVisible) return;
    const watching = new AbortController();
    void attempt(() => follow(orderId, watching.signal, setOrder));
    return () => watching.abort();
  }, [orderId, isVisible]);
  return (
    <main id="order" ref={main} tabIndex={-1} className="narrow" aria-busy={order === null}>
      <h1 id="order-title">Заказ {order?.number}</h1>
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

async function follow(orderId: string, signal: AbortSignal, show: (order: Order) => void): Promise<void> {
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
  const items = [...lines.filter(({ hidden }) => !hidden), ...gifts.filter(({ leftOut }) => !leftOut)];
  const button = (key: string, text: string, onClick: () => void) => (
    <button type="button" data-key={key} onClick={onClick}>
      {text}
    </button>
  );
  return (
    <div id="order-parts">
      {!ENDED.includes(status) && <p>{`Ждём к ${clock(eta.at)}`}</p>}
      <ul>
        {items.map(({ name, variantName, quantity, lineTotal }, at) => (
          <li key={at} className="row">
            <span>{`${variantName === null ? name : `${name}, ${variantName}`} × ${quantity}`}</span>
            <span>{roubles(lineTotal)}</span>
          </li>
        ))}
        {gifts
          .filter(({ leftOut }) => leftOut)
          .map(({ name }, at) => (
            <li key={`left ${at}`} className="quiet">{`${name}: подарок уже привезли с другим заказом`}</li>
          ))}
      </ul>
      <p className="row">
        <strong>Всего</strong>
        <strong>{roubles(total)}</strong>
      </p>
      <ol className="quiet" aria-label="Как менялся заказ">
        {statusHistory.map((each) => (
          <li key={each.at + each.status}>{`${clock(each.at)} ${STATUSES[each.status] ?? each.status}`}</li>
        ))}
      </ol>
      <p className="row action">
        {cancellable && button('order-cancel', 'Отменить заказ', () => void cancel(orderId, onChange))}
        {button('order-repeat', 'Повторить', () => void repeat(orderId))}
        {button('order-close', 'Закрыть', close)}
      </p>
    </div>
  );
}

const cancel = (orderId: string, onChange: (order: Order) => void): Promise<unknown> =>
  attempt(async () => onChange((await api.cancelOrder({ order_id: orderId }, {}, asCustomer())).data));

const repeat = (orderId: string): Promise<unknown> =>
  attempt(async () => {
    const options = { ...asCustomer(), idempotencyKey: crypto.randomUUID() };
    keepCart((await api.repeatOrder({ order_id: orderId }, options)).data);
    // Reading the cart updates the gifts of the customer.
    await refreshCart();
    go('/cart');
  });
