import { localTime } from '../schedule.ts';
import { chooseHours, isOn, type DeliveryDefaults, type ZoneRestriction } from './zone-terms.ts';

export type ZoneHours = {
  restrictions: readonly Pick<ZoneRestriction, 'weekMap' | 'fromMinute' | 'toMinute'>[];
  defaults: Pick<DeliveryDefaults, 'useSameWeek' | 'useSameInterval' | 'fromMinute' | 'toMinute'>;
};

/** Covers a week, with today's weekday twice. */
const DAYS = 8;

/**
 * Returns the starts of intervals (ms) within a week after `at` (FUL-53). Skipped local times move
 * by the gap.
 */
export function intervalStarts(
  { restrictions, defaults }: ZoneHours,
  at: number,
  timeZone: string,
): number[] {
  const today = localTime(at, timeZone).toPlainDate();
  const days = Array.from({ length: DAYS }, (_, ahead) => today.add({ days: ahead }));
  const starts = restrictions.flatMap((restriction) => {
    const { weekMap, fromMinute } = chooseHours(restriction, defaults);
    return days
      .filter((day) => isOn(weekMap, day.dayOfWeek))
      .map((day) => day.toPlainDateTime().add({ minutes: fromMinute ?? 0 }))
      .map((wall) => wall.toZonedDateTime(timeZone).epochMilliseconds);
  });

  return [...new Set(starts)].filter((start) => start > at).toSorted((a, b) => a - b);
}
