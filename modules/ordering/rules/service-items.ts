import { by } from '../../../kernel/pure/lists.ts';
import {
  computeComposition,
  paidUnits,
  type CompositionRule,
  type ServedItem,
} from './composition.ts';

export type ServedLine = ServedItem & {
  lineId: string;
  role: string | null;
  unitPriceKopecks: number;
};

export type ServiceOptions = { leaveAtDoor: boolean; cutlery: number; sugar: number };

export type ServiceUnits = { role: string; quantity: number; isHidden: boolean };

export type FreeLineUnits = {
  lineId: string;
  role: string;
  quantity: number;
  amountKopecks: number;
};

export type ServicePlan = {
  persons: number;
  units: ServiceUnits[];
  freeLineUnits: FreeLineUnits[];
};

const PAID_ROLES: Readonly<Record<string, string>> = {
  FREE_SOY: 'PAID_SOY',
  FREE_WASABI: 'PAID_WASABI',
};

/** True if guests can order items with this role (rule ORD-92). */
export const isOrderable = (role: string | null): boolean =>
  role === null || role.startsWith('PAID_');

/**
 * Plans service items (rules ORD-2, ORD-3, ORD-10). Free units apply to the cheapest items in the
 * cart; the rest is added. `available` limits them by role.
 */
export function planService(
  lines: readonly ServedLine[],
  rules: readonly CompositionRule[],
  options: ServiceOptions,
  available: (role: string, units: number) => number = (_, units) => units,
): ServicePlan {
  const { persons, free, cutleryLimit, sugarLimit } = computeComposition(
    lines.filter(({ role }) => role === null),
    rules,
  );

  const hidden = new Set(rules.filter(({ isHidden }) => isHidden).map(({ role }) => role));
  const freeLineUnits: FreeLineUnits[] = [];
  const byPersons = [...free].map(([role, quantity]) => {
    const covered = coveredUnits(
      lines.filter((line) => line.role === PAID_ROLES[role]),
      available(role, quantity),
    );
    freeLineUnits.push(...covered.map((entry) => ({ role, ...entry })));

    return {
      role,
      quantity: covered.reduce((remainder, entry) => remainder - entry.quantity, quantity),
    };
  });

  const optionUnits = [
    { role: 'CUTLERY', quantity: Math.min(options.cutlery, cutleryLimit) },
    { role: 'SUGAR', quantity: Math.min(options.sugar, sugarLimit) },
    { role: 'LEAVE_AT_DOOR', quantity: options.leaveAtDoor ? 1 : 0 },
  ];

  return {
    persons,
    units: [...byPersons, ...optionUnits]
      .filter(({ quantity }) => quantity > 0)
      .map((person) => ({ ...person, isHidden: hidden.has(person.role) }))
      .toSorted(by(({ role }) => role)),
    freeLineUnits,
  };
}

function coveredUnits(
  lines: readonly ServedLine[],
  freeUnits: number,
): Omit<FreeLineUnits, 'role'>[] {
  let remainder = freeUnits;
  return lines
    .toSorted(
      by(
        (line) => line.unitPriceKopecks,
        (line) => line.lineId,
      ),
    )
    .map(({ lineId, quantity, unitPriceKopecks }) => {
      const covered = quantity - paidUnits(quantity, remainder);
      remainder -= covered;
      return { lineId, quantity: covered, amountKopecks: covered * unitPriceKopecks };
    })
    .filter(({ quantity }) => quantity > 0);
}
