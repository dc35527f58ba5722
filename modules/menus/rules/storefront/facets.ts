import type { Facet } from '../../schemas/menu.ts';
import { fieldError, type FieldError } from '../../../../kernel/pure/field-errors.ts';
import type { MenuContent, MenuProduct } from '../snapshot/menu-parts.ts';

export type FacetCatalog = {
  language: 'RU' | 'EN';
  badges: readonly Value[];
  /** Codes are slugs of top-level categories. */
  categories: readonly Value[];
  axes: readonly (Value & { options: readonly Value[] })[];
};

type Value = { code: string; name: string };
type FacetChoice = Value & { values: readonly Value[] };
/** Product ids by `facet:value`. */
export type FacetIndex = ReadonlyMap<string, ReadonlySet<number>>;

/** Edges in rubles, which belong to the upper band. */
const PRICE_EDGES = [300, 600, 1000] as const;
const NOW = 'now';

const WORDS = {
  RU: {
    category: 'Раздел',
    badge: 'Метки',
    price: 'Цена',
    availability: 'Наличие',
    now: 'Можно заказать сейчас',
    below: (edge: number) => `до ${edge} ₽`,
    between: (from: number, to: number) => `${from}–${to} ₽`,
    above: (edge: number) => `от ${edge} ₽`,
  },
  EN: {
    category: 'Section',
    badge: 'Marks',
    price: 'Price',
    availability: 'Availability',
    now: 'Can be ordered now',
    below: (edge: number) => `under ${edge} ₽`,
    between: (from: number, to: number) => `${from}–${to} ₽`,
    above: (edge: number) => `from ${edge} ₽`,
  },
} as const;

/**
 * Returns the facets of a catalog (STO-11). Other facets have lower-case codes, so axis codes never
 * conflict with them.
 */
export function facetChoices({ language, badges, categories, axes }: FacetCatalog): FacetChoice[] {
  const words = WORDS[language];
  const all: FacetChoice[] = [
    { code: 'category', name: words.category, values: categories },
    { code: 'badge', name: words.badge, values: badges },
    ...axes.map(({ code, name, options }) => ({ code, name, values: options })),
    { code: 'price', name: words.price, values: priceBands(words) },
    { code: 'availability', name: words.availability, values: [{ code: NOW, name: words.now }] },
  ];

  return all.filter(({ values }) => values.length > 0);
}

function priceBands(words: (typeof WORDS)[keyof typeof WORDS]): Value[] {
  const edges = [...PRICE_EDGES];
  return [0, ...edges].map((from, at) => {
    const to = edges[at];
    const name =
      to === undefined ? words.above(from) : from === 0 ? words.below(to) : words.between(from, to);
    return { code: bandCode(from, to), name };
  });
}

const bandCode = (from: number, to: number | undefined) => `${from}-${to ?? ''}`;

function toBand(kopecks: number): string {
  const at = PRICE_EDGES.filter((edge) => kopecks >= edge * 100).length;
  return bandCode(at === 0 ? 0 : PRICE_EDGES[at - 1]!, PRICE_EDGES[at]);
}

/** Uses the price of the cheapest variant. */
export function facetIndex(menu: Pick<MenuContent, 'products' | 'categories'>): FacetIndex {
  const categories = new Map(menu.categories.map((category) => [category.id, category]));
  const findRoot = (id: number): string[] => {
    const category = categories.get(id);
    if (category === undefined) return [];
    return category.parentId === null ? [category.slug] : findRoot(category.parentId);
  };

  const listKeys = ({ badges, categoryIds, variantAxis, variants }: MenuProduct): string[] => [
    ...categoryIds.flatMap(findRoot).map((slug) => buildKey('category', slug)),
    ...badges.map((code) => buildKey('badge', code)),
    ...variants.flatMap(({ option }) =>
      variantAxis === null || option === null ? [] : [buildKey(variantAxis.code, option.code)],
    ),
    buildKey('price', toBand(Math.min(...variants.map(({ price }) => price)))),
    ...(variants.some(({ available }) => available) ? [buildKey('availability', NOW)] : []),
  ];

  const index = new Map<string, Set<number>>();

  for (const product of menu.products)
    for (const key of listKeys(product)) {
      const existing = index.get(key) ?? new Set();
      index.set(key, existing.add(product.id));
    }

  return index;
}

const buildKey = (facet: string, value: string) => `${facet}:${value}`;

export function countFacets(
  catalog: FacetCatalog,
  index: FacetIndex,
  among: readonly MenuProduct[],
): Facet[] {
  const ids = new Set(among.map(({ id }) => id));
  return facetChoices(catalog).map(({ code, name, values }) => ({
    code,
    name,
    values: values.map((value) => ({
      code: value.code,
      name: value.name,
      count: index.get(buildKey(code, value.code))?.intersection(ids).size ?? 0,
    })),
  }));
}

/** Lists values by facet; one value of each facet must match. */
export type ChosenFacets = readonly (readonly string[])[];

/** Parses `code:value` filters: one value of each facet must match (STO-12). */
export function chooseFacets(
  catalog: FacetCatalog,
  facetKeys: readonly string[],
): { chosen: ChosenFacets; errors: FieldError[] } {
  const known = new Map(facetChoices(catalog).map((choice) => [choice.code, choice]));
  const errors = facetKeys.flatMap((key, at): FieldError[] => {
    const { facet, value } = splitKey(key);
    const field = `facet.${at}`;
    const values = known.get(facet)?.values;
    if (values === undefined) return [fieldError(field, 'not_found', 'No such facet.')];

    return values.some(({ code }) => code === value)
      ? []
      : [fieldError(field, 'not_found', 'The facet has no such value.')];
  });

  return {
    chosen: [...Map.groupBy(new Set(facetKeys), (key) => splitKey(key).facet).values()],
    errors,
  };
}

/** Only values may contain a colon. */
function splitKey(key: string): { facet: string; value: string } {
  const colon = key.indexOf(':');
  return { facet: key.slice(0, colon), value: key.slice(colon + 1) };
}

export function hasFacets(index: FacetIndex, chosen: ChosenFacets): (productId: number) => boolean {
  return (id) => chosen.every((values) => values.some((key) => index.get(key)?.has(id) ?? false));
}
