import type { Group, Link, Modifier, Wire } from '../model.ts';
import type { Dice } from './dice.ts';
import { nutrition, pricesFor } from './facts.ts';
import type { MenuPlan } from './facts.ts';
import { GROUP_TEMPLATES, MODIFIER_FAMILIES } from './modifiers.ts';
import type { GroupKey, GroupTemplate, ModifierFamily } from './modifiers.ts';

const LINK_OVERRIDES: Wire = { image: null, weight: null, measureUnitType: null };

export function buildModifiers(
  dice: Dice,
  plan: MenuPlan,
  families: ReadonlySet<ModifierFamily>,
): Map<ModifierFamily, Modifier[]> {
  const all = Object.entries(MODIFIER_FAMILIES) as [
    ModifierFamily,
    readonly (readonly [string, number])[],
  ][];

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
  return {
    minQuantity: minimum,
    maxQuantity: maximum,
    freeQuantity: free,
    defaultQuantity: byDefault,
  };
}

export function buildGroup(
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
      const limits =
        own === undefined ? restrictions(0, 0, 0, first) : restrictions(0, own, 0, first);

      return {
        modifier,
        isHidden: null,
        wire: { name: null, description: null, restrictions: limits, ...LINK_OVERRIDES },
      };
    }),
  };
}
