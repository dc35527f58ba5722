import { exactMoments } from '../../../kernel/pure/wall-time.ts';
import { localTime } from './schedule.ts';
import {
  acceptanceRule,
  intakeStopAt,
  MINUTE,
  type FulfillmentType,
  type StatusFacts,
} from './status.ts';
import type { FulfillmentConfig } from './timeline.ts';

/** `id`: start with offset, and duration. `offset` distinguishes repeated local times. */
export type Slot = { id: string; startsAt: number; from: string; to: string; offset?: string };

/** `daysAhead` is 0 today. */
export type SlotDay = { date: string; daysAhead: number; slots: Slot[] };

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
 * Returns the slots from today to the horizon (FUL-8, FUL-9). Skipped local times have no slot,
 * repeated ones have two.
 */
export function slotDays(
  facts: StatusFacts,
  type: FulfillmentType,
  now: number,
  readyInMinutes: number,
): SlotDay[] {
  const { enabled, spans } = acceptanceRule(facts, type);
  const { timeZone, intakeStops } = facts.timeline;
  const { step, openDelay, closeDelay } = slotTimes(facts.config, type);
  const earliest = now + readyInMinutes * MINUTE;
  const offered = (at: number): boolean => {
    // Without a close delay, the last slot starts at closing time.
    const isOpen = spans.some(
      ({ from, to }) => from + openDelay * MINUTE <= at && at <= to - closeDelay * MINUTE,
    );
    return isOpen && at >= earliest && intakeStopAt(intakeStops, type, at) === undefined;
  };

  const today = localTime(now, timeZone).toPlainDate();

  return Array.from({ length: facts.config.horizonDays }, (_, daysAhead): SlotDay => {
    const date = today.add({ days: daysAhead });
    const all = enabled && facts.flags.timedOrdersEnabled ? slotsOfDate(date, step, timeZone) : [];

    return {
      date: date.toString(),
      daysAhead,
      slots: all.filter((slot) => offered(slot.startsAt)),
    };
  });
}

/**
 * Selects slots for which an order can be ready. `readyIn` returns minutes, or null if unavailable
 * (FUL-42).
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

const REMEMBERED = 256;
const remembered = new Map<string, readonly Slot[]>();

function slotsOfDate(date: Temporal.PlainDate, step: number, timeZone: string): readonly Slot[] {
  const key = `${timeZone} ${date.toString()} ${step}`;
  const cached = remembered.get(key);
  if (cached !== undefined) return cached;
  const slots = listStarts(date, step, timeZone).map((start) => slotAt(start, step, timeZone));
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(key, slots);

  return slots;
}

type Start = { startsAt: number; isRepeated: boolean };

function listStarts(date: Temporal.PlainDate, step: number, timeZone: string): Start[] {
  const starts: Start[] = [];
  for (let minute = 0; minute < 24 * 60; minute += step) {
    const wall = date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });
    const moments = exactMoments(wall, timeZone);
    starts.push(...moments.map((startsAt) => ({ startsAt, isRepeated: moments.length > 1 })));
  }

  return starts.toSorted((a, b) => a.startsAt - b.startsAt);
}

const clock = (time: Temporal.ZonedDateTime): string =>
  time.toPlainTime().toString({ smallestUnit: 'minute' });

function slotAt({ startsAt, isRepeated }: Start, step: number, timeZone: string): Slot {
  const start = localTime(startsAt, timeZone);
  const id = `${start.toString({ smallestUnit: 'minute', timeZoneName: 'never' })}/PT${step}M`;
  const slot = { id, startsAt, from: clock(start), to: clock(start.add({ minutes: step })) };
  return isRepeated ? { ...slot, offset: start.offset } : slot;
}

/** Returns the nearest slot, in a tie the later one (FUL-9). */
export function nearestSlot(days: readonly SlotDay[], startsAt: number): Slot | undefined {
  const distance = (slot: Slot) => Math.abs(slot.startsAt - startsAt);
  return days
    .flatMap((day) => day.slots)
    .reduce<Slot | undefined>(
      (nearest, slot) =>
        nearest === undefined || distance(slot) <= distance(nearest) ? slot : nearest,
      undefined,
    );
}

const SLOT_ID = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2}))\/PT(\d{1,4})M$/;

/** Returns start (ms) and minutes of a slot; undefined if invalid. */
export function readSlotId(id: string): { startsAt: number; minutes: number } | undefined {
  const match = SLOT_ID.exec(id);
  if (match === null) return undefined;
  const startsAt = Date.parse(match[1]!);
  return Number.isNaN(startsAt) ? undefined : { startsAt, minutes: Number(match[2]) };
}
