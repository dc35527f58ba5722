import type { Facet, MenuCategory, MenuProduct } from '../../client/src/storefront.ts';
import { api, attempt } from './api.ts';
import { addDish } from './cart.ts';
import { openDish } from './dish.ts';
import { byId, h, roubles, show, tell } from './dom.ts';
import { canBeOrdered, groupsOf, isSold, store } from './store.ts';

const MOST_FOUND = 100;
const cards = new Map<number, HTMLElement[]>();
const chosen = new Set<string>();
let asked = 0;

/** Shows the menu by categories, or what the search and the filters have found. */
export async function showMenu(): Promise<void> {
  const q = byId<HTMLFormElement>('search').querySelector('input')!.value.trim();
  const turn = (asked += 1);
  if (q === '' && chosen.size === 0) return showCategories();
  const query = { organization_id: store.organizationId, facet: [...chosen], size: MOST_FOUND };
  const answer = await attempt(() => (q === '' ? api.getProducts(query) : api.searchProducts({ ...query, q })));
  // A later question has been asked meanwhile.
  if (answer === null || turn !== asked) return;
  const { items, total } = answer.data;
  show(byId('categories'));
  byId('found').textContent = total === 0 ? 'Ничего не нашлось.' : `Найдено: ${total}`;
  cards.clear();
  show(byId('dishes'), grid(items));
}

function showCategories(): void {
  const { menu } = store;
  if (menu === null) return;
  cards.clear();
  byId('found').textContent = menu.products.length === 0 ? 'Меню пока пусто.' : '';
  const products = new Map(menu.products.map((product) => [product.id, product]));
  const filled = menu.categories.filter(({ productIds }) => productIds.length > 0);
  show(byId('categories'), ...filled.map(({ slug, name }) => h('a', { href: `#${slug}` }, name)));
  const section = ({ slug, name, productIds }: MenuCategory) =>
    h(
      'section',
      { 'aria-labelledby': slug },
      h('h3', { id: slug, tabindex: -1 }, name),
      grid(productIds.flatMap((id) => products.get(id) ?? [])),
    );
  show(byId('dishes'), ...filled.map(section));
}

const grid = (products: readonly MenuProduct[]) => h('ul', { class: 'grid' }, ...products.map(card));

function card(product: MenuProduct): HTMLElement {
  const { id, name, subtitle, composition, images, variants } = product;
  const [variant] = variants;
  const isSimple = variants.length === 1 && groupsOf(variant!).length === 0;
  const cheapest = Math.min(...variants.map(({ price }) => price));
  const take = () =>
    void (isSimple ? addDish({ variantId: variant!.id, quantity: 1, modifiers: [] }) : openDish(product, addDish));
  const element = h(
    'li',
    { class: 'card' },
    h('img', { src: images.main.url, srcset: images.main.srcset, alt: '', loading: 'lazy', width: 400, height: 300 }),
    h(
      'div',
      {},
      h('h4', {}, name),
      h('p', {}, subtitle ?? composition ?? ''),
      h(
        'span',
        { class: 'row' },
        h('strong', {}, `${variants.length > 1 ? 'от ' : ''}${roubles(cheapest)}`),
        h('button', { type: 'button', 'data-key': `take-${id}`, 'data-simple': isSimple, onclick: take }),
      ),
    ),
  );
  cards.set(id, [...(cards.get(id) ?? []), element]);
  mark(element, product);
  return element;
}

function mark(element: HTMLElement, product: MenuProduct): void {
  const isOff = !canBeOrdered(product);
  const button = element.querySelector('button')!;
  element.classList.toggle('off', isOff);
  button.disabled = isOff;
  button.textContent = isOff ? 'Закончилось' : 'simple' in button.dataset ? 'В корзину' : 'Выбрать';
  button.setAttribute('aria-label', `${button.textContent}: ${product.name}`);
}

/** Follows the stop-list on the cards that are shown, and announces what has ended or come back. */
export function markStopped(before: ReadonlySet<number>): void {
  const products = store.menu?.products ?? [];
  for (const product of products) for (const element of cards.get(product.id) ?? []) mark(element, product);
  const changed = products.filter(
    (product) => product.variants.every(({ id }) => before.has(id)) === canBeOrdered(product),
  );
  const names = (list: readonly MenuProduct[]) =>
    list
      .map(({ name }) => name)
      .slice(0, 5)
      .join(', ');
  const [back, gone] = [changed.filter(canBeOrdered), changed.filter((product) => !product.variants.some(isSold))];
  if (gone.length > 0) tell('news', `Закончилось: ${names(gone)}.`);
  else if (back.length > 0) tell('news', `Снова в продаже: ${names(back)}.`);
}

/** Listens to the search field and shows the filters of the restaurant. */
export async function startSearch(): Promise<void> {
  const form = byId<HTMLFormElement>('search');
  let timer: ReturnType<typeof setTimeout> | undefined;
  form.oninput = (event) => {
    if ((event.target as HTMLInputElement).type !== 'search') return;
    clearTimeout(timer);
    timer = setTimeout(() => void showMenu(), 250);
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    void showMenu();
  };
  chosen.clear();
  const facets = await attempt(() => api.getFacets({ organization_id: store.organizationId }));
  show(byId('facets'), ...(facets?.data.items.map(facetOf) ?? []));
}

function facetOf({ code, name, values }: Facet): HTMLElement {
  const toggle = (key: string) => (event: Event) => {
    if ((event.target as HTMLInputElement).checked) chosen.add(key);
    else chosen.delete(key);
    void showMenu();
  };
  return h(
    'fieldset',
    {},
    h('legend', {}, name),
    ...values
      .filter(({ count }) => count > 0)
      .map((value) =>
        h(
          'label',
          { class: 'option' },
          h('input', { type: 'checkbox', onchange: toggle(`${code}:${value.code}`) }),
          `${value.name} (${value.count})`,
        ),
      ),
  );
}
