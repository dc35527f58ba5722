import type { Slot } from './availability.ts';
import type { WeeklyHours } from '../../../mirror/rules/weekly-hours.ts';
import type { OfferFact } from '../offers/facts.ts';
import { offerHours } from '../offers/hours.ts';
import type { VariantFact } from './facts.ts';
import type { MenuVariant, NutritionPer100g } from './menu-parts.ts';
import { by } from '../../../../kernel/pure/lists.ts';

export type BuiltVariant = { variant: MenuVariant; slot: Slot; fact: VariantFact };

/**
 * Excludes hidden variants and those without any price; after a price is lost, the variant stays
 * with `available: false`. `use` adds groups to the menu. Exactly one variant is the default.
 */
export function buildVariants(
  facts: readonly VariantFact[],
  offers: ReadonlyMap<number, OfferFact>,
  {
    groupsOf,
    placeOfHours,
    leaveOut,
  }: {
    groupsOf: (offer: OfferFact) => { required: readonly number[]; use: () => string[] };
    placeOfHours: (hours: WeeklyHours) => number;
    leaveOut: (slot: Slot) => boolean;
  },
): BuiltVariant[] {
  const built = facts
    .toSorted(
      by(
        (fact) => fact.position,
        (fact) => fact.id,
      ),
    )
    .flatMap((fact) => {
      const offer = offers.get(fact.itemSizeId);
      if (offer === undefined) return [];
      const isSellable = offer.isLive && fact.isRemoved !== true;
      const { required, use } = groupsOf(offer);
      const hours = offerHours(offer);
      const own = [fact.itemErpId, fact.sizeErpId, isSellable, fact.id] as const;
      const withGroups: Slot = required.length === 0 ? own : [...own, required];
      const slot: Slot = hours === null ? withGroups : [...own, required, placeOfHours(hours)];
      if (leaveOut(slot)) return [];

      return [
        { fact, slot, variant: toVariant(fact, offer, { available: isSellable, hours }, use()) },
      ];
    });

  const chosen = built.find(({ fact }) => fact.isDefault) ?? built[0];
  if (chosen !== undefined) chosen.variant.isDefault = true;

  return built;
}

function toVariant(
  fact: VariantFact,
  offer: OfferFact,
  { available, hours }: { available: boolean; hours: WeeklyHours | null },
  modifierGroupIds: string[],
): MenuVariant {
  const nutrition = toNutrition(fact.nutrition);
  return {
    id: fact.id,
    option: toOption(fact.option),
    erpItemId: fact.itemErpId,
    ...(fact.sku === null ? {} : { sku: fact.sku }),
    price: offer.priceKopecks,
    ...(fact.weightGrams === null ? {} : { weightGrams: fact.weightGrams }),
    ...(nutrition === undefined ? {} : { nutritionPer100g: nutrition }),
    available,
    ...(hours === null
      ? {}
      : { hours: hours.map(({ days, from, to }) => ({ days: [...days], from, to })) }),
    isDefault: false,
    modifierGroupIds,
  };
}

function toOption(option: VariantFact['option']): MenuVariant['option'] {
  if (option === null) return null;
  const { code, name, shortName } = option;
  return { code, name, ...(shortName === null ? {} : { shortName }) };
}

/** Omits partial nutrition, which could be read as zeros. */
function toNutrition(facts: VariantFact['nutrition']): NutritionPer100g | undefined {
  if (facts === null) return undefined;
  const { proteins, fats, carbs, energy } = facts;
  if (
    typeof proteins !== 'number' ||
    typeof fats !== 'number' ||
    typeof carbs !== 'number' ||
    typeof energy !== 'number'
  )
    return undefined;

  return { proteins, fats, carbs, energy };
}
