import { by } from '../../../../kernel/pure/lists.ts';
import { localTime } from '../schedule.ts';

export type ZoneRestriction = {
  /** The ERP's order decides between equal priorities. */
  position: number;
  /** Bits: 1 is Monday, 64 is Sunday. */
  weekMap: number;
  /** Minutes from local midnight. Null is unlimited. An interval may end on the next day. */
  fromMinute: number | null;
  toMinute: number | null;
  /** The lowest number wins. */
  priority: number;
  minSumKopecks: number | null;
  durationMinutes: number;
  terminalGroupId: number | null;
  terminalGroupErpId: string | null;
};

/** `useSame…` fields apply the organization's values to all zones. */
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

/** Times are in ms; null keeps the ERP's value. */
export type ZoneOverride = {
  minSumKopecks: number | null;
  deliveryFeeKopecks: number | null;
  from: number | null;
  to: number | null;
};

export type ZoneFacts = {
  restrictions: readonly ZoneRestriction[];
  defaults: DeliveryDefaults;
  /** By precedence. */
  overrides: readonly ZoneOverride[];
  deliveryFeeKopecks: number | null;
};

/** OVERRIDE and SETTING: staff. ZONE and ORGANIZATION: the ERP. */
export const TERMS_SOURCES = ['OVERRIDE', 'ZONE', 'ORGANIZATION', 'SETTING', 'NOBODY'] as const;
type TermsSource = (typeof TERMS_SOURCES)[number];

/** Values without a source are 0. */
export type ZoneTerms = {
  minSumKopecks: number;
  deliveryFeeKopecks: number;
  durationMinutes: number;
  terminalGroupId: number | null;
  terminalGroupErpId: string | null;
  sources: { minSum: TermsSource; deliveryFee: TermsSource; duration: TermsSource };
};

/** Day 1 is Monday; `minute` is the local minute of the day. */
export type LocalMoment = { dayOfWeek: number; minute: number };

export const isOn = (weekMap: number, dayOfWeek: number): boolean =>
  (weekMap & (1 << (dayOfWeek - 1))) !== 0;
const dayBefore = (dayOfWeek: number): number => (dayOfWeek === 1 ? 7 : dayOfWeek - 1);

type Hours = Pick<ZoneRestriction, 'weekMap' | 'fromMinute' | 'toMinute'>;

/** Hours after midnight belong to the previous day. */
function holds(
  { weekMap, fromMinute, toMinute }: Hours,
  { dayOfWeek, minute }: LocalMoment,
): boolean {
  const [from, to] = [fromMinute ?? 0, toMinute ?? 24 * 60];
  if (from < to) return isOn(weekMap, dayOfWeek) && from <= minute && minute < to;

  return (
    (isOn(weekMap, dayOfWeek) && minute >= from) ||
    (isOn(weekMap, dayBefore(dayOfWeek)) && minute < to)
  );
}

const EVERY_DAY = 127;

/** Returns the hours of a restriction, or the shared hours (FUL-10). */
export function chooseHours(
  restriction: Hours,
  defaults: Pick<DeliveryDefaults, 'useSameWeek' | 'useSameInterval' | 'fromMinute' | 'toMinute'>,
): Hours {
  const { fromMinute, toMinute } = defaults.useSameInterval ? defaults : restriction;
  return { weekMap: defaults.useSameWeek ? EVERY_DAY : restriction.weekMap, fromMinute, toMinute };
}

/**
 * Returns the terms of the matching restriction with the lowest priority number; null while the
 * zone is not served (FUL-10, FUL-37).
 */
export function zoneTerms(facts: ZoneFacts, local: LocalMoment, at: number): ZoneTerms | null {
  const first = by<ZoneRestriction>(
    ({ priority }) => priority,
    ({ position }) => position,
  );

  const [chosen] = facts.restrictions
    .filter((restriction) => holds(chooseHours(restriction, facts.defaults), local))
    .toSorted(first);

  return chosen === undefined ? null : restrictionTerms(chosen, facts, at);
}

/** {@link zoneTerms} at a moment in ms. */
export function zoneTermsIn(facts: ZoneFacts, timeZone: string, at: number): ZoneTerms | null {
  const local = localTime(at, timeZone);
  return zoneTerms(
    facts,
    { dayOfWeek: local.dayOfWeek, minute: local.hour * 60 + local.minute },
    at,
  );
}

/**
 * Prefers overrides at `at` (ms), then shared defaults, then the restriction's values (FUL-10,
 * FUL-11, FUL-57).
 */
export function restrictionTerms(
  restriction: ZoneRestriction,
  { defaults, overrides, deliveryFeeKopecks }: Omit<ZoneFacts, 'restrictions'>,
  at: number,
): ZoneTerms {
  const override = overrides.find(
    ({ from, to }) => (from === null || from <= at) && (to === null || at < to),
  );
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
    durationMinutes: defaults.useSameDuration
      ? defaults.durationMinutes
      : restriction.durationMinutes,
    terminalGroupId,
    terminalGroupErpId: terminalGroupId === null ? null : restriction.terminalGroupErpId,
    sources: { minSum, deliveryFee, duration: defaults.useSameDuration ? 'ORGANIZATION' : 'ZONE' },
  };
}

function firstStated(
  ...stated: readonly [number | null | undefined, TermsSource][]
): [number, TermsSource] {
  for (const [amount, source] of stated) if (amount != null) return [amount, source];
  return [0, 'NOBODY'];
}
