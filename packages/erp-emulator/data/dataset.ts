import type { Account, Organization, PriceCategory, StopRow, Dataset } from '../model.ts';
import { listDishes } from '../model.ts';
import { CATALOG } from './catalog.ts';
import type { CategoryPlan } from './catalog.ts';
import { createDice } from './dice.ts';
import type { Dice } from './dice.ts';
import { dictionaries } from './dictionaries.ts';
import { addGifts, listGiftIds } from './gifts.ts';
import { firstGuests } from './guests.ts';
import { addCombos } from './combos.ts';
import { buildMenu } from './menu.ts';
import { organizations } from './organizations.ts';
import { addShapes } from './shapes.ts';

export type DatasetSize = 'demo' | 'small';

/**
 * Size of a larger chain. `copies` is the number of copies of each category of menu 9001, with
 * separate dishes. `accounts` is the number of credentials (`toApiLogin`), each for an equal part
 * of the organizations.
 */
export type Growth = { organizations?: number; copies?: number; accounts?: number };

export const DEMO_API_LOGIN = 'demo-api-login-7f3c';
/** A second credential of the chain with fewer rights. */
export const DEMO_API_LOGIN_SECOND = 'demo-api-login-second-9b21';

/** Returns the credential of a part of the chain, from 1. */
export function toApiLogin(account: number): string {
  return account === 1 ? DEMO_API_LOGIN : `${DEMO_API_LOGIN}-${account}`;
}

const FIRST_REVISION = 4182;

const PRICE_CATEGORIES: readonly Omit<PriceCategory, 'id'>[] = [
  { name: 'Самовывоз', factor: 0.9 },
  { name: 'Агрегаторы', factor: 1.15 },
];

const ASIAN = new Set(['rolls', 'sushi', 'sets', 'wok', 'soups', 'tea', 'juices']);

const MORNING = new Set([
  'breakfast',
  'bakery',
  'desserts',
  'coffee',
  'tea',
  'lemonades',
  'shakes',
]);

/** Dishes per category of the small data set. */
const SMALL: Readonly<Record<string, number>> = {
  pizza: 4,
  wok: 2,
  desserts: 3,
  coffee: 2,
  staff: 1,
};

type MenuSketch = {
  id: string;
  name: string;
  kitchen: string;
  plans: CategoryPlan[];
  boundTo: Organization[];
  factor: number;
};

/** Copies plans. Different keys result in different ids and article numbers. */
function repeated(plans: readonly CategoryPlan[], copies: number): CategoryPlan[] {
  return Array.from({ length: copies }, (_, copy) =>
    copy === 0
      ? plans
      : plans.map((plan) => ({
          ...plan,
          key: `${plan.key}~${copy}`,
          name: `${plan.name} ${copy + 1}`,
        })),
  ).flat();
}

function demoMenus(all: readonly Organization[], copies: number): MenuSketch[] {
  const pick = (keys: ReadonlySet<string>): CategoryPlan[] =>
    CATALOG.filter(({ key }) => keys.has(key));
  return [
    {
      id: '9001',
      name: 'Меню сайта',
      kitchen: 'main',
      plans: repeated(CATALOG, copies),
      boundTo: all.length > ORGANIZATIONS.demo ? [...all] : all.slice(0, 10),
      factor: 1,
    },
    {
      id: '9002',
      name: 'Рис и лапша',
      kitchen: 'asian',
      plans: pick(ASIAN),
      boundTo: all.slice(10, 12),
      factor: 1,
    },
    {
      id: '9003',
      name: 'Завтраки и бар',
      kitchen: 'main',
      plans: pick(MORNING),
      boundTo: all.slice(0, 3),
      factor: 1.1,
    },
  ];
}

function smallMenus(all: readonly Organization[], copies: number): MenuSketch[] {
  const plans = CATALOG.filter(({ key }) => key in SMALL).map((plan) => ({
    ...plan,
    dishes: plan.dishes.slice(0, SMALL[plan.key]),
  }));

  return [
    {
      id: '9001',
      name: 'Меню сайта',
      kitchen: 'main',
      plans: repeated(plans, copies),
      boundTo: [...all],
      factor: 1,
    },
  ];
}

