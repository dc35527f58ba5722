import type { DeliverySlots, OrderingStatus } from '../schemas/hours.ts';
import { displaySchedule, type ScheduleLine } from '../rules/display-schedule.ts';
import { etaMinutes, etaRange, stepAt, type ExpectationStep } from '../rules/eta.ts';
import { dayLabel, type GuestWords } from '../rules/guest-words.ts';
import { localTime, momentText, type Schedule } from '../rules/schedule.ts';
import { servedSlots, slotDays, type SlotDay } from '../rules/slots.ts';
import {
  MINUTE,
  statusAt,
  type Acceptance,
  type FulfillmentType,
  type Status,
} from '../rules/status.ts';
import type { FulfillmentFlags } from '../rules/timeline.ts';
import { answersFor, planFor, type Planned } from './kept-plans.ts';
import type { OrganizationFacts } from './read-facts.ts';

export type OrganizationClock = {
  status(at: number): OrderingStatus;
  /** `steps` are the extra minutes by the time of the order. */
  slots(type: FulfillmentType, at: number, steps: readonly ExpectationStep[]): DeliverySlots;
  eta(type: FulfillmentType, expectation: number): Eta;
  schedule: readonly ScheduleLine[];
  hours: Schedule;
  flags: FulfillmentFlags;
};

/** `range` is shown to guests. */
export type Eta = { minutes: number; range: [number, number] };

/** Slots of a minute, reused while its key is the same. */
type KeptDays = { key: string; days: DeliverySlots['days'] };

/** Creates a clock that calculates plans once a week and slots once a minute. */
export function createOrganizationClock(
  organization: OrganizationFacts,
  words: GuestWords,
): OrganizationClock {
  const { flags, config, schedule } = organization;
  const lines = displaySchedule(schedule.windows, words);
  let planned: Planned | undefined;
  const cache = new Map<FulfillmentType, KeptDays>();

  function planAt(at: number): Planned {
    return planned !== undefined && answersFor(planned, at)
      ? planned
      : (planned = planFor(organization, at));
  }

  /** Only the first moment of a minute may offer one more slot. */
  function daysFor(
    type: FulfillmentType,
    at: number,
    steps: readonly ExpectationStep[],
  ): DeliverySlots['days'] {
    const minute = Math.floor(at / MINUTE) * MINUTE;
    const extraMinute = at > minute ? 1 : 0;
    const key = JSON.stringify([
      minute,
      extraMinute,
      ...steps.map(({ until, minutes }) => [until, minutes]),
    ]);

    const cached = cache.get(type);
    if (cached?.key === key) return cached.days;
    const readyIn = (startsAt: number) =>
      etaMinutes(type, config, stepAt(steps, startsAt)) + extraMinute;
    const all = slotDays(planAt(minute).facts, type, minute, 0);
    const days = servedSlots(all, minute, readyIn).map((day) => dayAnswer(day, words));
    cache.set(type, { key, days });

    return days;
  }

  function eta(type: FulfillmentType, expectation: number): Eta {
    const minutes = etaMinutes(type, config, expectation);
    return { minutes, range: etaRange(minutes, slotStep(config, type)) };
  }

  return {
    flags,
    schedule: lines,
    hours: schedule,
    status: (at) => statusAnswer(statusAt(planAt(at).plan, at), at, schedule.timeZone, lines),
    eta,
    slots(type, at, steps) {
      const { minutes, range } = eta(type, stepAt(steps, at));
      const { accepting } = statusAt(planAt(at).plan, at)[
        type === 'DELIVERY' ? 'delivery' : 'pickup'
      ];

      return {
        asap: { available: accepting, etaMinutes: minutes, etaRange: range },
        timedOrdersEnabled: flags.timedOrdersEnabled,
        days: daysFor(type, at, steps),
      };
    },
  };
}

export function clockText(at: number, timeZone: string): string {
  return localTime(at, timeZone).toPlainTime().toString({ smallestUnit: 'minute' });
}

function statusAnswer(
  status: Status,
  at: number,
  timeZone: string,
  schedule: readonly ScheduleLine[],
): OrderingStatus {
  const text = (moment: number | null) => (moment === null ? null : momentText(moment, timeZone));
  const acceptance = ({ accepting, reason, opensAt, closesAt }: Acceptance) => ({
    accepting,
    reason,
    opensAt: text(opensAt),
    closesAt: text(closesAt),
  });

  const { open, delivery, pickup, closingInMinutes, nextChangeAt } = status;
  const reasons = [delivery.reason, pickup.reason].filter((reason) => reason !== null);

  return {
    serverTime: momentText(at, timeZone),
    open,
    delivery: acceptance(delivery),
    pickup: acceptance(pickup),
    closingInMinutes,
    reasons: [...new Set(reasons)],
    nextChangeAt: text(nextChangeAt),
    schedule: [...schedule],
  };
}

/** In minutes. */
export const slotStep = (
  { deliverySlotStepMinutes, pickupSlotStepMinutes }: OrganizationFacts['config'],
  type: FulfillmentType,
): number => (type === 'DELIVERY' ? deliverySlotStepMinutes : pickupSlotStepMinutes);

export function dayAnswer(
  { date, daysAhead, slots }: SlotDay,
  words: GuestWords,
): DeliverySlots['days'][number] {
  return {
    date,
    label: dayLabel(date, daysAhead, words),
    slots: slots.map(({ id, from, to, offset }) => ({
      id,
      from,
      to,
      ...(offset === undefined ? {} : { offset }),
    })),
  };
}
