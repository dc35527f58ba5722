import type { Sql } from '../../db/database.ts';
import { expectationMinutes, etaMinutes } from '../../domain/fulfillment/eta.ts';
import { fulfillmentTypesOf, PAYMENT_METHODS } from '../../domain/fulfillment/payment-methods.ts';
import { nearestSlot, readSlotId, slotDays } from '../../domain/fulfillment/slots.ts';
import { intakeStopAt, MINUTE, planStatus, statusAt } from '../../domain/fulfillment/status.ts';
import { timelineOf } from '../../domain/fulfillment/timeline.ts';
import { ASAP } from '../../domain/ordering/gate.ts';
import type { GateFacts } from '../../domain/ordering/gate-facts.ts';
import { readFacts } from '../fulfillment/read-facts.ts';
import { isFor, readSharedFacts } from '../fulfillment/shared-facts.ts';

/** What an order asks for, beside its cart. */
export type Wanted = GateFacts['wanted'];

/** How long the order takes: minutes from now, and the moment (milliseconds) for which it is meant. */
export type Eta = { minutes: number; at: number };

export type TimeReading = {
  time: GateFacts['time'];
  paymentMethods: GateFacts['paymentMethods'];
  eta: Eta;
};

type Order = { organizationId: number; wanted: Wanted; categoryIds: ReadonlySet<number>; at: number; timeZone: string };

/** Whether an organization takes an order at a moment, when it is ready, and how it can be paid for. */
export async function readTimeFacts(
  tx: Sql,
  { organizationId, wanted, categoryIds, at, timeZone }: Order,
): Promise<TimeReading> {
  const facts = (await readFacts(tx, [organizationId], { since: 'today', timeZone })).get(organizationId);
  if (facts === undefined) throw new Error('A cart refers to an organization that does not exist');
  const { type, slotId } = wanted;
  const timeline = timelineOf(facts.schedule, at);
  const ofStatus = { timeline, config: facts.config, flags: facts.flags };
  const status = statusAt(planStatus(ofStatus), at);
  const shared = await readSharedFacts(tx);
  const rules = shared.expectations.filter(isFor(organizationId));
  const expected = expectationMinutes(rules, categoryIds, at);
  const minutes = etaMinutes(type, facts.config, expected);
  const days = slotDays(ofStatus, type, at, minutes);
  const isSlotOffered = slotId === ASAP || days.some((day) => day.slots.some((slot) => slot.id === slotId));
  const nearest = nearestSlot(days, readSlotId(slotId)?.startsAt ?? at);
  const startsAt = isSlotOffered ? readSlotId(slotId)?.startsAt : nearest?.startsAt;
  const stop = intakeStopAt(facts.schedule.intakeStops, type, at);
  return {
    time: {
      acceptance: type === 'DELIVERY' ? status.delivery : status.pickup,
      intakeStoppedUntil: stop?.to ?? null,
      timedOrdersEnabled: facts.flags.timedOrdersEnabled,
      isSlotOffered,
      nearestSlotId: nearest?.id ?? null,
      closingInMinutes: status.closingInMinutes,
      expectation: expected === 0 ? null : { minutes: expected, scope: scopeOf(rules, expected, at) },
    },
    paymentMethods: shared.paymentMethods
      .filter((method) => fulfillmentTypesOf(method, organizationId).includes(type))
      .map(({ code, allowsLeaveAtDoor }) => ({ code, isCash: PAYMENT_METHODS[code].isCash, allowsLeaveAtDoor })),
    eta: startsAt === undefined ? { minutes, at: at + minutes * MINUTE } : slotEta(startsAt, at),
  };
}

const slotEta = (startsAt: number, at: number): Eta => ({
  minutes: Math.max(0, Math.round((startsAt - at) / MINUTE)),
  at: startsAt,
});

type Rules = Parameters<typeof expectationMinutes>[0];

/** GLOBAL when all orders take that much longer, whatever is in the cart. */
const scopeOf = (rules: Rules, expected: number, at: number): 'GLOBAL' | 'CATEGORY' =>
  expectationMinutes(rules, new Set(), at) === expected ? 'GLOBAL' : 'CATEGORY';

/** The categories of some products. */
export async function categoriesOf({ db }: Sql, productIds: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('catalog_product_category')
    .select('categoryId')
    .where('productId', 'in', productIds.length === 0 ? [0] : productIds)
    .execute();
  return new Set(rows.map((each) => each.categoryId));
}

/** True while the connection of the organization is switched on. */
export async function isErpEnabled({ db }: Sql, organizationId: number): Promise<boolean> {
  const found = await db
    .selectFrom('mirror_organization as organization')
    .innerJoin('connection', 'connection.id', 'organization.connectionId')
    .select('connection.status')
    .where('organization.id', '=', organizationId)
    .executeTakeFirst();
  return found?.status === 'ACTIVE';
}
