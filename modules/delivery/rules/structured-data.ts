import type { ImageReference } from '../../media/rules/image-reference.ts';
import { moneyText } from '../../../kernel/pure/money.ts';
import type {
  MenuCategory,
  MenuContent,
  MenuProduct,
  MenuVariant,
  NutritionPer100g,
} from '../../menus/rules/snapshot/menu-parts.ts';
import { restaurantHours, type DayWindow, type Schedule } from './schedule.ts';

export type RestaurantFacts = {
  id: string;
  name: string;
  city: string | null;
  address: string | null;
  coordinates: { latitude: number; longitude: number } | null;
  schedule: Schedule;
  /** Local date (`YYYY-MM-DD`); exceptions before it are omitted. */
  today: string;
};

/** JSON-LD. */
type Node = { '@type': string } & Record<string, unknown>;
/** Returns null if the URL cannot be absolute. */
export type AbsoluteUrl = (url: string) => string | null;

const CONTEXT = { '@context': 'https://schema.org' } as const;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MIDNIGHT = '00:00';

/** Returns a restaurant with hours, exceptions and menu (STO-13). */
export function restaurantData(
  facts: RestaurantFacts,
  menu: MenuContent,
  absolute: AbsoluteUrl,
): object {
  return { ...CONTEXT, ...present(restaurantNode(facts)), hasMenu: menuNode(menu, absolute) };
}

/** Returns a product with its offers; the restaurant is the seller (STO-13). */
export function productData(
  facts: RestaurantFacts,
  product: MenuProduct,
  absolute: AbsoluteUrl,
): object {
  const { '@type': type, '@id': id, name } = restaurantNode(facts);
  const seller = { '@type': type, '@id': id, name };
  const node = itemNode(product, absolute);
  const offers = product.variants.map((variant) => ({ ...offerNode(variant), seller }));
  return { ...CONTEXT, ...node, '@type': 'Product', offers };
}

function restaurantNode({
  id,
  name,
  city,
  address,
  coordinates,
  schedule,
  today,
}: RestaurantFacts): Node {
  const hours = restaurantHours(schedule, today);
  const place = present({
    '@type': 'PostalAddress',
    streetAddress: address,
    addressLocality: city,
  });

  return {
    '@type': 'Restaurant',
    '@id': `urn:uuid:${id}`,
    name,
    address: address === null && city === null ? null : place,
    geo: coordinates === null ? null : { '@type': 'GeoCoordinates', ...coordinates },
    currenciesAccepted: 'RUB',
    openingHoursSpecification: hours.regular.map(({ dayOfWeek, ...window }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: `https://schema.org/${WEEKDAYS[dayOfWeek - 1]}`,
      ...wallClocks(window),
    })),
    specialOpeningHoursSpecification: hours.special.flatMap(({ date, windows }) =>
      (windows.length === 0 ? [CLOSED] : windows.map(wallClocks)).map((times) => ({
        '@type': 'OpeningHoursSpecification',
        validFrom: date,
        validThrough: date,
        ...times,
      })),
    ),
  };
}

/** For search engines, 00:00–00:00 means closed, and 00:00–23:59 means around the clock. */
const CLOSED = { opens: MIDNIGHT, closes: MIDNIGHT };

function wallClocks({ opensAt, closesAt }: DayWindow): typeof CLOSED {
  return {
    opens: opensAt,
    closes: opensAt === MIDNIGHT && closesAt === MIDNIGHT ? '23:59' : closesAt,
  };
}

function menuNode({ categories, products }: MenuContent, absolute: AbsoluteUrl): Node {
  const children = Map.groupBy(categories, ({ parentId }) => parentId);
  const primary = new Map(products.map((product) => [product.id, product]));
  const toSection = ({ id, name, seoDescription, productIds }: MenuCategory): Node =>
    present({
      '@type': 'MenuSection',
      name,
      description: seoDescription,
      hasMenuSection: sectionsBelow(id),
      hasMenuItem: productIds.flatMap((productId) => {
        const product = primary.get(productId);
        return product?.primaryCategoryId === id ? [itemNode(product, absolute)] : [];
      }),
    });

  const sectionsBelow = (id: number | null) => (children.get(id) ?? []).map(toSection);

  return present({ '@type': 'Menu', hasMenuSection: sectionsBelow(null) });
}

function itemNode(product: MenuProduct, absolute: AbsoluteUrl): Node {
  const { slug, name, subtitle, description, composition, images, variants } = product;
  const shown = variants.find(({ isDefault }) => isDefault) ?? variants[0];

  return present({
    '@type': 'MenuItem',
    identifier: slug,
    name,
    description: description ?? subtitle ?? composition,
    image: imageUrl(images.main, absolute),
    nutrition: shown?.nutritionPer100g === undefined ? null : nutritionNode(shown.nutritionPer100g),
    offers: variants.map(offerNode),
  });
}

const imageUrl = ({ url }: ImageReference, absolute: AbsoluteUrl) => absolute(url);

function offerNode({ option, sku, price, available }: MenuVariant): Node {
  return present({
    '@type': 'Offer',
    name: option?.name,
    sku,
    price: moneyText(price),
    priceCurrency: 'RUB',
    availability: `https://schema.org/${available ? 'InStock' : 'SoldOut'}`,
  });
}

function nutritionNode({ proteins, fats, carbs, energy }: NutritionPer100g): Node {
  return {
    '@type': 'NutritionInformation',
    servingSize: '100 g',
    calories: `${energy} kcal`,
    proteinContent: `${proteins} g`,
    fatContent: `${fats} g`,
    carbohydrateContent: `${carbs} g`,
  };
}

function present(node: Record<string, unknown> & { '@type': string }): Node {
  const says = (value: unknown) =>
    value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(node).filter(([, value]) => says(value))) as Node;
}
