import { listCodes, type CodeOf } from '../../../kernel/pure/codes.ts';
import type { IntakeStop } from './schedule.ts';
import { spanAt, spanAtOrAfter, type Span } from '../../../kernel/pure/spans.ts';
import {
  LOOK_AHEAD_DAYS,
  LOOK_BACK_DAYS,
  type FulfillmentConfig,
  type FulfillmentFlags,
  type Timeline,
} from './timeline.ts';

export const MINUTE = 60_000;
const LOOK_AHEAD = LOOK_AHEAD_DAYS * 24 * 60 * MINUTE;
const LOOK_BACK = LOOK_BACK_DAYS * 24 * 60 * MINUTE;

export const FULFILLMENT_TYPES = listCodes('FulfillmentType');
export type FulfillmentType = CodeOf<'FulfillmentType'>;

/** FUL-5. */
export type NotAccepting = CodeOf<'NotAcceptingReason'>;

/**
 * Applies to orders without a slot. Times are in ms; openings older than 7 days and closings later
 * than 14 days are null.
 */
export type Acceptance = {
  accepting: boolean;
  reason: NotAccepting | null;
  opensAt: number | null;
  closesAt: number | null;
};

export type Status = {
  /** Does not depend on order intake. */
  open: boolean;
  delivery: Acceptance;
  pickup: Acceptance;
  /** Null if closed, or beyond the look-ahead. */
  closingInMinutes: number | null;
  /** Ignores `closingInMinutes` and changes after 14 days. */
  nextChangeAt: number | null;
};

export type StatusFacts = {
  timeline: Timeline;
  config: FulfillmentConfig;
  flags: FulfillmentFlags;
};

type Rule = {
  enabled: boolean;
  spans: readonly Span[];
  opensEarlier: number;
  closesEarlier: number;
};

/** Returns how a fulfillment type uses its windows, in ms (FUL-4). */
export function acceptanceRule(
  { timeline, config, flags }: StatusFacts,
  type: FulfillmentType,
): Rule {
  if (type === 'DELIVERY') {
    const closesEarlier = config.deliveryCloseDelayMinutes * MINUTE;
    return {
      enabled: flags.deliveryEnabled,
      spans: timeline.delivery,
      opensEarlier: 0,
      closesEarlier,
    };
  }

  const cooking = config.pickupCookingMinutes * MINUTE;
  const closesEarlier = Math.max(cooking, config.restaurantCloseDelayMinutes * MINUTE);

  return {
    enabled: flags.pickupEnabled,
    spans: timeline.pickup,
    opensEarlier: cooking,
    closesEarlier,
  };
}

const stopsType = (stop: IntakeStop, type: FulfillmentType) =>
  stop.channel === null || stop.channel === type;

/** Returns the active intake stop with the latest end. */
export function intakeStopAt(
  stops: readonly IntakeStop[],
  type: FulfillmentType,
  at: number,
): IntakeStop | undefined {
  const end = (stop: IntakeStop) => stop.to ?? Infinity;
  return stops
    .filter((stop) => stopsType(stop, type) && stop.from <= at && at < end(stop))
    .toSorted((a, b) => end(b) - end(a))[0];
}

/**
 * Returns the end of active and adjacent intake stops; null if no stop is active or one has no end.
 */
export function intakeStoppedUntil(
  stops: readonly IntakeStop[],
  type: FulfillmentType,
  at: number,
): number | null {
  let until: number | null = null;

  for (
    let next = intakeStopAt(stops, type, at);
    next !== undefined;
    next = intakeStopAt(stops, type, until)
  ) {
    if (next.to === null) return null;
    until = next.to;
  }

  return until;
}

/** Ignores switches and intake stops (FUL-4). */
const takesOrders = ({ spans, opensEarlier, closesEarlier }: Rule, at: number): boolean =>
  spans.some(({ from, to }) => from - opensEarlier <= at && at < to - closesEarlier);

function reasonAt(facts: StatusFacts, type: FulfillmentType, at: number): NotAccepting | null {
  const rule = acceptanceRule(facts, type);
  if (!rule.enabled) return 'DISABLED';
  if (intakeStopAt(facts.timeline.intakeStops, type, at) !== undefined) return 'INTAKE_STOPPED';
  if (takesOrders(rule, at)) return null;
  return spanAt(rule.spans, at) === undefined ? 'CLOSED' : 'CLOSING_SOON';
}

