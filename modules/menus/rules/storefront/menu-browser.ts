import type { CategoryNode, ProductCard as AnsweredCard } from '../../schemas/menu.ts';
import type { CardTexts, MenuCategory, MenuContent, MenuProduct } from '../snapshot/menu-parts.ts';

export type ProductCard = Omit<AnsweredCard, 'revision'>;

export type MenuBrowser = {
  categories: readonly CategoryNode[];
  /** Each product once, in menu order. */
  products: readonly MenuProduct[];
  product(id: number): MenuProduct | undefined;
  /** Includes products of subcategories; undefined for an unknown category. */
  ofCategory(id: number): readonly MenuProduct[] | undefined;
  card(slug: string): ProductCard | undefined;
  cardOf(id: number): ProductCard | undefined;
};

/** Provides parts of a menu for smaller responses without copying it (STO-4). */
export function browseMenu(
  menu: MenuContent,
  cardTexts: Readonly<Record<number, CardTexts>> = {},
): MenuBrowser {
  const byId = new Map(menu.products.map((product) => [product.id, product]));
  const bySlug = new Map(menu.products.map((product) => [product.slug, product]));
  const groups = new Map(menu.modifierGroups.map((group) => [group.id, group]));
  const children = Map.groupBy(menu.categories, (entry) => entry.parentId);
  const inOrder = (category: MenuCategory): number[] => [
    ...category.productIds,
    ...(children.get(category.id) ?? []).flatMap(inOrder),
  ];

  const existing = (ids: readonly number[]) =>
    [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  const toNode = (category: MenuCategory): CategoryNode => {
    const { productIds: _productIds, ...fields } = category;
    const productCount = new Set(inOrder(category)).size;
    return { ...fields, productCount, children: (children.get(category.id) ?? []).map(toNode) };
  };

  const cardOf = (product: MenuProduct | undefined): ProductCard | undefined => {
    if (product === undefined) return undefined;
    const variants = product.variants.map((variant) => ({
      ...variant,
      modifierGroups: variant.modifierGroupIds.flatMap((id) => groups.get(id) ?? []),
    }));

    return { ...product, ...cardTexts[product.id], variants };
  };

  const roots = children.get(null) ?? [];

  return {
    categories: roots.map(toNode),
    products: existing(roots.flatMap(inOrder)),
    product: (id) => byId.get(id),
    ofCategory(id) {
      const category = menu.categories.find((entry) => entry.id === id);
      return category === undefined ? undefined : existing(inOrder(category));
    },
    card: (slug) => cardOf(bySlug.get(slug)),
    cardOf: (id) => cardOf(byId.get(id)),
  };
}
