import { createHash } from 'node:crypto';
import type {
  Category,
  Dish,
  DishSize,
  Group,
  Link,
  Menu,
  Modifier,
  Organization,
  Placement,
  Prices,
  Wire,
} from '../model.ts';
import { ALLERGENS, CATALOG, SCALES } from './catalog.ts';
import type { CategoryPlan } from './catalog.ts';
import type { Dice } from './dice.ts';
import { DRINK_WORDS, FOOD_WORDS } from './names.ts';
import { GROUP_TEMPLATES, MODIFIER_FAMILIES } from './modifiers.ts';
import type { GroupKey, GroupTemplate, ModifierFamily } from './modifiers.ts';

export type MenuPlan = {
  readonly id: string;
  readonly name: string;
  /** Menus of one kitchen share the ids of their dishes and modifiers. */
  readonly kitchen: string;
  readonly categories: readonly CategoryPlan[];
  readonly organizations: readonly Organization[];
  readonly boundTo: readonly Organization[];
  readonly priceFactor: number;
  readonly revision: number;
};

/** Undeclared on purpose: the real system sends fields before its contract names them. */
const UNDECLARED: Wire = { overrideTaxCategories: null, menuGeneration: 'hybrid' };

const round = (value: number): number => (value < 100 ? Math.round(value) : Math.round(value / 10) * 10 - 1);
const tenth = (value: number): number => Math.round(value * 10) / 10;

function pricesFor(dice: Dice, key: string, base: number, organizations: readonly Organization[]): Prices {
  const whole = Number.isInteger(base);
  return new Map(
    organizations.map(({ id, number, priceLevel }) => {
      const local = dice.unit(`${key}/local/${number}`) < 0.03 ? 10 : 0;
      return [id, base === 0 || !whole ? base : round(base * priceLevel) + local];
    }),
  );
}

/** Returns an image object whose address and hash follow from the key. */
export function image(key: string): Wire {
  const hash = createHash('sha1').update(key).digest('hex');
  return { url: `https://images.erp.example/${hash}.jpg`, hash, updatedAt: '2026-03-14 09:26:53.589' };
}

function nutrition(dice: Dice, key: string, liquid: boolean): Wire {
  const [fats, proteins, carbs] = liquid
    ? [dice.int(`${key}/f`, 0, 30) / 10, dice.int(`${key}/p`, 0, 25) / 10, dice.int(`${key}/c`, 5, 140) / 10]
    : [dice.int(`${key}/f`, 20, 180) / 10, dice.int(`${key}/p`, 30, 210) / 10, dice.int(`${key}/c`, 40, 380) / 10];
  const energy = Math.round(fats * 9 + proteins * 4 + carbs * 4);
  return {
    fats,
    proteins,
    carbs,
    energy,
    saturatedFattyAcid: tenth(fats * 0.4),
    salt: null,
    sugar: tenth(carbs * 0.2),
  };
}

function buildModifiers(
  dice: Dice,
  plan: MenuPlan,
  families: ReadonlySet<ModifierFamily>,
): Map<ModifierFamily, Modifier[]> {
  const all = Object.entries(MODIFIER_FAMILIES) as [ModifierFamily, readonly (readonly [string, number])[]][];
  const offset = plan.kitchen === 'main' ? 90_000 : 95_000;
  const built = all.map(([family, entries], familyIndex): [ModifierFamily, Modifier[]] => [
    family,
    entries.map(([name, base], index) => {
      const key = `modifier/${plan.kitchen}/${family}/${index}`;
      return {
        id: dice.uuid(key),
        sku: String(offset + familyIndex * 30 + index),
        name,
        isHidden: false,
        prices: pricesFor(dice, `${key}/${plan.id}`, base, plan.organizations),
        wire: {
          description: null,
          weight: base === 0 ? null : dice.int(`${key}/weight`, 10, 60),
          measureUnitType: base === 0 ? null : 'GRAM',
          restrictions: {
            minQuantity: 0,
            maxQuantity: 1,
            freeQuantity: 0,
            defaultQuantity: 0,
            hideIfDefaultQuantity: false,
          },
          nutritions: base === 0 ? null : nutrition(dice, key, false),
          image: null,
          buttonImageUrl: null,
          taxCategoryId: null,
          productCategoryId: dice.uuid(`product-category/${plan.kitchen}/modifiers`),
          independentQuantity: false,
          isMarked: false,
          labels: [],
          tags: [],
          allergenGroupIds: [],
        },
      };
    }),
  ]);
  return new Map(built.filter(([family]) => families.has(family)));
}

