import { useMemo, useRef, type ReactNode } from 'react';
import type { Menu, MenuCategory, MenuProduct } from '@carte/client/storefront';
import { api } from '../api.ts';
import { Categories } from '../parts/categories.tsx';
import { Dishes } from '../parts/card.tsx';
import { CartBar, CartLines } from '../parts/cart-lines.tsx';
import { keptOrder } from '../parts/kept-order.ts';
import { Search, useFound } from '../parts/search.tsx';
import { Link, useArrival, useTitle } from '../routes.tsx';
import { NO_SEARCH, update, useShop } from '../store.ts';
import { useMarkup } from '../structured-data.ts';
import { t } from '../texts.ts';

type Section = { category: MenuCategory; products: readonly MenuProduct[]; from: number };

function buildSections({ categories, products }: Menu): Section[] {
  const known = new Map(products.map((product) => [product.id, product]));
  let from = 0;
  return categories
    .filter(({ productIds }) => productIds.length > 0)
    .map((category) => {
      const dishes = category.productIds.flatMap((id) => known.get(id) ?? []);
      from += dishes.length;
      return { category, products: dishes, from: from - dishes.length };
    });
}

/** The menu by categories, or search results. On wide screens the cart is next to it. */
export function MenuView(): ReactNode {
  const main = useRef<HTMLElement>(null);
  const menu = useShop((state) => state.menu);
  const context = useShop((state) => state.context);
  const found = useFound();
  useTitle(context === null ? t('menu.title') : t('menu.of', context.organization));
  useArrival(main);
  const sections = useMemo(() => (menu === null ? [] : buildSections(menu)), [menu]);
  const categories = useMemo(() => sections.map(({ category }) => category), [sections]);
  // Shows everything at once, so that nothing moves later.
  const isReady = menu !== null && context?.organization.id === menu.organizationId;
  // The markup is read after the menu, so that guests do not wait for it (STO-20).
  useMarkup(menu === null || !isReady ? null : menu.organizationId, async () => {
    const { data } = await api.getStructuredData({ organization_id: menu!.organizationId });
    return { markup: data };
  });
  return (
    <div className="columns">
      <main id="menu" ref={main} tabIndex={-1} aria-busy={!isReady}>
        <h1>{t('menu.title')}</h1>
        {isReady && (
          <>
            {context.notices.map(({ code, title, text }) => (
              <p key={code} className="notice">
                <strong>{title}</strong> {text}
              </p>
            ))}
            <LastOrder />
            <Search />
            <Categories categories={categories} onChoice={() => update({ search: NO_SEARCH })} />
            <p id="found" role="status">
              {found === null
                ? sections.length === 0
                  ? t('menu.empty')
                  : ''
                : foundText(found.total)}
            </p>
            <div id="dishes">
              {found === null ? sections.map(renderSection) : renderResults(found.items)}
            </div>
          </>
        )}
      </main>
      <aside aria-labelledby="cart-title">
        <h2 id="cart-title">{t('cart.title')}</h2>
        <CartLines canCheckOut />
      </aside>
      <CartBar />
    </div>
  );
}

const foundText = (total: number): string =>
  total === 0 ? t('search.nothing') : t('search.found', { count: total });

const renderSection = ({ category: { slug, name }, products, from }: Section): ReactNode => (
  <section key={slug} aria-labelledby={slug}>
    <h2 id={slug} tabIndex={-1}>
      {name}
    </h2>
    <Dishes products={products} from={from} />
  </section>
);

const renderResults = (products: readonly MenuProduct[]): ReactNode => (
  <section aria-labelledby="found-title">
    <h2 id="found-title" className="hidden-title">
      {t('search.results')}
    </h2>
    <Dishes products={products} />
  </section>
);

function LastOrder(): ReactNode {
  const orderId = keptOrder();
  if (orderId === null) return null;
  return (
    <p className="notice" id="last-order">
      <Link to={`/order/${orderId}`}>{t('menu.lastOrder')}</Link>
    </p>
  );
}
