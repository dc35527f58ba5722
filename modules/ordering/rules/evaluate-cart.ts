import { chooseGifts } from '../../gifts/rules/choose-gifts.ts';
import { by } from '../../../kernel/pure/lists.ts';
import { judgeLines, unitTaker, type JudgedLine } from './judge-lines.ts';
import { judgeDiscounts, type DiscountReason } from './discounts.ts';
import { priceChoice } from './modifier-choice.ts';
import { planService } from './service-items.ts';
import { computeTotals } from './totals.ts';

import {
  type CartLine,
  type CartContent,
  type CartFacts,
  type EvaluatedLine,
  type EvaluatedDiscount,
  type EvaluatedCart,
} from './cart-facts.ts';

/**
 * Removes and reports unavailable content (rules ORD-4 to ORD-12). The order of lines does not
 * matter.
 */
export function evaluateCart(content: CartContent, facts: CartFacts): EvaluatedCart {
  const take = unitTaker(facts.balance);
  const judged = facts.isServed
    ? judgeLines(content.lines, facts, take)
    : content.lines.map((line): JudgedLine => ({ line: asItWas(line, facts), changes: [] }));
  const lines = judged.flatMap(({ line }) => line ?? []);
  const service = planService(
    lines.map((line) => ({
      ...servedBy(line, facts),
      lineId: line.lineId,
      quantity: line.quantity,
    })),
    facts.compositionRules,
    content.options,
    availableUnits(facts),
  );

  const lineTotals = lines.map((line) => line.lineTotalKopecks);
  const freeUnits = service.freeLineUnits.map((unit) => unit.amountKopecks);
  const beforeDiscounts = computeTotals(lineTotals, freeUnits, 0).totalKopecks;
  const discounts = [
    ...freeUnitsAsDiscounts(lines, service.freeLineUnits, facts),
    ...evaluateDiscounts(content.promocode, beforeDiscounts, facts),
  ];

  const items = new Map(facts.serviceItems.map((item) => [item.role, item]));

  // Free units that replace paid units are taken first.
  for (const { role, quantity } of facts.takesDiscounts ? [] : service.freeLineUnits) {
    const { itemId, sizeErpId } = items.get(role)!;
    take(itemId, sizeErpId, quantity);
  }

  return {
    lines,
    freeLineUnits: service.freeLineUnits,
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
    ...computeTotals(
      lineTotals,
      discounts.map((discount) => discount.amountKopecks),
      facts.deliveryFeeKopecks,
    ),
  };
}

/** The free item must be in stock if the ERP takes no discounts (rule ORD-67). */
function availableUnits({
  takesDiscounts,
  serviceItems,
  balance,
}: CartFacts): (role: string, units: number) => number {
  return (role, units) => {
    if (takesDiscounts) return units;
    const item = serviceItems.find((serviceItem) => serviceItem.role === role);
    return item === undefined
      ? 0
      : Math.max(0, Math.min(units, Math.floor(balance(item.itemId, item.sizeErpId))));
  };
}

/** Returns the value of free units in kopecks. */
export const freeAmount = ({ freeLineUnits }: EvaluatedCart): number =>
  freeLineUnits.reduce((sum, unit) => sum + unit.amountKopecks, 0);

/**
 * Replaces free units with the free item for an ERP without discounts (rule ORD-67). The total
 * stays the same.
 */
