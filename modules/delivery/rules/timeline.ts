import { localTime, openingSpans, type IntakeStop, type Schedule } from './schedule.ts';
import { commonSpans, type Span } from '../../../kernel/pure/spans.ts';

/** FUL-6. */
export const LOOK_AHEAD_DAYS = 14;

/** FUL-6. */
export const LOOK_BACK_DAYS = 7;

export type FulfillmentFlags = {
  deliveryEnabled: boolean;
  pickupEnabled: boolean;
  timedOrdersEnabled: boolean;
};

/**
 * Delays in minutes. Timed orders begin after the open delay, and intake ends by the close delay
 * before closing.
 */
export type FulfillmentConfig = {
  deliverySlotStepMinutes: number;
  pickupSlotStepMinutes: number;
  horizonDays: number;
  deliveryOpenDelayMinutes: number;
  deliveryCloseDelayMinutes: number;
  restaurantOpenDelayMinutes: number;
  restaurantCloseDelayMinutes: number;
  /** FUL-58. */
  pickupCookingMinutes: number;
};

export const DEFAULT_CONFIG: FulfillmentConfig = {
  deliverySlotStepMinutes: 30,
  pickupSlotStepMinutes: 10,
  horizonDays: 2,
  deliveryOpenDelayMinutes: 60,
  deliveryCloseDelayMinutes: 40,
  restaurantOpenDelayMinutes: 60,
  restaurantCloseDelayMinutes: 30,
  pickupCookingMinutes: 20,
};

/** Includes the first day of the timeline. */
const ANSWERED_DAYS = 7;

export type Timeline = {
  timeZone: string;
  /** In ms; `validTo` is exclusive. */
  validFrom: number;
  validTo: number;
  restaurant: Span[];
  delivery: Span[];
  /** Limited to the hours of the restaurant. */
  pickup: Span[];
  intakeStops: readonly IntakeStop[];
};

/**
 * Returns the timeline from the local day of `at`. It covers twice the look-ahead, because the next
 * change needs the look-ahead of a later moment.
 */
export function buildTimeline(schedule: Schedule, at: number): Timeline {
  const today = localTime(at, schedule.timeZone).toPlainDate();
  const first = today.subtract({ days: LOOK_BACK_DAYS + 2 });
  const last = today.add({ days: ANSWERED_DAYS + 2 * LOOK_AHEAD_DAYS + 2 });
  const midnight = (date: Temporal.PlainDate) =>
    date.toZonedDateTime(schedule.timeZone).epochMilliseconds;
  const restaurant = openingSpans(schedule, 'RESTAURANT', first, last);

  return {
    timeZone: schedule.timeZone,
    validFrom: midnight(today),
    validTo: midnight(today.add({ days: ANSWERED_DAYS })),
    restaurant,
    delivery: openingSpans(schedule, 'DELIVERY', first, last),
    pickup: commonSpans(restaurant, openingSpans(schedule, 'PICKUP', first, last)),
    intakeStops: schedule.intakeStops,
  };
}
