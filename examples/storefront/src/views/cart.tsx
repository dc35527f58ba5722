import { useRef, type ReactNode } from 'react';
import { CartLines } from '../parts/cart-lines.tsx';
import { Link, useArrival, useTitle } from '../routes.tsx';

/** The cart as a view of its own, for phones. */
export function CartView(): ReactNode {
  const main = useRef<HTMLElement>(null);
  useTitle('Корзина');
  useArrival(main);
  return (
    <main id="cart-view" ref={main} tabIndex={-1} className="narrow">
      <p>
        <Link to="/">← К меню</Link>
      </p>
      <h1>Корзина</h1>
      <CartLines canCheckOut />
    </main>
  );
}
