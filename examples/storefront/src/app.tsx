import type { ReactNode } from 'react';
import { Header } from './parts/header.tsx';
import { useView, type View } from './routes.tsx';
import { useShop } from './store.ts';
import { t } from './texts.ts';
import { CartView } from './views/cart.tsx';
import { CheckoutView } from './views/checkout.tsx';
import { DishView } from './views/dish.tsx';
import { MenuView } from './views/menu.tsx';
import { OrderView } from './views/order.tsx';

export function App(): ReactNode {
  const view = useView();
  useShop((state) => state.language);
  const message = useShop((state) => state.message);
  const news = useShop((state) => state.news);
  return (
    <>
      <a
        className="skip"
        href={`#${view.name === 'cart' ? 'cart-view' : view.name}`}
        onClick={(event) => {
          event.preventDefault();
          document.querySelector('main')?.focus();
        }}
      >
        {t('shop.skip')}
      </a>
      <Header />
      {renderView(view)}
      <p id="messages" role="alert">
        {message}
      </p>
      <p id="news" className="quiet" role="status">
        {news}
      </p>
    </>
  );
}

function renderView({ name, id }: View): ReactNode {
  switch (name) {
    case 'menu':
      return <MenuView />;
    case 'dish':
      return <DishView key={id} slug={id} />;
    case 'cart':
      return <CartView />;
    case 'checkout':
      return <CheckoutView />;
    case 'order':
      return <OrderView key={id} orderId={id} />;
  }
}
