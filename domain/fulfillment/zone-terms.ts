import { by } from '../order.ts';

/** What the ERP states for a zone on some weekdays and in an interval of the day. Minutes count from local midnight. */
export type ZoneRestriction = {
  /** The ERP's own number, used to keep the choice the same when several are equal. */
  position: number;
  /** Weekdays as bits: 1 is Monday, 64 is Sunday. */
  weekMap: number;
  /** Null has no bound. An interval that ends before it begins ends on the next day. */
  fromMinute: number | null;
  toMinute: number | null;
  /** The lowest number decides when several apply. */
  priority: number;
  minSumKopecks: number | null;
  durationMinutes: number;
  terminalGroupId: number | null;
};

/** The defaults of an organization, and for which parts all its zones share them. */
export type DeliveryDefaults = {
  useSameDuration: boolean;
  durationMinutes: number;
  useSameMinSum: boolean;
  minSumKopecks: number | null;
  useSameInterval: boolean;
  fromMinute: number | null;
  toMinute: number | null;
  useSameWeek: boolean;
};

/** What staff have set for a zone over the ERP, for a time; null keeps the ERP's value. Moments in milliseconds. */
export type ZoneOverride = {
  minSumKopecks: number | null;
  deliveryFeeKopecks: number | null;
  from: number | null;
  to: number | null;
};

/** On which terms a zone is served at a moment. */
export type ZoneTerms = {
  minSumKopecks: number;
  deliveryFeeKopecks: number;
  durationMinutes: number;
  terminalGroupId: number | null;
};

/** The day (1 is Monday) and the minute of the day on the clock of the organization. */
export type LocalMoment = { dayOfWeek: number; minute: number };

const isOn = (weekMap: number, dayOfWeek: number): boolean => (weekMap & (1 << (dayOfWeek - 1))) !== 0;
const dayBefore = (dayOfWeek: number): number => (dayOfWeek === 1 ? 7 : dayOfWeek - 1);

/** Whether an interval of some weekdays holds at a moment; the early hours of one that crosses midnight belong to the day it began on. */
function holds(
  { weekMap, fromMinute, toMinute }: Pick<ZoneRestriction, 'weekMap' | 'fromMinute' | 'toMinute'>,
  { dayOfWeek, minute }: LocalMoment,
): boolean {
  const [from, to] = [fromMinute ?? 0, toMinute ?? 24 * 60];
  if (from < to) return isOn(weekMap, dayOfWeek) && from <= minute && minute < to;
  return (isOn(weekMap, dayOfWeek) && minute >= from) || (isOn(weekMap, dayBefore(dayOfWeek)) && minute < to);
}

const EVERY_DAY = 127;

/**
 * The terms of a zone at a moment: of the restrictions that hold then the one of the lowest priority, with the organization's
 * defaults wherever all zones share them or the ERP states nothing, and what staff have set over that. Null when the zone is
 * not served then (rules FUL-10, FUL-11).
 */
export function zoneTerms(
  restrictions: readonly ZoneRestriction[],
  defaults: DeliveryDefaults,
  overrides: readonly ZoneOverride[],
  local: LocalMoment,
  at: number,
): ZoneTerms | null {
  const first = by<ZoneRestriction>(
    (each) => each.priority,
    (each) => each.position,
  );
  const chosen = restrictions
    .filter((restriction) =>
      holds(
        {
          weekMap: defaults.useSameWeek ? EVERY_DAY : restriction.weekMap,
          fromMinute: defaults.useSameInterval ? defaults.fromMinute : restriction.fromMinute,
          toMinute: defaults.useSameInterval ? defaults.toMinute : restriction.toMinute,
        },
        local,
      ),
    )
    .toSorted(first)[0];
  if (chosen === undefined) return null;
  const override = overrides.find(({ from, to }) => (from === null || from <= at) && (to === null || at < to));
  const ofErp = defaults.useSameMinSum ? defaults.minSumKopecks : (chosen.minSumKopecks ?? defaults.minSumKopecks);
  return {
    minSumKopecks: override?.minSumKopecks ?? ofErp ?? 0,
    deliveryFeeKopecks: override?.deliveryFeeKopecks ?? 0,
    durationMinutes: defaults.useSameDuration ? defaults.durationMinutes : chosen.durationMinutes,
    terminalGroupId: chosen.terminalGroupId,
  };
}
