import { moneyText } from '../../../../kernel/pure/money.ts';
import type { Menu } from '../../schemas/menu.ts';

/**
 * The public menu of one organization, as the storefront API answers it (rule SNP-1). Prices are
 * whole kopecks until they are written.
 */
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

/** The content of a menu, without the members that publishing adds (revision and time). */
export type MenuContent = Pick<Menu, 'categories' | 'products' | 'modifierGroups'>;

/** The parts of a menu by which its size is reported. */
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
/** Bytes of the uncompressed answer; their sum is its length. */
export type MenuParts = Record<MenuPart, number>;

/** Fields with which a part begins; everything else belongs to the part around it. */
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

/**
 * Returns the bytes of each part of a menu. `menu` is the whole answer as `parsePublished` reads
 * it: prices are kopecks.
 */
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
        parts[inner] += bytesOf(JSON.stringify(name)) + ':'.length;
        measure(each, inner, name);
      }
    } else parts[part] += bytesOf(field === 'price' ? moneyText(Number(value)) : JSON.stringify(value));
  };
  measure(menu, 'other');
  return parts;
}

/** Every part, with 0 for those that are not there. */
export function allParts(some: Readonly<Record<string, number>>): MenuParts {
  return Object.fromEntries(MENU_PARTS.map((part) => [part, some[part] ?? 0])) as MenuParts;
}

/** Two brackets, and commas between the members. */
const punctuation = (members: number) => 2 + Math.max(0, members - 1);

const bytesOf = (text: string) => Buffer.byteLength(text);
