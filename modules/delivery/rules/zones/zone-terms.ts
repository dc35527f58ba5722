import { by } from '../../../../kernel/pure/lists.ts';
import { localTime } from '../schedule.ts';

/**
 * The terms of the ERP for a zone on some weekdays and in an interval of the day. Minutes count
 * from local midnight.
 */
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
  /** Null for a terminal group that the ERP does not list. */
  terminalGroupId: number | null;
  /** The id that the ERP states. */
  terminalGroupErpId: string | null;
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

/**
 * The terms of staff that replace those of the ERP for a zone, for a time; null keeps the ERP's
 * value. Moments in milliseconds.
 */
export type ZoneOverride = {
  minSumKopecks: number | null;
  deliveryFeeKopecks: number | null;
  from: number | null;
  to: number | null;
};

/** A zone with everything that decides on which terms it is served. */
export type ZoneFacts = {
  restrictions: readonly ZoneRestriction[];
  defaults: DeliveryDefaults;
  /** The one that counts first is first. */
  overrides: readonly ZoneOverride[];
  /** The price of a delivery without an override; null while staff have set no price. */
  deliveryFeeKopecks: number | null;
};

/**
 * The source of a part of the terms: staff for this zone, the ERP for this zone or for all zones of
 * the organization, staff for all.
 */
export const TERMS_SOURCES = ['OVERRIDE', 'ZONE', 'ORGANIZATION', 'SETTING', 'NOBODY'] as const;
type TermsSource = (typeof TERMS_SOURCES)[number];

/** On which terms a zone is served at a moment. Missing values are 0. */
export type ZoneTerms = {
  minSumKopecks: number;
  deliveryFeeKopecks: number;
  durationMinutes: number;
  terminalGroupId: number | null;
  terminalGroupErpId: string | null;
  sources: { minSum: TermsSource; deliveryFee: TermsSource; duration: TermsSource };
};

/** The day (1 is Monday) and the minute of the day on the clock of the organization. */
export type LocalMoment = { dayOfWeek: number; minute: number };

/** True for a weekday (1 is Monday) whose bit is set. */
export const isOn = (weekMap: number, dayOfWeek: number): boolean => (weekMap & (1 << (dayOfWeek - 1))) !== 0;
const dayBefore = (dayOfWeek: number): number => (dayOfWeek === 1 ? 7 : dayOfWeek - 1);

type Hours = Pick<ZoneRestriction, 'weekMap' | 'fromMinute' | 'toMinute'>;

/**
 * True if a moment is in an interval of some weekdays; the early hours of one that crosses midnight
 * belong to the day it began on.
 */
function holds({ weekMap, fromMinute, toMinute }: Hours, { dayOfWeek, minute }: LocalMoment): boolean {
  const [from, to] = [fromMinute ?? 0, toMinute ?? 24 * 60];
  if (from < to) return isOn(weekMap, dayOfWeek) && from <= minute && minute < to;
  return (isOn(weekMap, dayOfWeek) && minute >= from) || (isOn(weekMap, dayBefore(dayOfWeek)) && minute < to);
}

const EVERY_DAY = 127;

/** The weekdays and the interval of a restriction, or those that all zones share (rule FUL-10). */
export function hoursOf(
  restriction: Hours,
  defaults: Pick<DeliveryDefaults, 'useSameWeek' | 'useSameInterval' | 'fromMinute' | 'toMinute'>,
): Hours {
  const { fromMinute, toMinute } = defaults.useSameInterval ? defaults : restriction;
  return { weekMap: defaults.useSameWeek ? EVERY_DAY : restriction.weekMap, fromMinute, toMinute };
}

/**
 * The terms of a zone at a moment: those of the matching restriction, of several the one of the
 * lowest priority. Null when the zone is not served then (rules FUL-10, FUL-37). `local` is the
 * moment `at` (milliseconds) on the clock of the organization.
 */
export function zoneTerms(facts: ZoneFacts, local: LocalMoment, at: number): ZoneTerms | null {
  const first = by<ZoneRestriction>(
    ({ priority }) => priority,
    ({ position }) => position,
  );
  const [chosen] = facts.restrictions
    .filter((restriction) => holds(hoursOf(restriction, facts.defaults), local))
    .toSorted(first);
  return chosen === undefined ? null : restrictionTerms(chosen, facts, at);
}

/** {@link zoneTerms} at the moment `at` (milliseconds) in a time zone. */
export function zoneTermsIn(facts: ZoneFacts, timeZone: string, at: number): ZoneTerms | null {
  const local = localTime(at, timeZone);
  return zoneTerms(facts, { dayOfWeek: local.dayOfWeek, minute: local.hour * 60 + local.minute }, at);
}

/**
 * The terms of a zone while a restriction decides: the organization's defaults replace shared and
 * missing values of the ERP, and overrides of staff for the moment `at` (milliseconds) comes before
 * both (rules FUL-10, FUL-11, FUL-57).
 */
export function restrictionTerms(
  restriction: ZoneRestriction,
  { defaults, overrides, deliveryFeeKopecks }: Omit<ZoneFacts, 'restrictions'>,
  at: number,
): ZoneTerms {
  const override = overrides.find(({ from, to }) => (from === null || from <= at) && (to === null || at < to));
  const [minSumKopecks, minSum] = firstStated(
    [override?.minSumKopecks, 'OVERRIDE'],
    [defaults.useSameMinSum ? null : restriction.minSumKopecks, 'ZONE'],
    [defaults.minSumKopecks, 'ORGANIZATION'],
  );
  const [feeKopecks, deliveryFee] = firstStated(
    [override?.deliveryFeeKopecks, 'OVERRIDE'],
    [deliveryFeeKopecks, 'SETTING'],
  );
  const { terminalGroupId } = restriction;
  return {
    minSumKopecks,
    deliveryFeeKopecks: feeKopecks,
    durationMinutes: defaults.useSameDuration ? defaults.durationMinutes : restriction.durationMinutes,
    terminalGroupId,
    terminalGroupErpId: terminalGroupId === null ? null : restriction.terminalGroupErpId,
    sources: { minSum, deliveryFee, duration: defaults.useSameDuration ? 'ORGANIZATION' : 'ZONE' },
  };
}

/** The first amount that is set, and its source; 0 if there is none. */
function firstStated(...stated: readonly [number | null | undefined, TermsSource][]): [number, TermsSource] {
  for (const [amount, source] of stated) if (amount != null) return [amount, source];
  return [0, 'NOBODY'];
}