function acceptanceAt(facts: StatusFacts, type: FulfillmentType, at: number): Acceptance {
  const window = spanAtOrAfter(acceptanceRule(facts, type).spans, at);
  const reason = reasonAt(facts, type, at);
  if (window === undefined || window.from > at + LOOK_AHEAD) {
    return { accepting: reason === null, reason, opensAt: null, closesAt: null };
  }

  return {
    accepting: reason === null,
    reason,
    opensAt: window.from <= at - LOOK_BACK ? null : window.from,
    closesAt: window.to > at + LOOK_AHEAD ? null : window.to,
  };
}

type Answers = Pick<Status, 'open' | 'delivery' | 'pickup'>;

const answersAt = (facts: StatusFacts, at: number): Answers => ({
  open: spanAt(facts.timeline.restaurant, at) !== undefined,
  delivery: acceptanceAt(facts, 'DELIVERY', at),
  pickup: acceptanceAt(facts, 'PICKUP', at),
});

const sameAcceptance = (a: Acceptance, b: Acceptance): boolean =>
  a.reason === b.reason && a.opensAt === b.opensAt && a.closesAt === b.closesAt;

const sameAnswers = (a: Answers, b: Answers): boolean =>
  a.open === b.open && sameAcceptance(a.delivery, b.delivery) && sameAcceptance(a.pickup, b.pickup);

function turningPoints(facts: StatusFacts): number[] {
  const { timeline } = facts;
  const ofRule = ({ spans, opensEarlier, closesEarlier }: Rule) =>
    spans.flatMap(({ from, to }) => [
      from - LOOK_AHEAD,
      from - opensEarlier,
      from,
      from + LOOK_BACK,
      to - LOOK_AHEAD,
      to - closesEarlier,
      to,
    ]);

  return [
    ...timeline.restaurant.flatMap(({ from, to }) => [from, to]),
    ...FULFILLMENT_TYPES.flatMap((type) => ofRule(acceptanceRule(facts, type))),
    ...timeline.intakeStops.flatMap(({ from, to }) => (to === null ? [from] : [from, to])),
  ];
}

const minutesUntil = (closesAt: number | null, at: number): number | null =>
  closesAt === null || closesAt > at + LOOK_AHEAD ? null : Math.floor((closesAt - at) / MINUTE);

/** Begins at `from` (ms) and lasts until the next period. */
type Period = Answers & { from: number; restaurantClosesAt: number | null };

/** The periods include the look-ahead. */
export type StatusPlan = { validFrom: number; validTo: number; periods: readonly Period[] };

/** Calculates periods in which the status does not change. */
export function planStatus(facts: StatusFacts): StatusPlan {
  const { validFrom, validTo, restaurant } = facts.timeline;
  const within = turningPoints(facts).filter(
    (point) => point > validFrom && point <= validTo + LOOK_AHEAD,
  );
  const periods: Period[] = [];

  for (const from of [validFrom, ...[...new Set(within)].toSorted((a, b) => a - b)]) {
    const answers = answersAt(facts, from);
    const last = periods.at(-1);
    if (last !== undefined && sameAnswers(last, answers)) continue;
    periods.push({ ...answers, from, restaurantClosesAt: spanAt(restaurant, from)?.to ?? null });
  }

  return { validFrom, validTo, periods };
}

/** Returns the status at a moment (ms) within the plan (FUL-4 to FUL-6). */
export function statusAt({ periods }: StatusPlan, at: number): Status {
  const index = periods.findLastIndex((period) => period.from <= at);
  const { open, delivery, pickup, restaurantClosesAt } = periods[index]!;
  const changesAt = periods[index + 1]?.from;

  return {
    open,
    delivery,
    pickup,
    closingInMinutes: minutesUntil(restaurantClosesAt, at),
    nextChangeAt: changesAt === undefined || changesAt > at + LOOK_AHEAD ? null : changesAt,
  };
}

/** Returns the first moment (ms) at which orders without a slot are accepted, or null. */
export function acceptsFrom(
  { periods, validTo }: StatusPlan,
  type: FulfillmentType,
  at: number,
): number | null {
  const answer = type === 'DELIVERY' ? 'delivery' : 'pickup';
  const current = periods.findLastIndex((period) => period.from <= at);
  const accepting = periods.slice(Math.max(current, 0)).find((period) => period[answer].accepting);
  if (accepting === undefined) return null;
  const from = Math.max(accepting.from, at);

  // The last period has no end, but nothing is planned after the look-ahead.
  return from > validTo + LOOK_AHEAD ? null : from;
}
