import { EVERY_SIZE, type Balance } from '../../menus/rules/offers/stops.ts';
import { by } from '../../../kernel/pure/lists.ts';
import type {
  CartChange,
  CartFacts,
  CartLine,
  EvaluatedLine,
  OfferedVariant,
} from './cart-facts.ts';
import {
  brokenLimits,
  findModifier,
  priceChoice,
  splitChoice,
  unitPrice,
  type Chosen,
} from './modifier-choice.ts';

/** `line` is undefined if removed. */
export type JudgedLine = { line?: EvaluatedLine; changes: readonly CartChange[] };
type Sellable = { line: CartLine; offered: OfferedVariant } & ReturnType<typeof splitChoice>;

/**
 * Returns the sellable part of each line. The order of lines does not matter. Scarce units go to
 * dishes first, then to the most expensive line (rules ORD-74, ORD-116).
 */
export function judgeLines(
  lines: readonly CartLine[],
  { variants }: CartFacts,
  take: TakeUnits,
): JudgedLine[] {
  const judged = new Map<CartLine, JudgedLine>();
  const sellable: Sellable[] = [];

  for (const line of lines) {
    const offered = variants.get(line.variantId);
    if (offered === undefined || offered.unavailable !== null)
      judged.set(line, {
        changes: [{ ...removal(line), reason: offered?.unavailable ?? 'NOT_IN_MENU' }],
      });
    else sellable.push({ line, offered, ...splitChoice(offered.groups, line.modifiers) });
  }

  const dearestFirst = sellable.toSorted(
    by(
      ({ offered, kept }) => -unitPrice(offered.priceKopecks, priceChoice(offered.groups, kept)),
      ({ line }) => line.variantId,
      ({ kept }) => JSON.stringify(kept.toSorted(byModifier)),
      ({ line }) => -line.quantity,
    ),
  );

  const quantities = fillableUnits(dearestFirst, take);
  const units = takeDishes(dearestFirst, quantities, take);
  for (const [at, each] of dearestFirst.entries())
    judged.set(each.line, soldLine(withModifiersLeft(each, units[at]!, take), units[at]!));

  return lines.map((line) => judged.get(line)!);
}

const takeDishes = (
  sellable: readonly Sellable[],
  quantities: readonly number[],
  take: TakeUnits,
): number[] =>
  sellable.map(({ offered }, at) => take(offered.itemId, sizeOf(offered), quantities[at]!));

/**
 * Reserves nothing. Starts again after each reduction, because later lines may use the released
 * units.
 */
function fillableUnits(sellable: readonly Sellable[], take: TakeUnits): number[] {
  const quantities = sellable.map(({ line }) => line.quantity);
  for (;;) {
    const trial = take.fork();
    const units = takeDishes(sellable, quantities, trial);
    const reduced = sellable.findIndex((entry, at) => {
      const filled = filledUnits(entry, units[at]!, trial);
      if (filled < units[at]!) {
        quantities[at] = filled;
        return true;
      }
      withModifiersLeft(entry, filled, trial);

      return false;
    });
    if (reduced === -1) return quantities;
  }
}

/** Returns all units if none can be filled, because the guest must choose other modifiers. */
function filledUnits(sellable: Sellable, units: number, take: TakeUnits): number {
  const { groups } = sellable.offered;
  const unfilled = (chosen: readonly Chosen[]) =>
    brokenLimits(groups, chosen).flatMap(({ code, groupKey, modifierId }) =>
      code === 'min' ? [`${groupKey}/${modifierId}`] : [],
    );

  const before = new Set(unfilled(sellable.kept));

  for (let count = units; count > 0; count -= 1) {
    const { kept } = withModifiersLeft(sellable, count, take.fork());
    if (unfilled(kept).every((limit) => before.has(limit))) return count;
  }

  return units;
}

const sizeOf = ({ erpSizeId }: OfferedVariant): string => erpSizeId ?? EVERY_SIZE;

const byModifier = by<Chosen>(
  ({ groupKey }) => groupKey,
  ({ modifierId }) => modifierId,
);

/**
 * The only choice of a group stays with 0 units when sold out, so that no default replaces it (rule
 * ORD-5).
 */
