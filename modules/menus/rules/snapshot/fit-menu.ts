import type { MenuContent, MenuProduct, MenuVariant } from './menu-parts.ts';

/**
 * Fields that a menu over the limit leaves out, in this order, until it fits (rule SNP-12): the
 * contract lets them be absent, and the other answers about a product still have them. What a list
 * of dishes shows least comes first.
 */
export const DISPENSABLE = ['nutritionPer100g', 'composition', 'description'] as const;
export type Dispensable = (typeof DISPENSABLE)[number];

type Texts = Pick<MenuProduct, 'composition' | 'description'>;

/** The omitted parts of a menu, by the ids of products and variants. */
export type LeftOut = {
  fields: readonly Dispensable[];
  products: Readonly<Record<number, Texts>>;
  variants: Readonly<Record<number, Pick<MenuVariant, 'nutritionPer100g'>>>;
};

/**
 * The menu with as much as `limit` bytes allow, as `write` has written it. When even the smallest
 * one is over the limit, that one: see `bytes`.
 */
export function fitMenu<Written extends { bytes: number }>(
  content: MenuContent,
  write: (content: MenuContent) => Written,
  limit: number,
): Written & { content: MenuContent; leftOut: LeftOut | null } {
  let fitted = { ...write(content), content, leftOut: null as LeftOut | null };
  for (let count = 1; fitted.bytes > limit && count <= DISPENSABLE.length; count += 1) {
    const less = leaveOut(content, DISPENSABLE.slice(0, count));
    fitted = { ...write(less.content), ...less };
  }
  return fitted;
}

function leaveOut(content: MenuContent, fields: readonly Dispensable[]): { content: MenuContent; leftOut: LeftOut } {
  const products: Record<number, Texts> = {};
  const variants: Record<number, Pick<MenuVariant, 'nutritionPer100g'>> = {};
  const less = content.products.map((product) => {
    const texts = pick(product, fields);
    if (Object.keys(texts).length > 0) products[product.id] = texts;
    for (const each of product.variants) {
      const nutrition = pick(each, fields);
      if (Object.keys(nutrition).length > 0) variants[each.id] = nutrition;
    }
    return { ...drop(product, fields), variants: product.variants.map((each) => drop(each, fields)) };
  });
  return { content: { ...content, products: less }, leftOut: { fields, products, variants } };
}

/**
 * The menu as it would be without a limit. Things that `leftOut` does not know stay as they are.
 */
export function putBack(menu: MenuContent, leftOut: LeftOut | null): MenuContent {
  if (leftOut === null) return menu;
  return {
    ...menu,
    products: menu.products.map((product) => ({
      ...product,
      ...leftOut.products[product.id],
      variants: product.variants.map((each) => ({ ...each, ...leftOut.variants[each.id] })),
    })),
  };
}

function pick<T extends object>(from: T, fields: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([field]) => fields.includes(field))) as Partial<T>;
}

function drop<T extends object>(from: T, fields: readonly string[]): T {
  return Object.fromEntries(Object.entries(from).filter(([field]) => !fields.includes(field))) as T;
}
