import type { MenuRows } from '../../test/support/menu-rows.ts';
import type { Database } from '../../test/support/text-database.ts';
import { asOwner } from '../../test/support/database-roles.ts';
import { updateRows } from '../../test/support/rows.ts';

export type Place = { organizationId: number; dishes: { sizeId: number; erpId: string }[] };

const DESCRIPTION = 'Готовим по рецепту шефа, подаём горячим';

/** Adds a restaurant with 1,000 published products in 40 categories, a fifth with modifiers. */
export async function thousandProducts(db: Database, rows: MenuRows): Promise<Place> {
  const place = await rows.restaurant();
  const { organizationId, menuId } = place;
  const prices = { [organizationId]: 25_000 };
  const categories = await Promise.all(Array.from({ length: 40 }, () => rows.category()));
  const sauces = await Promise.all(Array.from({ length: 60 }, () => rows.modifier(menuId, prices)));
  const dishes: Place['dishes'] = [];

  for (let at = 0; at < 1_000; at += 1) {
    const dish = await rows.dish({
      menuId,
      categoryId: categories[at % categories.length] ?? place.categoryId,
      prices,
    });

    dishes.push(dish);
    if (at % 5 !== 0) continue;
    const groupId = await rows.group(menuId, dish.sizeId);
    for (let choice = 0; choice < 4; choice += 1)
      await rows.link(groupId, sauces[(at + choice) % 60]!.itemId);
  }

  await updateRows(db, 'catalog_product', { description: DESCRIPTION });
  await asOwner(db, 'analyze');

  return { organizationId, dishes };
}
