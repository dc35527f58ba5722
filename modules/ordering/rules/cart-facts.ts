import type { CodeOf } from '../../../kernel/pure/codes.ts';
import type {
  CandidateGift,
  ChosenGifts,
  GiftChoice,
  Replacement,
} from '../../gifts/rules/choose-gifts.ts';
import type { ImageReference } from '../../media/rules/image-reference.ts';
import type { Balance } from '../../menus/rules/offers/stops.ts';
import type { WeeklyHours } from '../../mirror/rules/weekly-hours.ts';
import type { CompositionRule, ServedItem } from './composition.ts';
import type { DiscountFacts, DiscountReason, DiscountRule } from './discounts.ts';
import type {
  BrokenLimit,
  Chosen,
  OfferedGroup,
  PricedModifier,
  Unavailable,
} from './modifier-choice.ts';
import type { FreeLineUnits, ServiceOptions } from './service-items.ts';
import type { Totals } from './totals.ts';

/** `name` is the name that the guest saw last. */
export type NamedChoice = Chosen & { name: string };

/** Kopecks per unit. `seenPriceKopecks` is null until seen. */
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

/** The requested content, even if unavailable. */
export type CartContent = {
  lines: readonly CartLine[];
  promocode: string | null;
  options: ServiceOptions;
  giftChoices: readonly GiftChoice[];
};

export type OfferedVariant = Omit<ServedItem, 'quantity'> & {
  variantId: number;
  productId: number;
  itemId: string;
  /** Null for a dish without sizes. */
  erpSizeId: string | null;
  name: string;
  variantName: string | null;
  unavailable: Unavailable | null;
  priceKopecks: number;
  /** Null if sold at all hours. */
  hours: WeeklyHours | null;
  groups: readonly OfferedGroup[];
  /** Null for a dish. */
  role: string | null;
};

/** `codeWithout` is null if the promo code is needed. */
export type OfferedDiscount = DiscountRule & {
  code: string;
  name: string;
  isByPromocode: boolean;
  codeWithout: string | null;
};

/** Only free items are added. */
export type ServiceItem = { role: string; name: string; itemId: string; sizeErpId: string };

export type OfferedGift = CandidateGift<ImageReference> & { expiresAt: number | null };

/** Read in one transaction. */
export type CartFacts = Omit<DiscountFacts, 'subtotalKopecks'> & {
  /** The cart stays unchanged if false. */
  isServed: boolean;
  variants: ReadonlyMap<number, OfferedVariant>;
  balance: Balance;
  discounts: readonly OfferedDiscount[];
  serviceItems: readonly ServiceItem[];
  compositionRules: readonly CompositionRule[];
  deliveryFeeKopecks: number;
  /** Earliest promise first; empty for a guest. */
  gifts: readonly OfferedGift[];
  giftsPerOrder: number;
  /** Read only if a gift is stopped or its stock is insufficient. */
  giftReplacements: readonly Replacement<ImageReference>[];
};

export type CartChange = {
  lineId: string;
  variantId: number;
  itemId: string;
  name: string;
  action: CodeOf<'CartChangeAction'>;
  /** Set for a reduced line. */
  quantity?: { before: number; after: number };
  /** Per unit of the line. */
  removedModifiers: readonly { modifierId: string; name: string; quantity: number }[];
  reason: Unavailable;
};

export type ServerChange =
  | CartChange
  | { action: 'PROMOCODE_REMOVED'; promocode: string; reason: DiscountReason }
  | { action: 'SERVICE_ITEMS_CHANGED' };

/** True for a change of content added by the guest. */
export const isOfContent = <T extends ServerChange>(change: T): change is T & CartChange =>
  'lineId' in change;

export type EvaluatedLine = CartLine & {
  pricedModifiers: readonly PricedModifier[];
  lineTotalKopecks: number;
  priceChanged: boolean;
  available: boolean;
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

export type EvaluatedCart = Totals & {
  lines: readonly EvaluatedLine[];
  changes: readonly CartChange[];
  discounts: readonly EvaluatedDiscount[];
  serviceItems: readonly EvaluatedService[];
  /** Contains the role of the free item. */
  freeLineUnits: readonly FreeLineUnits[];
  gifts: ChosenGifts<OfferedGift, ImageReference>;
  persons: number;
};
