import { useRef, type ReactNode } from 'react';
import { CartLines } from '../parts/cart-lines.tsx';
import { Link, useArrival, useTitle } from '../routes.tsx';
import { t } from '../texts.ts';

/** The cart as a separate view, for phones. */
export function CartView(): ReactNode {
  const main = useRef<HTMLElement>(null);
  useTitle(t('cart.title'));
  useArrival(main);
  return (
    <main id="cart-view" ref={main} tabIndex={-1} className="narrow">
      <p>
        <Link to="/">{t('shop.toMenu')}</Link>
      </p>
      <h1>{t('cart.title')}</h1>
      <CartLines canCheckOut />
    </main>
  );
}