function restrictions(minimum: number, maximum: number, free: number, byDefault: number): Wire {
  return { minQuantity: minimum, maxQuantity: maximum, freeQuantity: free, defaultQuantity: byDefault };
}

function buildGroup(
  dice: Dice,
  plan: MenuPlan,
  key: GroupKey,
  modifiers: ReadonlyMap<ModifierFamily, Modifier[]>,
): Group {
  const template: GroupTemplate = GROUP_TEMPLATES[key];
  const family = modifiers.get(template.family) ?? [];
  const chosen = family.slice(...(template.slice ?? [0, family.length]));
  const own = template.linkMaximum;
  const [minimum, maximum, free, byDefault] = template.limits;
  return {
    id: template.idKey === undefined ? null : dice.uuid(`group/${plan.kitchen}/${template.idKey}`),
    name: template.name,
    sku: `G-${template.idKey ?? template.family}`,
    isHidden: false,
    wire: {
      splittable: false,
      childModifiersHaveMinMaxRestrictions: own !== undefined,
      restrictions: restrictions(minimum, maximum, free, byDefault),
    },
    links: chosen.map((modifier, index): Link => {
      const first = index === 0 && byDefault > 0 ? 1 : 0;
      const limits = own === undefined ? restrictions(0, 0, 0, first) : restrictions(0, own, 0, first);
      return {
        modifier,
        isHidden: null,
        wire: { name: null, description: null, restrictions: limits, ...LINK_OVERRIDES },
      };
    }),
  };
}

const LINK_OVERRIDES: Wire = { image: null, weight: null, measureUnitType: null };

function buildSizes(dice: Dice, plan: MenuPlan, category: CategoryPlan, key: string, sku: string): DishSize[] {
  const steps = SCALES[category.scale];
  const scale = steps.length === 0 ? ([[null, null, 1]] as const) : steps;
  const base = dice.int(`${key}/price`, ...category.price) * plan.priceFactor;
  const weight = dice.int(`${key}/weight`, ...category.weight);
  const facts = nutrition(dice, key, category.liquid === true);
  return scale.map(([name, code, factor], index) => ({
    sizeId: name === null ? null : dice.uuid(`size/${category.scale}/${name}`),
    name,
    sku: code === null ? sku : `${sku}-${code}`,
    isDefault: index === Math.min(1, scale.length - 1),
    isHidden: false,
    prices: pricesFor(dice, `${plan.id}/${key}/${index}`, round(base * factor), plan.organizations),
    wire: {
      sizeCode: code,
      weight: Math.round(weight * factor),
      measureUnitType: category.liquid === true ? 'MILLILITER' : 'GRAM',
      nutritions: facts,
      taxCategoryId: null,
      buttonImageUrl: null,
    },
  }));
}