function withModifiersLeft(sellable: Sellable, units: number, take: TakeUnits): Sellable {
  const { offered, kept, removed } = sellable;
  const quantities = new Map(
    kept.toSorted(byModifier).map((entry): [Chosen, number] => {
      const modifier = findModifier(offered.groups, entry);
      const isTaken = modifier !== undefined && units > 0;

      return [
        entry,
        isTaken
          ? take(entry.modifierId, modifier.sizeErpId, entry.quantity, units)
          : entry.quantity,
      ];
    }),
  );

  const reduced = kept.map((entry) => ({ ...entry, quantity: quantities.get(entry)! }));
  const chosenGroups = new Set(
    reduced.filter(({ quantity }) => quantity > 0).map(({ groupKey }) => groupKey),
  );

  return {
    ...sellable,
    kept: reduced.filter(({ groupKey, quantity }) => quantity > 0 || !chosenGroups.has(groupKey)),
    removed: [
      ...removed,
      ...kept.map((entry) => ({
        ...entry,
        quantity: entry.quantity - quantities.get(entry)!,
        reason: 'STOP_LIST' as const,
      })),
    ].filter(({ quantity }) => quantity > 0),
  };
}

function soldLine({ line, offered, kept, removed }: Sellable, units: number): JudgedLine {
  if (units === 0) return { changes: [{ ...removal(line), reason: 'STOP_LIST' }] };
  const pricedModifiers = priceChoice(offered.groups, kept);
  const price = unitPrice(offered.priceKopecks, pricedModifiers);
  const evaluated: EvaluatedLine = {
    ...line,
    productId: offered.productId,
    itemId: offered.itemId,
    name: offered.name,
    variantName: offered.variantName,
    quantity: units,
    modifiers: pricedModifiers.map(({ groupKey, modifierId, quantity, name }) => ({
      groupKey,
      modifierId,
      quantity,
      name,
    })),
    unitPriceKopecks: price,
    seenPriceKopecks: line.seenPriceKopecks ?? price,
    pricedModifiers,
    lineTotalKopecks: price * units,
    priceChanged: price !== (line.seenPriceKopecks ?? price),
    available: true,
    brokenLimits: brokenLimits(offered.groups, kept),
  };

  const changes: CartChange[] = [];
  if (units < line.quantity)
    changes.push({
      ...removal(line),
      action: 'QUANTITY_REDUCED',
      quantity: { before: line.quantity, after: units },
      reason: 'STOP_LIST',
    });

  if (removed.length > 0) changes.push(modifierChange(line, removed));

  return { line: evaluated, changes };
}

export const removal = ({ lineId, variantId, itemId, name }: CartLine) => ({
  lineId,
  variantId,
  itemId,
  name,
  action: 'REMOVED' as const,
  removedModifiers: [],
});

function modifierChange(line: CartLine, removed: Sellable['removed']): CartChange {
  const names = new Map(
    line.modifiers.map((modifier) => [
      `${modifier.groupKey}/${modifier.modifierId}`,
      modifier.name,
    ]),
  );

  return {
    ...removal(line),
    action: 'MODIFIERS_REMOVED',
    removedModifiers: removed.map(({ groupKey, modifierId, quantity }) => ({
      modifierId,
      quantity,
      name: names.get(`${groupKey}/${modifierId}`) ?? '',
    })),
    reason: removed.some((entry) => entry.reason === 'STOP_LIST') ? 'STOP_LIST' : 'NOT_IN_MENU',
  };
}

/**
 * Reserves at most `quantity` units and returns their number. A unit uses `times` of the stock.
 * `fork` copies the counters.
 */
type TakeUnits = {
  (itemErpId: string, sizeErpId: string, quantity: number, times?: number): number;
  fork: () => TakeUnits;
};

/** Counts whole units against the stock of a size and of its item (rule ORD-74). */
export function unitTaker(balance: Balance, usedUnits = new Map<string, number>()): TakeUnits {
  const take = (itemErpId: string, sizeErpId: string, quantity: number, times = 1): number => {
    const limits = [...new Set([EVERY_SIZE, sizeErpId])].map((size) => {
      const key = `${itemErpId}/${size}`;
      const counted = usedUnits.get(key) ?? 0;
      return { key, counted, left: Math.floor(balance(itemErpId, size)) - counted };
    });

    const stock = Math.min(...limits.map((limit) => limit.left));
    const units = Math.max(0, Math.min(quantity, Math.floor(stock / times)));
    for (const { key, counted } of limits) usedUnits.set(key, counted + units * times);

    return units;
  };

  return Object.assign(take, { fork: () => unitTaker(balance, new Map(usedUnits)) });
}
