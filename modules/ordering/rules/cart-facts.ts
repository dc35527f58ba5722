import type { CodeOf } from '../../../kernel/pure/codes.ts';
import type { CandidateGift, ChosenGifts, GiftChoice, Replacement } from '../../gifts/rules/choose-gifts.ts';
import type { ImageReference } from '../../media/rules/image-reference.ts';
import type { Balance } from '../../menus/rules/offers/stops.ts';
import type { WeeklyHours } from '../../mirror/rules/weekly-hours.ts';
import type { CompositionRule, ServedItem } from './composition.ts';
import type { DiscountFacts, DiscountReason, DiscountRule } from './discounts.ts';
import type { BrokenLimit, Chosen, OfferedGroup, PricedModifier, Unavailable } from './modifier-choice.ts';
import type { FreeLineUnits, ServiceOptions } from './service-items.ts';
import type { Totals } from './totals.ts';

/** A chosen modifier with the name under which the guest last saw it. */
export type NamedChoice = Chosen & { name: string };

/**
 * A line as stored in the cart. Prices are kopecks of one unit: the last one, and the one that the
 * guest has seen, null if none was shown yet.
 */
export type CartLine = {
  lineId: string;
  variantId: number;
  productId: number;
  itemId: string;
  name: string;
  variantName: string | null;
  quantity: number;
  modifiers: readonly NamedChoice[];
  comment: string | null;
  unitPriceKopecks: number;
  seenPriceKopecks: number | null;
};

/** The desired content of a cart, available or not. */
export type CartContent = {
  lines: readonly CartLine[];
  promocode: string | null;
  options: ServiceOptions;
  giftChoices: readonly GiftChoice[];
};

/** A variant as the organization offers it now. */
export type OfferedVariant = Omit<ServedItem, 'quantity'> & {
  variantId: number;
  productId: number;
  /** Id of the ERP's item. */
  itemId: string;
  /** Id of the ERP's size; null for a dish without sizes. */
  erpSizeId: string | null;
  name: string;
  variantName: string | null;
  unavailable: Unavailable | null;
  priceKopecks: number;
  /** Times for which it can be ordered; null for all hours. */
  hours: WeeklyHours | null;
  groups: readonly OfferedGroup[];
  /** Role of a service item that staff gave to it; null for a dish. */
  role: string | null;
};

/**
 * A discount with its code for the guest: its own, or its promo code. `codeWithout` is its code
 * without the promocode; null when it needs one.
 */
export type OfferedDiscount = DiscountRule & {
  code: string;
  name: string;
  isByPromocode: boolean;
  codeWithout: string | null;
};

/** An item that the server may add by its role. Only free ones are added. */
export type ServiceItem = { role: string; name: string; itemId: string; sizeErpId: string };

/** A gift that the client of the cart could have. */
export type OfferedGift = CandidateGift<ImageReference> & { expiresAt: number | null };

/** Everything that a cart is judged by, read in one state of the database. */
export type CartFacts = Omit<DiscountFacts, 'subtotalKopecks'> & {
  /**
   * False while the organization is not served: nothing can be judged, so everything stays as it
   * is.
   */
  isServed: boolean;
  variants: ReadonlyMap<number, OfferedVariant>;
  /** The balance of each item in the stop-list that counts for the cart. */
  balance: Balance;
  discounts: readonly OfferedDiscount[];
  serviceItems: readonly ServiceItem[];
  compositionRules: readonly CompositionRule[];
  deliveryFeeKopecks: number;
  /** Of the client of the cart, the earliest promise first; none in the cart of a guest. */
  gifts: readonly OfferedGift[];
  giftsPerOrder: number;
  /** Possible replacements of a gift; read when one of them is stopped. */
  giftReplacements: readonly Replacement<ImageReference>[];
};

/** A removal from the cart because of availability. */
export type CartChange = {
  lineId: string;
  variantId: number;
  itemId: string;
  name: string;
  action: CodeOf<'CartChangeAction'>;
  /** Units of the line before and after, when they were reduced. */
  quantity?: { before: number; after: number };
  /** Units for one of the line. */
  removedModifiers: readonly { modifierId: string; name: string; quantity: number }[];
  reason: Unavailable;
};

/**
 * A change that the server makes to a cart: unavailable content, a promo code with unmet
 * conditions, service items.
 */
export type ServerChange =
  | CartChange
  | { action: 'PROMOCODE_REMOVED'; promocode: string; reason: DiscountReason }
  | { action: 'SERVICE_ITEMS_CHANGED' };

/** True for a change of content that the guest has added. */
export const isOfContent = <T extends ServerChange>(change: T): change is T & CartChange => 'lineId' in change;

export type EvaluatedLine = CartLine & {
  pricedModifiers: readonly PricedModifier[];
  lineTotalKopecks: number;
  priceChanged: boolean;
  available: boolean;
  /** Limits of modifier groups that the line violates after a change of the limits or a removal. */
  brokenLimits: readonly BrokenLimit[];
};

export type EvaluatedDiscount = {
  code: string;
  name: string;
  isByPromocode: boolean;
  discountId: number | null;
  amountKopecks: number;
  reason: DiscountReason | null;
};

export type EvaluatedService = ServiceItem & { quantity: number; isHidden: boolean };

/** A cart as it can be sold now, with all its sums. */
export type EvaluatedCart = Totals & {
  lines: readonly EvaluatedLine[];
  changes: readonly CartChange[];
  discounts: readonly EvaluatedDiscount[];
  serviceItems: readonly EvaluatedService[];
  /** Units of lines that cost nothing, each with the role of the free item. */
  freeLineUnits: readonly FreeLineUnits[];
  gifts: ChosenGifts<OfferedGift, ImageReference>;
  persons: number;
};
