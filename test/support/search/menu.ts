import type {
  MenuCategory,
  MenuProduct,
} from '../../../modules/menus/rules/snapshot/menu-parts.ts';
import { CATALOGUE } from './catalog.ts';

/** Copies have other ids and numbered names. */
export function searchMenu(copies = 1): { products: MenuProduct[]; categories: MenuCategory[] } {
  const products: MenuProduct[] = [];
  const categories: MenuCategory[] = [];
  for (const [name, dishes] of Object.entries(CATALOGUE)) {
    const category: MenuCategory = {
      id: categories.length + 1,
      slug: `c${categories.length + 1}`,
      name,
      parentId: null,
      position: categories.length,
      image: null,
      productIds: [],
    };
    categories.push(category);
    for (let copy = 1; copy <= copies; copy += 1)
      for (const [dish, composition] of dishes) {
        const id = products.length + 1;
        category.productIds.push(id);
        products.push({
          id,
          slug: `p${id}`,
          name: copy === 1 ? dish : `${dish} ${copy}`,
          composition,
          categoryIds: [category.id],
          primaryCategoryId: category.id,
          badges: [],
          images: {
            main: { id: 1, url: '/media/a', srcset: '/media/a 1x' },
            hover: null,
            gallery: [],
          },
          variantAxis: null,
          variants: [],
          allergens: [],
        });
      }
  }
  return { products, categories };
}
