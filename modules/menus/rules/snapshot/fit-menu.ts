import type { MenuContent, MenuProduct, MenuVariant } from './menu-parts.ts';

/**
 * Fields that a menu above the limit omits, in this order, because other responses contain them
 * (SNP-12). `imageDetails`: sizes and AVIF.
 */
export const DISPENSABLE = [
  'imageDetails',
  'nutritionPer100g',
  'composition',
  'description',
] as const;

export type Dispensable = (typeof DISPENSABLE)[number];

type ProductParts = Partial<Pick<MenuProduct, 'composition' | 'description' | 'images'>>;
const IMAGE_DETAILS = ['width', 'height', 'avif'] as const;

export type LeftOut = {
  fields: readonly Dispensable[];
  products: Readonly<Record<number, ProductParts>>;
  variants: Readonly<Record<number, Pick<MenuVariant, 'nutritionPer100g'>>>;
};

/** Reduces a menu to `limit` bytes; returns the smallest one if all are larger. */
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

function leaveOut(
  content: MenuContent,
  fields: readonly Dispensable[],
): { content: MenuContent; leftOut: LeftOut } {
  const products: Record<number, ProductParts> = {};
  const variants: Record<number, Pick<MenuVariant, 'nutritionPer100g'>> = {};
  const less = content.products.map((product) => {
    const images = withoutDetails(product.images);
    const parts = {
      ...pick(product, fields),
      ...(hasDetails(product.images) ? { images: product.images } : {}),
    };
    if (Object.keys(parts).length > 0) products[product.id] = parts;

    for (const variant of product.variants) {
      const nutrition = pick(variant, fields);
      if (Object.keys(nutrition).length > 0) variants[variant.id] = nutrition;
    }

    return {
      ...drop(product, fields),
      images,
      variants: product.variants.map((variant) => drop(variant, fields)),
    };
  });

  return { content: { ...content, products: less }, leftOut: { fields, products, variants } };
}

/** Removes image details, which are omitted first. */
function withoutDetails({ main, hover, gallery }: MenuProduct['images']): MenuProduct['images'] {
  return {
    main: drop(main, IMAGE_DETAILS),
    hover: hover === null ? null : drop(hover, IMAGE_DETAILS),
    gallery: gallery.map((image) => drop(image, IMAGE_DETAILS)),
  };
}

function hasDetails({ main, hover, gallery }: MenuProduct['images']): boolean {
  return [main, hover, ...gallery].some((image) =>
    IMAGE_DETAILS.some((field) => image?.[field] !== undefined),
  );
}

export function putBack(menu: MenuContent, leftOut: LeftOut | null): MenuContent {
  if (leftOut === null) return menu;
  return {
    ...menu,
    products: menu.products.map((product) => ({
      ...product,
      ...leftOut.products[product.id],
      variants: product.variants.map((variant) => ({
        ...variant,
        ...leftOut.variants[variant.id],
      })),
    })),
  };
}

function pick<T extends object>(from: T, fields: readonly string[]): Partial<T> {
  return Object.fromEntries(
    Object.entries(from).filter(([field]) => fields.includes(field)),
  ) as Partial<T>;
}

function drop<T extends object>(from: T, fields: readonly string[]): T {
  return Object.fromEntries(Object.entries(from).filter(([field]) => !fields.includes(field))) as T;
}
