import { isProblem, watchMenu, type Menu, type MenuProduct } from '@carte/client/storefront';
import { api, attempt, reportFailure } from './api.ts';
import { readKeptCart, refreshCart } from './cart.ts';
import { canBeOrdered, NO_SEARCH, shop, update } from './store.ts';
import { t } from './texts.ts';

const CHOSEN = 'carte.restaurant';
const STOPS_MS = 4_000;
const CONTEXT_MS = 20_000;
const MOST_NAMES = 5;
let opened = new AbortController();

/** Shows the restaurant of the URL, else the last one of this browser, else the first. */
export async function startShop(): Promise<void> {
  const chosen =
    new URLSearchParams(location.search).get('restaurant') ?? localStorage.getItem(CHOSEN);
  void readKeptCart();
  document.addEventListener('visibilitychange', () =>
    document.hidden ? opened.abort() : follow(),
  );
  if (chosen !== null) openRestaurant(chosen);
  const list = await attempt(() => api.listOrganizations({ size: 200 }));
  if (list === null) return;
  update({ organizations: list.data.items });
  const [first] = list.data.items;
  if (first !== undefined && !list.data.items.some(({ id }) => id === chosen))
    openRestaurant(first.id);
}

export function openRestaurant(organizationId: string): void {
  // Keeps the context until the next one is loaded, so that a checkout keeps its input.
  update({ organizationId, menu: null, search: NO_SEARCH });
  localStorage.setItem(CHOSEN, organizationId);
  follow();
}

export function rereadTexts(): void {
  follow();
  void refreshCart();
}

/** Reads the current restaurant and its changes, while the page is visible. */
function follow(): void {
  opened.abort();
  opened = new AbortController();
  const { signal } = opened;
  const { organizationId } = shop();
  if (organizationId === '') return;
  void attempt(() => followContext(organizationId, signal));
  void attempt(() => followMenu(organizationId, signal));
}

async function followContext(organizationId: string, signal: AbortSignal): Promise<void> {
  const read = async () => {
    const { data } = await api.getContext({ organization_id: organizationId });
    if (!signal.aborted) update({ context: data });
  };
  const timer = setInterval(() => void read().catch(reportFailure), CONTEXT_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  await read();
}

async function followMenu(organizationId: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const menu of watchMenu(api, organizationId, {
      intervalMs: STOPS_MS,
      signal,
      onFailure: reportFailure,
    })) {
      const before = shop().menu;
      update({ menu });
      announce(before, menu);
    }
  } catch (error) {
    // If this restaurant does not exist, `startShop` opens the first restaurant.
    if (!isProblem(error, 'not-found')) throw error;
  }
}

/** Announces sold-out dishes, else dishes that can be ordered again. */
function announce(before: Menu | null, { products }: Menu): void {
  if (before === null) return;
  const known = new Map(before.products.map((product) => [product.id, canBeOrdered(product)]));
  const changed = products.filter((product) => known.get(product.id) === !canBeOrdered(product));
  const names = (list: readonly MenuProduct[]) =>
    list
      .slice(0, MOST_NAMES)
      .map(({ name }) => name)
      .join(', ');
  const [back, gone] = [
    changed.filter(canBeOrdered),
    changed.filter((product) => !canBeOrdered(product)),
  ];
  if (gone.length > 0) update({ news: t('menu.soldOut', { names: names(gone) }) });
  else if (back.length > 0) update({ news: t('menu.back', { names: names(back) }) });
}