function sentence(words: readonly string[]): string {
  const text = words.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function describe(dice: Dice, key: string, category: CategoryPlan): string {
  const composition = sentence(dice.some(`${key}/composition`, category.composition, dice.int(`${key}/count`, 3, 6)));
  const words = category.liquid === true ? DRINK_WORDS : FOOD_WORDS;
  const [word] = dice.unit(`${key}/words`) < 0.4 ? dice.some(`${key}/word`, words, 1) : [];
  return word === undefined ? composition : `${composition} ${word}`;
}

function buildDish(dice: Dice, plan: MenuPlan, category: CategoryPlan, index: number, groups: Group[]): Dish {
  const key = `dish/${plan.kitchen}/${category.key}/${index}`;
  const planIndex = CATALOG.findIndex((entry) => entry.key === category.key);
  const sku = String((plan.kitchen === 'main' ? 0 : 40_000) + (planIndex + 1) * 100 + index).padStart(5, '0');
  const chance = dice.unit(`${key}/look`);
  return {
    id: dice.uuid(key),
    sku,
    name: category.dishes[index] ?? key,
    description: describe(dice, key, category),
    sizes: buildSizes(dice, plan, category, key, sku),
    groups,
    product: {
      type: category.type ?? 'DISH',
      orderItemType: 'Product',
      modifierSchemaId: null,
      modifierSchemaName: null,
      splittable: false,
      canSetOpenPrice: false,
      useBalanceForSell: false,
      isMarked: false,
      measureUnit: category.liquid === true ? 'л' : 'порц',
      productCategoryId: dice.uuid(`product-category/${plan.kitchen}/${category.key}`),
      taxCategoryId: dice.uuid('tax/20'),
      customerTagGroups: [],
      paymentSubjectCode: '1',
      outerEanCode: null,
      barcodes: [],
    },
    item: {
      labels: chance < 0.08 ? ['new'] : chance > 0.9 ? ['hit'] : [],
      tags: [],
      allergenGroupIds: category.allergens.map((code) => dice.uuid(`allergen/${code}`)),
    },
  };
}

function buildCategory(
  dice: Dice,
  plan: MenuPlan,
  category: CategoryPlan,
  groupsOf: (set: readonly GroupKey[]) => Group[],
): Category {
  const placements = category.dishes.map((_, index): Placement => {
    const key = `${plan.id}/${category.key}/${index}`;
    const set = category.groups[index % category.groups.length] ?? [];
    const dish = buildDish(dice, plan, category, index, groupsOf(set));
    return { key, dish, isHidden: false, picture: key, wire: { itemType: index % 2 === 0 ? 'PRODUCT' : null } };
  });
  return {
    id: dice.uuid(`category/${plan.id}/${category.key}`),
    name: category.name,
    isHidden: category.key === 'staff',
    placements,
    wire: {
      description: null,
      labels: [],
      tags: [],
      image: null,
      buttonImageUrl: null,
      scheduleId: category.breakfast === true ? dice.uuid('schedule/breakfast') : null,
    },
  };
}

function dictionaries(dice: Dice, plan: MenuPlan): Wire {
  const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const keys = [
    ...plan.categories.map(({ key, name }) => [key, name] as const),
    ['modifiers', 'Модификаторы'] as const,
  ];
  const gone = { id: dice.uuid('product-category/gone'), name: 'Архив', isDeleted: true };
  const live = keys.map(([key, name]) => ({
    id: dice.uuid(`product-category/${plan.kitchen}/${key}`),
    name,
    isDeleted: false,
  }));
  return {
    productCategories: [...live, gone],
    taxCategories: [{ id: dice.uuid('tax/20'), name: 'НДС 20%', percentage: 20, isDeleted: false }],
    allergenGroups: ALLERGENS.map(([code, name]) => ({
      id: dice.uuid(`allergen/${code}`),
      name,
      code,
      isDeleted: false,
    })),
    customerTagGroups: [
      {
        id: dice.uuid('tags/diet'),
        name: 'Диета',
        selectSeveralTags: true,
        items: ['Вегетарианское', 'Острое', 'Халяль'].map((name) => ({ id: dice.uuid(`tags/diet/${name}`), name })),
      },
    ],
    schedules: [
      {
        id: dice.uuid('schedule/breakfast'),
        name: 'Завтраки',
        periods: [{ from: '08:00:00', to: '12:00:00', weekDays: week }],
      },
    ],
  };
}

/** Returns one external menu in its plain form; the odd shapes are added by `addShapes`. */
export function buildMenu(dice: Dice, plan: MenuPlan): Menu {
  const used = new Set(plan.categories.flatMap(({ groups }) => groups.flat()));
  const families = new Set([...used].map((key): ModifierFamily => GROUP_TEMPLATES[key].family));
  const modifiers = buildModifiers(dice, plan, families);
  const groups = new Map([...used].map((key) => [key, buildGroup(dice, plan, key, modifiers)]));
  const groupsOf = (set: readonly GroupKey[]): Group[] => set.flatMap((key) => groups.get(key) ?? []);
  return {
    id: plan.id,
    name: plan.name,
    organizationIds: plan.boundTo.map(({ id }) => id),
    revision: plan.revision,
    version: 0,
    categories: plan.categories.map((category) => buildCategory(dice, plan, category, groupsOf)),
    modifiers: [...modifiers.values()].flat(),
    absent: new Set(),
    dictionaries: dictionaries(dice, plan),
    extra: UNDECLARED,
  };
}