function firstStops(dice: Dice, dataset: Omit<Dataset, 'stops'>): Map<string, StopRow[]> {
  const stops = new Map<string, StopRow[]>();
  const added = '2026-03-14 08:15:00.000';

  for (const organization of dataset.organizations) {
    const menu = [...dataset.menus.values()].find(({ organizationIds }) =>
      organizationIds.includes(organization.id),
    );
    if (!menu) continue;

    const gifts = listGiftIds(menu);
    const sold = listDishes(menu).filter(({ id }) => !gifts.has(id));
    const dishes = dice.some(`stops/${organization.number}`, sold, 3);
    const [gone, few, sized] = dishes;
    const modifier = dice.some(`stops/${organization.number}/modifier`, menu.modifiers, 1)[0];
    const rows: StopRow[] = [];
    if (gone)
      rows.push({ productId: gone.id, sizeId: null, sku: gone.sku, balance: 0, dateAdd: added });
    if (few)
      rows.push({ productId: few.id, sizeId: null, sku: few.sku, balance: 3.5, dateAdd: null });
    if (sized) {
      const size = sized.sizes[0];
      rows.push({
        productId: sized.id,
        sizeId: size?.sizeId ?? null,
        sku: size?.sku ?? null,
        balance: 0,
        dateAdd: added,
      });
    }

    if (modifier)
      rows.push({
        productId: modifier.id,
        sizeId: null,
        sku: modifier.sku,
        balance: 0,
        dateAdd: added,
      });

    const [main] = organization.terminalGroups;
    if (main) stops.set(main.id, rows);
  }

  return stops;
}

function accountsOfParts(
  all: readonly Organization[],
  menuIds: readonly string[],
  count: number,
): Account[] {
  const value = Math.ceil(all.length / count);
  return Array.from({ length: count }, (_, at) => ({
    name: at === 0 ? 'main' : `part ${at + 1}`,
    login: toApiLogin(at + 1),
    organizationIds: all.slice(at * value, (at + 1) * value).map(({ id }) => id),
    menuIds,
  }));
}

function accounts(
  all: readonly Organization[],
  menuIds: readonly string[],
  size: DatasetSize,
): Account[] {
  const few = size === 'demo' ? all.slice(10, 12) : all.slice(1, 2);
  return [
    { name: 'main', login: DEMO_API_LOGIN, organizationIds: all.map(({ id }) => id), menuIds },
    {
      name: 'second',
      login: DEMO_API_LOGIN_SECOND,
      organizationIds: few.map(({ id }) => id),
      menuIds: [size === 'demo' ? '9002' : '9001'],
    },
  ];
}

export const ORGANIZATIONS: Readonly<Record<DatasetSize, number>> = { demo: 12, small: 2 };

/** The same seed, size and growth give the same data and ids. */
export function buildDataset(seed: number, size: DatasetSize, growth: Growth = {}): Dataset {
  const dice = createDice(seed);
  const { organizations: count = ORGANIZATIONS[size], copies = 1, accounts: parts } = growth;
  const all = organizations(dice, count);
  const accountsFor = (menuIds: readonly string[]) =>
    parts === undefined ? accounts(all, menuIds, size) : accountsOfParts(all, menuIds, parts);
  const sketches = size === 'demo' ? demoMenus(all, copies) : smallMenus(all, copies);
  const menus = sketches.map(({ id, name, kitchen, plans, boundTo, factor }) => {
    const plan = {
      id,
      name,
      kitchen,
      categories: plans,
      organizations: all,
      boundTo,
      priceFactor: factor,
    };

    const whole = { ...plan, revision: FIRST_REVISION };

    return addGifts(
      dice,
      whole,
      addCombos(dice, addShapes(dice, buildMenu(dice, whole), all, size === 'demo' ? 4 : 1)),
    );
  });

  const dataset = {
    seed,
    organizations: all,
    menus: new Map(menus.map((menu) => [menu.id, menu])),
    priceCategories: [
      { id: '00000000-0000-0000-0000-000000000000', name: 'Базовая цена', factor: 1 },
      ...PRICE_CATEGORIES.map((category) => ({
        ...category,
        id: dice.uuid(`price-category/${category.name}`),
      })),
    ],
    accounts: accountsFor(menus.map(({ id }) => id)),
    dictionaries: dictionaries(dice),
    guests: size === 'demo' ? firstGuests(dice) : [],
  };

  return { ...dataset, stops: firstStops(dice, dataset) };
}