export function withFreeItems(
  cart: EvaluatedCart,
  { serviceItems, compositionRules }: CartFacts,
): EvaluatedCart {
  const freeOf = new Map(cart.freeLineUnits.map((unit) => [unit.lineId, unit]));
  const units = new Map(cart.serviceItems.map((item) => [item.role, item]));

  for (const { role, quantity } of cart.freeLineUnits) {
    const item = serviceItems.find((serviceItem) => serviceItem.role === role);
    if (item === undefined) throw new Error(`Free units of ${role} have no item`);
    const isHidden = compositionRules.some((rule) => rule.role === role && rule.isHidden);
    units.set(role, { ...item, isHidden, quantity: (units.get(role)?.quantity ?? 0) + quantity });
  }

  const amountKopecks = freeAmount(cart);

  return {
    ...cart,
    lines: cart.lines.flatMap((line) => {
      const { quantity: free = 0, amountKopecks: less = 0 } = freeOf.get(line.lineId) ?? {};
      const quantity = line.quantity - free;
      return quantity === 0
        ? []
        : [{ ...line, quantity, lineTotalKopecks: line.lineTotalKopecks - less }];
    }),
    serviceItems: [...units.values()].toSorted(by(({ role }) => role)),
    discounts: cart.discounts.filter(
      ({ discountId, isByPromocode }) => discountId !== null || isByPromocode,
    ),
    freeLineUnits: [],
    subtotalKopecks: cart.subtotalKopecks - amountKopecks,
    discountKopecks: cart.discountKopecks - amountKopecks,
  };
}

/** Keeps price and modifiers while the organization is not served. */
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

const SERVES_NOBODY = {
  personCount: 0,
  personSplittingEnabled: false,
  toolCount: 0,
  sugarCount: 0,
  role: null,
};

function servedBy(line: EvaluatedLine, { variants }: CartFacts) {
  const offered = variants.get(line.variantId);
  const { personCount, personSplittingEnabled, toolCount, sugarCount, role } =
    offered ?? SERVES_NOBODY;

  return {
    personCount,
    personSplittingEnabled,
    toolCount,
    sugarCount,
    role,
    unitPriceKopecks: line.unitPriceKopecks,
  };
}

/** Shows free units as discounts, so that a line equals price times quantity (rule ORD-10). */
function freeUnitsAsDiscounts(
  lines: readonly EvaluatedLine[],
  freeUnits: readonly { lineId: string; amountKopecks: number }[],
  { variants }: CartFacts,
): EvaluatedDiscount[] {
  const lineOf = new Map(lines.map((line) => [line.lineId, line]));
  return freeUnits
    .filter((unit) => unit.amountKopecks > 0)
    .map(({ lineId, amountKopecks }) => {
      const line = lineOf.get(lineId);
      const code = variants.get(line?.variantId ?? 0)?.role ?? '';

      return {
        code,
        name: line?.name ?? '',
        isByPromocode: false,
        discountId: null,
        amountKopecks,
        reason: null,
      };
    })
    .toSorted(
      by(
        (entry) => entry.code,
        (entry) => entry.name,
        (entry) => entry.amountKopecks,
      ),
    );
}

/** Hidden reasons of automatic discounts, because a guest cannot influence them. */
const NOT_TOLD: readonly (DiscountReason | null)[] = ['EXPIRED', 'NOT_STARTED', 'ORGANIZATION'];

function evaluateDiscounts(
  promocode: string | null,
  subtotalKopecks: number,
  facts: CartFacts,
): EvaluatedDiscount[] {
  const verdicts = facts.isServed
    ? judgeDiscounts(facts.discounts, { ...facts, subtotalKopecks })
    : [];
  const discounts = facts.discounts
    .flatMap(({ id, code, name, isByPromocode }): EvaluatedDiscount[] => {
      const verdict = verdicts.find((entry) => entry.id === id);
      if (verdict === undefined || (!isByPromocode && NOT_TOLD.includes(verdict.reason))) return [];
      const { amountKopecks, reason } = verdict;
      return [{ code, name, isByPromocode, discountId: id, amountKopecks, reason }];
    })
    .toSorted(by(({ discountId }) => discountId ?? 0));

  if (promocode === null || facts.discounts.some((discount) => discount.isByPromocode))
    return discounts;
  const unknown = {
    name: promocode,
    isByPromocode: true,
    discountId: null,
    amountKopecks: 0,
  } as const;

  return [...discounts, { code: promocode, ...unknown, reason: 'UNKNOWN' }];
}
