import {
  chooseGifts,
  type CandidateGift,
  type ChosenGifts,
  type GiftChoice,
  type Replacement,
} from '../../gifts/rules/choose-gifts.ts';
import type { ImageReference } from '../../media/rules/image-reference.ts';
import { by } from '../../../kernel/pure/order.ts';
import type { Balance } from '../../menus/rules/offers/stops.ts';
import type { CompositionRule, ServedItem } from './composition.ts';
import { judgeLines, type JudgedLine } from './judge-lines.ts';
import { judgeDiscounts, type DiscountFacts, type DiscountReason, type DiscountRule } from './discounts.ts';
import {
  priceChoice,
  type BrokenLimit,
  type Chosen,
  type OfferedGroup,
  type PricedModifier,
  type Unavailable,
} from './modifier-choice.ts';
import { planService, type ServiceOptions } from './service-items.ts';
import { unitTaker } from './take-units.ts';
import { totalsOf, type Totals } from './totals.ts';

/** A chosen modifier with the name under which the guest last saw it. */
export type NamedChoice = Chosen & { name: string };

/**
 * A line as the cart keeps it. Prices are kopecks of one unit: the last one, and the one that the guest has seen, null when nobody has
 * seen one yet.
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

/** What a cart wants, whatever of it can be sold. */
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
  groups: readonly OfferedGroup[];
  /** Role of a service item that staff gave to it; null for a dish. */
  role: string | null;
};

/**
 * A discount with the code under which the guest knows it: its own, or the promocode that leads to it. `codeWithout` is its code without
 * the promocode; null when it needs one.
 */
export type OfferedDiscount = DiscountRule & {
  code: string;
  name: string;
  isByPromocode: boolean;
  codeWithout: string | null;
};

/** An item that the server may add by its role. Only what costs nothing is added. */
export type ServiceItem = { role: string; name: string; itemId: string; sizeErpId: string };

/** A gift that the client of the cart could have. */
export type OfferedGift = CandidateGift<ImageReference> & { expiresAt: number | null };

/** Everything that a cart is judged by, read in one state of the database. */
export type CartFacts = Omit<DiscountFacts, 'subtotalKopecks'> & {
  /** False while the organization is not served: nothing can be judged, so everything stays as it is. */
  isServed: boolean;
  variants: ReadonlyMap<number, OfferedVariant>;
  /** What the stop-list that counts for the cart leaves of each item. */
  balance: Balance;
  discounts: readonly OfferedDiscount[];
  serviceItems: readonly ServiceItem[];
  compositionRules: readonly CompositionRule[];
  deliveryFeeKopecks: number;
  /** Of the client of the cart, the earliest promise first; none in the cart of a guest. */
  gifts: readonly OfferedGift[];
  giftsPerOrder: number;
  /** What can be given instead of a gift; read when one of them is stopped. */
  giftReplacements: readonly Replacement<ImageReference>[];
};

/** What was taken out of a cart because it cannot be sold. */
export type CartChange = {
  lineId: string;
  variantId: number;
  itemId: string;
  name: string;
  action: 'REMOVED' | 'QUANTITY_REDUCED' | 'MODIFIERS_REMOVED';
  /** Units of the line before and after, when they were reduced. */
  quantity?: { before: number; after: number };
  /** Units for one of the line. */
  removedModifiers: readonly { modifierId: string; name: string; quantity: number }[];
  reason: Unavailable;
};

/** What the server changes of a cart by itself: content that cannot be sold, a promocode whose conditions are not met, service items. */
export type ServerChange =
  | CartChange
  | { action: 'PROMOCODE_REMOVED'; promocode: string; reason: DiscountReason }
  | { action: 'SERVICE_ITEMS_CHANGED' };

/** True for a change of what the guest has put into the cart. */
export const isOfContent = <T extends ServerChange>(change: T): change is T & CartChange => 'lineId' in change;

export type EvaluatedLine = CartLine & {
  pricedModifiers: readonly PricedModifier[];
  lineTotalKopecks: number;
  priceChanged: boolean;
  available: boolean;
  /** Limits of modifier groups that the line breaks since they have changed or something was taken out. */
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
  gifts: ChosenGifts<OfferedGift, ImageReference>;
  persons: number;
};

/**
 * Works out what of a cart can be sold and what it costs (rules ORD-4 to ORD-12). Unavailable content and units above what is left of them
 * are taken out and told; equal facts give equal carts, whatever the order of lines.
 */
