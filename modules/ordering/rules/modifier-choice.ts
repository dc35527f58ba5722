import type { CodeOf } from '../../../kernel/pure/codes.ts';
import { by } from '../../../kernel/pure/lists.ts';

/** Stopped, or no longer contained in the menu. */
export type Unavailable = CodeOf<'CartChangeReason'>;

export type OfferedModifier = {
  modifierId: string;
  /** ERP id; empty for an item without sizes. */
  sizeErpId: string;
  name: string;
  priceKopecks: number;
  unavailable: Unavailable | null;
  /** Null if only the group has limits. */
  min: number | null;
  max: number | null;
  free: number;
  /** Units that apply until the guest changes the group. */
  default: number;
};

/** `groupKey` does not change with names, prices and limits. */
export type OfferedGroup = {
  groupId: string;
  groupKey: string;
  name: string;
  min: number;
  max: number;
  free: number;
  modifiers: readonly OfferedModifier[];
};

/** Choosing 0 units declines the default. */
export type Chosen = { groupKey: string; modifierId: string; quantity: number };

/** Kopecks. `quantity` includes `freeQuantity`. */
export type PricedModifier = {
  groupKey: string;
  groupId: string;
  modifierId: string;
  name: string;
  quantity: number;
  freeQuantity: number;
  unitPriceKopecks: number;
};

/** `modifierId` is null if the limit belongs to the group. */
export type BrokenLimit = {
  code: 'min' | 'max';
  groupKey: string;
  groupId: string;
  modifierId: string | null;
  min: number;
  max: number | null;
};

/** Adds default units to groups without a choice (rule ORD-5). */
export function withDefaults(groups: readonly OfferedGroup[], chosen: readonly Chosen[]): Chosen[] {
  const named = new Set(chosen.map((entry) => entry.groupKey));
  const added = groups
    .filter(({ groupKey }) => !named.has(groupKey))
    .flatMap(({ groupKey, modifiers }) =>
      modifiers
        .filter((modifier) => modifier.default > 0 && modifier.unavailable === null)
        .map((modifier): Chosen => ({
          groupKey,
          modifierId: modifier.modifierId,
          quantity: modifier.default,
        })),
    );

  return [...chosen, ...added];
}

export function splitChoice(
  groups: readonly OfferedGroup[],
  chosen: readonly Chosen[],
): { kept: Chosen[]; removed: (Chosen & { reason: Unavailable })[] } {
  const reasons = chosen.map((entry) => {
    const offered = findModifier(groups, entry);
    return offered === undefined ? 'NOT_IN_MENU' : offered.unavailable;
  });

  return {
    kept: chosen.filter((_, at) => reasons[at] === null),
    removed: chosen.flatMap((entry, at) => {
      const reason = reasons[at];
      return reason == null ? [] : [{ ...entry, reason }];
    }),
  };
}

/** Returns violated limits (rule ORD-4). Ignores modifiers that are no longer offered. */
export function brokenLimits(
  groups: readonly OfferedGroup[],
  chosen: readonly Chosen[],
): BrokenLimit[] {
  return groups.flatMap(({ groupKey, groupId, min, max, modifiers }) => {
    const units = (modifierId: string) =>
      chosen
        .filter((entry) => entry.groupKey === groupKey && entry.modifierId === modifierId)
        .reduce((sum, entry) => sum + entry.quantity, 0);

    const broken = (
      total: number,
      limits: { min: number; max: number | null },
      modifierId: string | null,
    ) => {
      const code =
        total < limits.min ? 'min' : limits.max !== null && total > limits.max ? 'max' : null;
      return code === null
        ? []
        : [{ code, groupKey, groupId, modifierId, ...limits } satisfies BrokenLimit];
    };

    const total = modifiers.reduce((sum, modifier) => sum + units(modifier.modifierId), 0);

    return [
      ...broken(total, { min, max }, null),
      ...modifiers.flatMap((modifier) =>
        broken(
          units(modifier.modifierId),
          { min: modifier.min ?? 0, max: modifier.max },
          modifier.modifierId,
        ),
      ),
    ];
  });
}

/**
 * Prices modifiers in menu order (rule ORD-6). Ignores modifiers that are no longer offered. The
 * cheapest get the group's free units.
 */
export function priceChoice(
  groups: readonly OfferedGroup[],
  chosen: readonly Chosen[],
): PricedModifier[] {
  return groups.flatMap((group) => {
    const { groupKey, groupId } = group;
    const modifiers = group.modifiers.flatMap((offered) => {
      const own = chosen.filter(
        (entry) => entry.groupKey === groupKey && entry.modifierId === offered.modifierId,
      );
      return own.length === 0
        ? []
        : [{ offered, quantity: own.reduce((sum, entry) => sum + entry.quantity, 0) }];
    });

    const free = freeUnits(group.free, modifiers);

    return modifiers.map(({ offered, quantity }) => ({
      groupKey,
      groupId,
      modifierId: offered.modifierId,
      name: offered.name,
      quantity,
      freeQuantity: free.get(offered.modifierId) ?? 0,
      unitPriceKopecks: offered.priceKopecks,
    }));
  });
}

type Taken = { offered: OfferedModifier; quantity: number };

function freeUnits(ofGroup: number, modifiers: readonly Taken[]): Map<string, number> {
  let remainder = ofGroup;
  const cheapestFirst = modifiers.toSorted(
    by(
      ({ offered }) => offered.priceKopecks,
      ({ offered }) => offered.modifierId,
    ),
  );

  return new Map(
    cheapestFirst.map(({ offered, quantity }) => {
      const own = Math.min(quantity, offered.free);
      const more = Math.min(quantity - own, remainder);
      remainder -= more;
      return [offered.modifierId, own + more];
    }),
  );
}

/** Returns the price of one dish with modifiers in kopecks (rule ORD-6). */
export function unitPrice(priceKopecks: number, modifiers: readonly PricedModifier[]): number {
  return modifiers.reduce(
    (sum, modifier) =>
      sum + (modifier.quantity - modifier.freeQuantity) * modifier.unitPriceKopecks,
    priceKopecks,
  );
}

/** Undefined if the modifier is no longer in its group. */
export function findModifier(
  groups: readonly OfferedGroup[],
  { groupKey, modifierId }: Chosen,
): OfferedModifier | undefined {
  return groups
    .find((group) => group.groupKey === groupKey)
    ?.modifiers.find((modifier) => modifier.modifierId === modifierId);
}
