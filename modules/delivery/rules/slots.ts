import { exactMoments } from '../../../kernel/pure/wall-time.ts';
import { localTime } from './schedule.ts';
import { acceptanceRule, intakeStopAt, MINUTE, type FulfillmentType, type StatusFacts } from './status.ts';
import type { FulfillmentConfig } from './timeline.ts';

/**
 * A time that guests may order for. `id` is the start with its offset and the duration; `from` and
 * `to` are the wall clock, which the `offset` distinguishes in an hour that repeats.
 */
export type Slot = { id: string; startsAt: number; from: string; to: string; offset?: string };

/** The slots that begin on one date of the organization; `daysAhead` is 0 today. */
export type SlotDay = { date: string; daysAhead: number; slots: Slot[] };

/**
 * The step between two slots of a kind of fulfillment and the delays that bound them, in minutes.
 */
function slotTimes(config: FulfillmentConfig, type: FulfillmentType) {
  return type === 'DELIVERY'
    ? {
        step: config.deliverySlotStepMinutes,
        openDelay: config.deliveryOpenDelayMinutes,
        closeDelay: config.deliveryCloseDelayMinutes,
      }
    : {
        step: config.pickupSlotStepMinutes,
        openDelay: config.restaurantOpenDelayMinutes,
        closeDelay: config.restaurantCloseDelayMinutes,
      };
}

/**
 * The slots of today and the days of the horizon. A slot starts at a multiple of the step from
 * local midnight, not before the open delay has passed, not within the close delay, not earlier
 * than `readyInMinutes` from now, and never while intake is stopped. A wall-clock time that does
 * not exist has no slot, one that repeats has two (rules FUL-8, FUL-9).
 */
export function slotDays(facts: StatusFacts, type: FulfillmentType, now: number, readyInMinutes: number): SlotDay[] {
  const { enabled, spans } = acceptanceRule(facts, type);
  const { timeZone, intakeStops } = facts.timeline;
  const { step, openDelay, closeDelay } = slotTimes(facts.config, type);
  const earliest = now + readyInMinutes * MINUTE;
  const offered = (at: number): boolean => {
    // Without a close delay the last slot starts at the closing itself.
    const isOpen = spans.some(({ from, to }) => from + openDelay * MINUTE <= at && at <= to - closeDelay * MINUTE);
    return isOpen && at >= earliest && intakeStopAt(intakeStops, type, at) === undefined;
  };
  const today = localTime(now, timeZone).toPlainDate();
  return Array.from({ length: facts.config.horizonDays }, (_, daysAhead): SlotDay => {
    const date = today.add({ days: daysAhead });
    const all = enabled && facts.flags.timedOrdersEnabled ? slotsOfDate(date, step, timeZone) : [];
    return { date: date.toString(), daysAhead, slots: all.filter((slot) => offered(slot.startsAt)) };
  });
}

/**
 * The slots by which an order can be ready: `readyIn` returns its minutes for a moment, null if it
 * is not available then (rule FUL-42).
 */
export function servedSlots(
  days: readonly SlotDay[],
  now: number,
  readyIn: (startsAt: number) => number | null,
): SlotDay[] {
  const isServed = ({ startsAt }: Slot): boolean => {
    const minutes = readyIn(startsAt);
    return minutes !== null && startsAt >= now + minutes * MINUTE;
  };
  return days.map((day) => ({ ...day, slots: day.slots.filter(isServed) }));
}

/** Limit of cached dates of zones and steps: a chain has a few zones and needs a few days. */
const REMEMBERED = 256;
const remembered = new Map<string, readonly Slot[]>();

/**
 * Every slot of a date, whether it is offered or not. It depends on these three alone, and is the
 * same for all organizations of a zone.
 */
function slotsOfDate(date: Temporal.PlainDate, step: number, timeZone: string): readonly Slot[] {
  const key = `${timeZone} ${date.toString()} ${step}`;
  const cached = remembered.get(key);
  if (cached !== undefined) return cached;
  const slots = startsOf(date, step, timeZone).map((start) => slotAt(start, step, timeZone));
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(key, slots);
  return slots;
}

type Start = { startsAt: number; isRepeated: boolean };

function startsOf(date: Temporal.PlainDate, step: number, timeZone: string): Start[] {
  const starts: Start[] = [];
  for (let minute = 0; minute < 24 * 60; minute += step) {
    const wall = date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
    const moments = exactMoments(wall, timeZone);
    starts.push(...moments.map((startsAt) => ({ startsAt, isRepeated: moments.length > 1 })));
  }
  return starts.toSorted((a, b) => a.startsAt - b.startsAt);
}

const clock = (time: Temporal.ZonedDateTime): string => time.toPlainTime().toString({ smallestUnit: 'minute' });

function slotAt({ startsAt, isRepeated }: Start, step: number, timeZone: string): Slot {
  const start = localTime(startsAt, timeZone);
  const id = `${start.toString({ smallestUnit: 'minute', timeZoneName: 'never' })}/PT${step}M`;
  const slot = { id, startsAt, from: clock(start), to: clock(start.add({ minutes: step })) };
  return isRepeated ? { ...slot, offset: start.offset } : slot;
}

/**
 * The slot to offer instead of one that is no longer offered (rule FUL-9): the one with the nearest
 * start, and of two equally near ones the later. Undefined when no slot is offered.
 */
export function nearestSlot(days: readonly SlotDay[], startsAt: number): Slot | undefined {
  const distance = (slot: Slot) => Math.abs(slot.startsAt - startsAt);
  return days
    .flatMap((day) => day.slots)
    .reduce<Slot | undefined>(
      (nearest, slot) => (nearest === undefined || distance(slot) <= distance(nearest) ? slot : nearest),
      undefined,
    );
}

const SLOT_ID = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2}))\/PT(\d{1,4})M$/;

/**
 * The start (milliseconds) and duration (minutes) that a slot id names; undefined when it is no
 * slot id.
 */
export function readSlotId(id: string): { startsAt: number; minutes: number } | undefined {
  const match = SLOT_ID.exec(id);
  if (match === null) return undefined;
  const startsAt = Date.parse(match[1]!);
  return Number.isNaN(startsAt) ? undefined : { startsAt, minutes: Number(match[2]) };
}