export function evaluateCart(content: CartContent, facts: CartFacts): EvaluatedCart {
  const take = unitTaker(facts.balance);
  const judged = facts.isServed
    ? judgeLines(content.lines, facts, take)
    : content.lines.map((line): JudgedLine => ({ line: asItWas(line, facts), changes: [] }));
  const lines = judged.flatMap(({ line }) => line ?? []);
  const service = planService(
    lines.map((line) => ({ ...servedBy(line, facts), lineId: line.lineId, quantity: line.quantity })),
    facts.compositionRules,
    content.options,
    facts.takesDiscounts,
  );
  const lineTotals = lines.map((line) => line.lineTotalKopecks);
  const freeUnits = service.freeLineUnits.map((each) => each.amountKopecks);
  const beforeDiscounts = totalsOf(lineTotals, freeUnits, 0).totalKopecks;
  const discounts = [
    ...freeUnitsAsDiscounts(lines, service.freeLineUnits, facts),
    ...discountsOf(content.promocode, beforeDiscounts, facts),
  ];
  const items = new Map(facts.serviceItems.map((item) => [item.role, item]));
  return {
    lines,
    changes: judged.flatMap(({ changes }) => changes),
    discounts,
    serviceItems: service.units.flatMap(({ role, quantity, isHidden }) => {
      const item = items.get(role);
      const units = item === undefined ? 0 : take(item.itemId, item.sizeErpId, quantity);
      return item === undefined || units === 0 ? [] : [{ ...item, quantity: units, isHidden }];
    }),
    gifts: chooseGifts(
      facts.isServed ? facts.gifts : [],
      content.giftChoices,
      facts.giftsPerOrder,
      facts.giftReplacements,
    ),
    persons: service.persons,
    ...totalsOf(
      lineTotals,
      discounts.map((each) => each.amountKopecks),
      facts.deliveryFeeKopecks,
    ),
  };
}

/** A line of an organization that is not served: it costs what it did, with the modifiers that were chosen, so that none gets lost. */
function asItWas(line: CartLine, { variants }: CartFacts): EvaluatedLine {
  return {
    ...line,
    pricedModifiers: priceChoice(variants.get(line.variantId)?.groups ?? [], line.modifiers),
    lineTotalKopecks: line.unitPriceKopecks * line.quantity,
    priceChanged: line.unitPriceKopecks !== line.seenPriceKopecks,
    available: false,
    brokenLimits: [],
  };
}

const SERVES_NOBODY = { personCount: 0, personSplittingEnabled: false, toolCount: 0, sugarCount: 0, role: null };

function servedBy(line: EvaluatedLine, { variants }: CartFacts) {
  const offered = variants.get(line.variantId);
  const { personCount, personSplittingEnabled, toolCount, sugarCount, role } = offered ?? SERVES_NOBODY;
  return { personCount, personSplittingEnabled, toolCount, sugarCount, role, unitPriceKopecks: line.unitPriceKopecks };
}

/** Units that cost nothing by their role, told as a discount, so that a line still is its price times its quantity (rule ORD-10). */
function freeUnitsAsDiscounts(
  lines: readonly EvaluatedLine[],
  freeUnits: readonly { lineId: string; amountKopecks: number }[],
  { variants }: CartFacts,
): EvaluatedDiscount[] {
  const lineOf = new Map(lines.map((line) => [line.lineId, line]));
  return freeUnits
    .filter((each) => each.amountKopecks > 0)
    .map(({ lineId, amountKopecks }) => {
      const line = lineOf.get(lineId);
      const code = variants.get(line?.variantId ?? 0)?.role ?? '';
      return { code, name: line?.name ?? '', isByPromocode: false, discountId: null, amountKopecks, reason: null };
    })
    .toSorted(
      by(
        (each) => each.code,
        (each) => each.name,
        (each) => each.amountKopecks,
      ),
    );
}

/** Reasons by which a guest can do nothing about a discount that nobody asked for: it is not told. */
const NOT_TOLD: readonly (DiscountReason | null)[] = ['EXPIRED', 'NOT_STARTED', 'ORGANIZATION'];

function discountsOf(promocode: string | null, subtotalKopecks: number, facts: CartFacts): EvaluatedDiscount[] {
  const verdicts = facts.isServed ? judgeDiscounts(facts.discounts, { ...facts, subtotalKopecks }) : [];
  const told = facts.discounts
    .flatMap(({ id, code, name, isByPromocode }): EvaluatedDiscount[] => {
      const verdict = verdicts.find((each) => each.id === id);
      if (verdict === undefined || (!isByPromocode && NOT_TOLD.includes(verdict.reason))) return [];
      const { amountKopecks, reason } = verdict;
      return [{ code, name, isByPromocode, discountId: id, amountKopecks, reason }];
    })
    .toSorted(by(({ discountId }) => discountId ?? 0));
  if (promocode === null || facts.discounts.some((each) => each.isByPromocode)) return told;
  const unknown = { name: promocode, isByPromocode: true, discountId: null, amountKopecks: 0 } as const;
  return [...told, { code: promocode, ...unknown, reason: 'UNKNOWN' }];
}
