import { localTime, openingSpans, type IntakeStop, type Schedule } from './schedule.ts';
import { commonSpans, type Span } from '../../../kernel/pure/spans.ts';

/** The days for which opening times are calculated ahead (rule FUL-6). */
export const LOOK_AHEAD_DAYS = 14;

/** The days for which an earlier opening is still shown (rule FUL-6). */
export const LOOK_BACK_DAYS = 7;

/** The switches of staff for delivery and pickup. */
export type FulfillmentFlags = { deliveryEnabled: boolean; pickupEnabled: boolean; timedOrdersEnabled: boolean };

/**
 * Settings of an organization in minutes. The delays shorten the time in which orders are taken:
 * after opening no timed order may be earlier than the open delay, and intake ends by the close
 * delay before closing.
 */
export type FulfillmentConfig = {
  deliverySlotStepMinutes: number;
  pickupSlotStepMinutes: number;
  horizonDays: number;
  deliveryOpenDelayMinutes: number;
  deliveryCloseDelayMinutes: number;
  restaurantOpenDelayMinutes: number;
  restaurantCloseDelayMinutes: number;
  /** The effective one (rule FUL-58). */
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

/** For how many days a timeline answers, the day it was made for included. */
const ANSWERED_DAYS = 7;

/** The hours of an organization as moments. */
export type Timeline = {
  timeZone: string;
  /**
   * The timeline answers for moments from here up to, and without, `validTo`, in milliseconds since
   * 1970.
   */
  validFrom: number;
  validTo: number;
  restaurant: Span[];
  delivery: Span[];
  /** The hours of pickup, only where the restaurant is open. */
  pickup: Span[];
  intakeStops: readonly IntakeStop[];
};

/**
 * The timeline that answers from the local day of `at` on. It depends only on the schedule and that
 * day, so it may be kept until `validTo`. It reaches twice the look-ahead, because the next change
 * is found by the answers of that later moment.
 */
export function timelineOf(schedule: Schedule, at: number): Timeline {
  const today = localTime(at, schedule.timeZone).toPlainDate();
  const first = today.subtract({ days: LOOK_BACK_DAYS + 2 });
  const last = today.add({ days: ANSWERED_DAYS + 2 * LOOK_AHEAD_DAYS + 2 });
  const midnight = (date: Temporal.PlainDate) => date.toZonedDateTime(schedule.timeZone).epochMilliseconds;
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
