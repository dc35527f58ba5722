import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { compileOnce } from '../../../platform/db/compile-once.ts';
import { nestRows, unnestRows } from '../../../platform/db/nested-rows.ts';
import {
  etaMinutes,
  expectationMinutes,
  expectationSteps,
  stepAt,
} from '../../delivery/rules/eta.ts';
import { servedSlots, slotDays, type SlotDay } from '../../delivery/rules/slots.ts';
import {
  acceptanceRule,
  acceptsFrom,
  intakeStoppedUntil,
  statusAt,
  type FulfillmentType,
  type Status,
} from '../../delivery/rules/status.ts';
import { keptPlan } from '../../delivery/hours/kept-plans.ts';
import { factRows, type OrganizationFacts, toFacts } from '../../delivery/hours/read-facts.ts';
import {
  isFor,
  toSharedFacts,
  sharedParts,
  type SharedFacts,
} from '../../delivery/hours/shared-facts.ts';
import type { ServedPlace } from '../../delivery/zones/resolve-delivery.ts';

/** `at` in ms. */
export type OrderToTime = {
  organizationId: number;
  type: FulfillmentType;
  productIds: readonly number[];
  place: ServedPlace | null;
  at: number;
  timeZone: string;
};

export type OrderTime = {
  organization: OrganizationFacts;
  shared: SharedFacts;
  status: Status;
  /** Returns the first time at or after `moment` at which orders are accepted, or null. */
  acceptsFrom: (moment: number) => number | null;
  /** Milliseconds between the last accepted order and closing. */
  closesEarlier: number;
  /** Null if the stop has no end. */
  intakeStoppedUntil: number | null;
  expectation: { minutes: number; scope: 'GLOBAL' | 'CATEGORY' } | null;
  /** Minutes until an order without a slot is ready. */
  minutes: number;
  /** False if no zone of the address is served now. */
  isServedNow: boolean;
  days: SlotDay[];
};

/**
 * Reads the possible times of an order (rules FUL-12, FUL-15, FUL-42). Without a zone, the
 * organization's times apply.
 */
export async function readOrderTime(tx: Sql, order: OrderToTime): Promise<OrderTime> {
  const { organizationId, type, productIds, at, timeZone } = order;
  const [row] = await readTimes(tx, { organizationIds: [organizationId], productIds });
  if (row === undefined) throw new Error('A statement without tables has one row');
  const organization = toFacts(unnestRows(row.organizations), timeZone).get(organizationId);
  if (organization === undefined)
    throw new Error('The time of an organization that does not exist was requested');
  const { schedule, config } = organization;
  const { facts, plan } = keptPlan(organization, at);
  const shared = toSharedFacts(row);
  const rules = shared.expectations.filter(isFor(organizationId));
  const categoryIds = new Set(unnestRows(row.categories).map((json) => json.categoryId));
  const steps = expectationSteps(rules, categoryIds, at);
  const expected = stepAt(steps, at);
  const isGlobal = expectationMinutes(rules, new Set(), at) === expected;
  const zoneMinutes = minutesOfZone(type === 'DELIVERY' ? order.place : null);
  const readyIn = (moment: number): number | null => {
    const deliveryMinutes = zoneMinutes(moment, config.deliveryMinutes);
    return deliveryMinutes === null
      ? null
      : etaMinutes(type, { ...config, deliveryMinutes }, stepAt(steps, moment));
  };

  const now = readyIn(at);

  return {
    organization,
    shared,
    status: statusAt(plan, at),
    acceptsFrom: (moment) => acceptsFrom(plan, type, moment),
    closesEarlier: acceptanceRule(facts, type).closesEarlier,
    intakeStoppedUntil: intakeStoppedUntil(schedule.intakeStops, type, at),
    expectation:
      expected === 0 ? null : { minutes: expected, scope: isGlobal ? 'GLOBAL' : 'CATEGORY' },
    minutes: now ?? etaMinutes(type, config, expected),
    isServedNow: now !== null,
    days: servedSlots(slotDays(facts, type, at, 0), at, readyIn),
  };
}

type Asked = { organizationIds: readonly number[]; productIds: readonly number[] };

const readTimes = compileOnce((tx, { organizationIds, productIds }: Asked) =>
  tx.db.selectNoFrom([
    nestRows(factRows(tx, organizationIds, 'today')).as('organizations'),
    ...sharedParts(tx),
    nestRows(selectCategories(tx, productIds)).as('categories'),
  ]),
);

const selectCategories = ({ db }: Sql, productIds: readonly number[]) =>
  db
    .selectFrom('catalog_product_category')
    .select('categoryId')
    .where('productId', '=', anyOf(productIds));

/** Null while the zone is not served. Without a zone, returns `ofOrganization`. */
function minutesOfZone(
  place: ServedPlace | null,
): (moment: number, ofOrganization: number) => number | null {
  return (moment, ofOrganization) => {
    if (place === null || place.point === null || place.refused !== null) return ofOrganization;
    const { choice } = place.point.zoneAt(moment);
    if (choice.outcome === 'CHOSEN') return choice.terms.durationMinutes;
    return choice.rule === 'NOT_SERVED_NOW' ? null : ofOrganization;
  };
}
