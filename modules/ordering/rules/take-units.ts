import { EVERY_SIZE, type Balance } from '../../menus/rules/offers/stops.ts';

/** Takes up to so many units of a size of an ERP item, each of which is `times` of its units, and says how many there were. */
export type TakeUnits = (itemErpId: string, sizeErpId: string, wanted: number, times?: number) => number;

/** Counts units of an order against what is left of them (rule ORD-74): whole ones, of a size and of all sizes of its item together. */
export function unitTaker(balance: Balance): TakeUnits {
  const taken = new Map<string, number>();
  return (itemErpId, sizeErpId, wanted, times = 1) => {
    const limits = [...new Set([EVERY_SIZE, sizeErpId])].map((size) => {
      const key = `${itemErpId}/${size}`;
      const counted = taken.get(key) ?? 0;
      return { key, counted, left: Math.floor(balance(itemErpId, size)) - counted };
    });
    const left = Math.min(...limits.map((each) => each.left));
    const units = Math.max(0, Math.min(wanted, Math.floor(left / times)));
    for (const { key, counted } of limits) taken.set(key, counted + units * times);
    return units;
  };
}
