import { fullMenu } from '../endpoints/menus.ts';
import type { Dish, Menu } from '../model.ts';
import { listDishes } from '../model.ts';
import { getSwitches } from '../state.ts';
import type { State } from '../state.ts';
import { requireMenu, requireOrganization } from './content.ts';
import { ControlError } from './fields.ts';

export function readState(state: State): object {
  const { dataset } = state;
  return {
    seed: dataset.seed,
    size: state.size,
    organizations: dataset.organizations,
    menus: [...dataset.menus.values()].map((menu) => ({
      id: menu.id,
      name: menu.name,
      revision: menu.revision,
      organizationIds: menu.organizationIds,
      absentItems: menu.absent.size,
      ...getSwitches(state, menu),
    })),
    priceCategories: dataset.priceCategories,
    dictionaries: dataset.dictionaries,
    faults: state.faults.list(),
    organizationShape: state.organizationShape,
  };
}

export function readCalls(state: State, query: URLSearchParams): object {
  const endpoint = query.get('endpoint');
  const since = Number(query.get('since') ?? 0);
  if (!Number.isFinite(since)) throw new ControlError('since: number expected');
  return { calls: state.calls.list(endpoint === null ? { since } : { endpoint, since }) };
}

export function readWebhooks(state: State): object {
  return { deliveries: state.webhooks.deliveries() };
}

type StopTest = (productId: string, sizeId: string | null) => boolean;

/**
 * Returns true for a stopped item or size, which has a row without balance in at least one awake
 * terminal group.
 */
function stopTest(state: State, organizationId: string): StopTest {
  const awake = requireOrganization(state.dataset, organizationId).terminalGroups.filter(
    ({ asleep }) => !asleep,
  );
  const rows = awake
    .flatMap(({ id }) => state.dataset.stops.get(id) ?? [])
    .filter(({ balance }) => balance <= 0);

  return (productId, sizeId) =>
    rows.some(
      (row) => row.productId === productId && (row.sizeId === null || row.sizeId === sizeId),
    );
}

/** Returns true if all placements of the dish, or their categories, are hidden. */
function isDishHidden(menu: Menu, dish: Dish): boolean {
  return menu.categories.every((category) =>
    category.placements.every(
      (place) => place.dish !== dish || place.isHidden || category.isHidden,
    ),
  );
}

/**
 * Returns prices and states of all dish sizes and modifiers of a menu in one organization. Uses the
 * model, not answers.
 */
export function readTruth(state: State, query: URLSearchParams): object {
  const menu = requireMenu(state.dataset, query.get('menuId') ?? '');
  const organizationId = query.get('organizationId') ?? '';
  const stopped = stopTest(state, organizationId);
  const dishes = listDishes(menu).filter(({ id }) => !menu.absent.has(id));
  const modifiers = menu.modifiers.filter(({ id }) => !menu.absent.has(id));
  const bound = menu.organizationIds.includes(organizationId);

  return {
    menuId: menu.id,
    organizationId,
    revision: menu.revision,
    sizes: dishes.flatMap((dish) => {
      const hidden = isDishHidden(menu, dish);
      return dish.sizes.map((size) => ({
        productId: dish.id,
        sizeId: size.sizeId,
        price: bound ? (size.prices.get(organizationId) ?? null) : null,
        hidden: hidden || size.isHidden,
        stopped: stopped(dish.id, size.sizeId),
        name: dish.name,
        sku: size.sku,
        compound: dish.product['orderItemType'] === 'Compound',
      }));
    }),
    modifiers: modifiers.map(({ id, name, sku, isHidden, prices }) => ({
      id,
      price: bound ? (prices.get(organizationId) ?? null) : null,
      hidden: isHidden,
      stopped: stopped(id, null),
      name,
      sku,
    })),
  };
}

type Counted = {
  products: object[];
  modifiers: { sizePrices: { prices: { organizations: string[] }[] }[] }[];
  itemsGroups: {
    items: {
      sizePrices?: { prices: { organizations: string[]; price: number | null }[] }[];
      modifierGroups?: { items: object[] }[];
    }[];
  }[];
};

const TEXT_FIELDS = new Set(['name', 'description', 'sizeName', 'modifierSchemaName']);

function textBytes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;

  for (const [name, entry] of Object.entries(value)) {
    bytes +=
      typeof entry === 'string' && TEXT_FIELDS.has(name)
        ? Buffer.byteLength(entry)
        : textBytes(entry);
  }

  return bytes;
}

/** Measures the full answer of a menu for its first ten organizations. */
export function readStats(state: State, query: URLSearchParams): object {
  const menu = requireMenu(state.dataset, query.get('menuId') ?? '');
  const organizationIds = menu.organizationIds.slice(0, 10);
  const bytes = fullMenu(state, menu, { organizationIds, strict: false, priceFactor: 1 });
  const answer = JSON.parse(bytes.toString('utf8')) as Counted;
  const items = answer.itemsGroups.flatMap((group) => group.items);
  const sizes = items.flatMap((item) => item.sizePrices ?? []);
  const rows = sizes.flatMap((size) => size.prices).filter(({ price }) => price !== null);
  const links = items.flatMap((item) => item.modifierGroups ?? []).flatMap((group) => group.items);

  return {
    menuId: menu.id,
    organizations: organizationIds.length,
    bytes: bytes.length,
    dishes: answer.products.length,
    placements: items.length,
    sizes: sizes.length,
    modifiers: answer.modifiers.length,
    links: links.length,
    pricePairs: rows.reduce((sum, { organizations }) => sum + organizations.length, 0),
    textBytes: textBytes(answer),
  };
}
