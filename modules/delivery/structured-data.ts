import { Problem } from '../../kernel/problem.ts';
import { localTime } from './rules/schedule.ts';
import {
  productData,
  restaurantData,
  type AbsoluteUrl,
  type RestaurantFacts,
} from './rules/structured-data.ts';
import { productOfSlug } from '../catalog/reserve-slug.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { MenuView } from '../menus/storefront/menu-views.ts';
import type { ServedClock } from './hours/served-clock.ts';

type Kept = { clock: ServedClock; today: string; restaurant: object };
const cache = new WeakMap<MenuView, Kept>();

/** Returns the data of a restaurant with its menu, cached by menu, schedule and day. */
export function restaurantStructuredData(
  view: MenuView,
  clock: ServedClock,
  { at, publicUrl }: { at: number; publicUrl: string | null },
): object {
  const facts = factsAt(clock, at);
  const cached = cache.get(view);
  if (cached?.clock === clock && cached.today === facts.today) return cached.restaurant;
  const restaurant = restaurantData(facts, view.content, absoluteUrl(publicUrl));
  cache.set(view, { clock, today: facts.today, restaurant });

  return restaurant;
}

/** Returns the data of a product. Also accepts a former slug. Problem `not-found`. */
export async function productStructuredData(
  db: Sql,
  view: MenuView,
  clock: ServedClock,
  { slug, at, publicUrl }: { slug: string; at: number; publicUrl: string | null },
): Promise<object> {
  const { browser } = view;
  const id = browser.card(slug)?.id ?? (await productOfSlug(db, slug)) ?? 0;
  const product = browser.product(id);
  if (product === undefined)
    throw new Problem('not-found', { detail: 'The menu has no such product.' });

  return productData(factsAt(clock, at), product, absoluteUrl(publicUrl));
}

function factsAt(clock: ServedClock, at: number): RestaurantFacts {
  const { organization, city } = clock.context(at);
  const today = localTime(at, organization.timeZone).toPlainDate().toString();
  return { ...organization, city: city.name, schedule: clock.hours, today };
}

/** Without a public URL, only external images have absolute URLs. */
const absoluteUrl =
  (publicUrl: string | null): AbsoluteUrl =>
  (url) =>
    URL.canParse(url) ? url : publicUrl === null ? null : new URL(url, publicUrl).href;
