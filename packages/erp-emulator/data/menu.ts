import { createHash } from 'node:crypto';
import type { Category, Dish, DishSize, Group, Menu, Placement, Wire } from '../model.ts';
import { ALLERGENS, CATALOG } from './catalog.ts';
import type { CategoryPlan } from './catalog.ts';
import type { Dice } from './dice.ts';
import { DRINK_WORDS, FOOD_WORDS } from './names.ts';
import { nutrition, pricesFor, round } from './facts.ts';
import type { MenuPlan } from './facts.ts';
import { buildGroup, buildModifiers } from './modifier-groups.ts';
import { GROUP_TEMPLATES } from './modifiers.ts';
import type { GroupKey, ModifierFamily } from './modifiers.ts';
import { SCALES } from './scales.ts';

/** Fields that the contract does not declare. The real system sends such fields. */
const UNDECLARED: Wire = { overrideTaxCategories: null, menuGeneration: 'hybrid' };

export function image(key: string): Wire {
  const hash = createHash('sha1').update(key).digest('hex');
  return {
    url: `https://images.erp.example/${hash}.jpg`,
    hash,
    updatedAt: '2026-03-14 09:26:53.589',
  };
}

function buildSizes(
  dice: Dice,
  plan: MenuPlan,
  category: CategoryPlan,
  key: string,
  sku: string,
): DishSize[] {
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
  const composition = sentence(
    dice.some(`${key}/composition`, category.composition, dice.int(`${key}/count`, 3, 6)),
  );
  const words = category.liquid === true ? DRINK_WORDS : FOOD_WORDS;
  const [word] = dice.unit(`${key}/words`) < 0.4 ? dice.some(`${key}/word`, words, 1) : [];

  return word === undefined ? composition : `${composition} ${word}`;
}

function buildDish(
  dice: Dice,
  plan: MenuPlan,
  category: CategoryPlan,
  index: number,
  groups: Group[],
): Dish {
  const key = `dish/${plan.kitchen}/${category.key}/${index}`;
  const [original, copy = 0] = category.key.split('~');
  const planIndex = CATALOG.findIndex((entry) => entry.key === original);
  const block = (plan.kitchen === 'main' ? 0 : 40_000) + Number(copy) * 100_000;
  const sku = String(block + (planIndex + 1) * 100 + index).padStart(5, '0');
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

export function buildCategory(
  dice: Dice,
  plan: MenuPlan,
  category: CategoryPlan,
  groupsOf: (set: readonly GroupKey[]) => Group[],
): Category {
  const placements = category.dishes.map((_, index): Placement => {
    const key = `${plan.id}/${category.key}/${index}`;
    const set = category.groups[index % category.groups.length] ?? [];
    const dish = buildDish(dice, plan, category, index, groupsOf(set));

    return {
      key,
      dish,
      isHidden: false,
      picture: key,
      wire: { itemType: index % 2 === 0 ? 'PRODUCT' : null },
    };
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
        items: ['Вегетарианское', 'Острое', 'Халяль'].map((name) => ({
          id: dice.uuid(`tags/diet/${name}`),
          name,
        })),
      },
    ],
    // All day, so that data do not depend on the time; `schedule-category` sets other hours.
    schedules: [
      {
        id: dice.uuid('schedule/breakfast'),
        name: 'Завтраки весь день',
        periods: [{ from: '00:00:00', to: '00:00:00', weekDays: week }],
      },
    ],
  };
}

/** Builds a menu. `addShapes` adds its oddities. */
export function buildMenu(dice: Dice, plan: MenuPlan): Menu {
  const used = new Set(plan.categories.flatMap(({ groups }) => groups.flat()));
  const families = new Set([...used].map((key): ModifierFamily => GROUP_TEMPLATES[key].family));
  const modifiers = buildModifiers(dice, plan, families);
  const groups = new Map([...used].map((key) => [key, buildGroup(dice, plan, key, modifiers)]));
  const listGroups = (set: readonly GroupKey[]): Group[] =>
    set.flatMap((key) => groups.get(key) ?? []);

  return {
    id: plan.id,
    name: plan.name,
    organizationIds: plan.boundTo.map(({ id }) => id),
    revision: plan.revision,
    version: 0,
    categories: plan.categories.map((category) => buildCategory(dice, plan, category, listGroups)),
    modifiers: [...modifiers.values()].flat(),
    absent: new Set(),
    dictionaries: dictionaries(dice, plan),
    extra: UNDECLARED,
  };
}
