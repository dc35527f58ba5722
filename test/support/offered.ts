import type { DiscountRule } from '../../modules/ordering/rules/discounts.ts';
import type { OfferedVariant } from '../../modules/ordering/rules/cart-facts.ts';
import type {
  OfferedGroup,
  OfferedModifier,
} from '../../modules/ordering/rules/modifier-choice.ts';

/** A modifier for 1 ruble, limited only by its group. */
export const modifier = (
  modifierId: string,
  given: Partial<OfferedModifier> = {},
): OfferedModifier => ({
  modifierId,
  sizeErpId: '',
  name: `name of ${modifierId}`,
  priceKopecks: 100,
  unavailable: null,
  min: null,
  max: null,
  free: 0,
  default: 0,
  ...given,
});

export const group = (
  groupKey: string,
  modifiers: OfferedModifier[],
  given: Partial<OfferedGroup> = {},
): OfferedGroup => ({
  groupId: `id-of-${groupKey}`,
  groupKey,
  name: groupKey,
  min: 0,
  max: 5,
  free: 0,
  modifiers,
  ...given,
});

/** A dish for 10 rubles without modifiers. */
export const variant = (
  variantId: number,
  given: Partial<OfferedVariant> = {},
): OfferedVariant => ({
  variantId,
  productId: variantId + 100,
  itemId: `item ${variantId}`,
  erpSizeId: null,
  name: `dish ${variantId}`,
  variantName: 'large',
  unavailable: null,
  priceKopecks: 1_000,
  hours: null,
  groups: [],
  role: null,
  personCount: 0,
  personSplittingEnabled: false,
  toolCount: 0,
  sugarCount: 0,
  ...given,
});

/** A discount of 10 % for all guests at any time. */
export const discountRule = (id: number, given: Partial<DiscountRule> = {}): DiscountRule => ({
  id,
  kind: 'PERCENT',
  value: 10,
  minSubtotalKopecks: 0,
  startsAt: null,
  endsAt: null,
  weekdays: null,
  fromMinute: null,
  toMinute: null,
  organizationIds: null,
  fulfillmentTypes: null,
  firstOrderOnly: false,
  oncePerCustomer: false,
  totalUses: null,
  combinable: true,
  ...given,
});
