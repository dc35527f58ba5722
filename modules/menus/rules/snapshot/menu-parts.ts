import { moneyText } from '../../../../kernel/pure/money.ts';
import type { Menu } from '../../schemas/menu.ts';

/** Menu parts (SNP-1), with prices in kopecks until they are written. */
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

/** Publication adds revision and time. */
export type MenuContent = Pick<Menu, 'categories' | 'products' | 'modifierGroups'>;

export const MENU_PARTS = [
  'products',
  'texts',
  'images',
  'variants',
  'nutrition',
  'modifierGroups',
  'categories',
  'other',
] as const;

export type MenuPart = (typeof MENU_PARTS)[number];
/** Uncompressed. */
export type MenuParts = Record<MenuPart, number>;

/** Other fields belong to the part that contains them. */
const PART_OF_FIELD = new Map<string, MenuPart>([
  ['products', 'products'],
  ['subtitle', 'texts'],
  ['description', 'texts'],
  ['composition', 'texts'],
  ['images', 'images'],
  ['image', 'images'],
  ['variants', 'variants'],
  ['nutritionPer100g', 'nutrition'],
  ['modifierGroups', 'modifierGroups'],
  ['categories', 'categories'],
]);

/** Returns the bytes of each part; `menu` is the result of `parsePublished`. */
export function menuParts(menu: object): MenuParts {
  const parts = allParts({});
  const measure = (value: unknown, part: MenuPart, field?: string): void => {
    if (Array.isArray(value)) {
      parts[part] += punctuation(value.length);
      for (const entry of value) measure(entry, part);
    } else if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value);
      parts[part] += punctuation(fields.length);
      for (const [name, each] of fields) {
        const inner = PART_OF_FIELD.get(name) ?? part;
        parts[inner] += countBytes(JSON.stringify(name)) + ':'.length;
        measure(each, inner, name);
      }
    } else
      parts[part] += countBytes(
        field === 'price' ? moneyText(Number(value)) : JSON.stringify(value),
      );
  };

  measure(menu, 'other');

  return parts;
}

export function allParts(some: Readonly<Record<string, number>>): MenuParts {
  return Object.fromEntries(MENU_PARTS.map((part) => [part, some[part] ?? 0])) as MenuParts;
}

const punctuation = (members: number) => 2 + Math.max(0, members - 1);

const countBytes = (text: string) => Buffer.byteLength(text);
