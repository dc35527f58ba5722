import type { Menu } from '../../schemas/menu.ts';

/** The public menu of one organization, as the storefront API answers it (rule SNP-1). Prices are whole kopecks until they are written. */
export type {
  Allergen,
  CardTexts,
  MenuCategory,
  MenuModifier,
  MenuModifierGroup,
  MenuProduct,
  MenuVariant,
  NutritionPer100g,
} from '../../schemas/menu.ts';

/** What a menu shows, without what publishing adds (revision and time). */
export type MenuContent = Pick<Menu, 'categories' | 'products' | 'modifierGroups'>;
