import type { CartDelivery } from '../tables/carts.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { ErpNames } from '../../delivery/rules/erp-names.ts';
import { listFulfillmentTypes, PAYMENT_METHODS } from '../../delivery/rules/payment-methods.ts';
import { nearestSlot, readSlotId } from '../../delivery/rules/slots.ts';
import { MINUTE, type Acceptance, type FulfillmentType } from '../../delivery/rules/status.ts';
import { ASAP } from '../rules/gate.ts';
import type { AddressFact, GateFacts } from '../rules/gate-facts.ts';
import type { SharedFacts } from '../../delivery/hours/shared-facts.ts';
import { findService, type ServedPlace } from '../../delivery/zones/resolve-delivery.ts';
import { readOrderTime, type OrderToTime } from './order-time.ts';

export type Wanted = GateFacts['wanted'];

/** `minutes` from now; `at` in ms. */
export type Eta = { minutes: number; at: number };

export type TimeReading = Pick<GateFacts, 'time' | 'address'> & {
  paymentMethods: SharedFacts['paymentMethods'];
  eta: Eta;
  /** Start of the slot, or now. Applies to the hours of dishes. */
  orderedFor: number;
  /** Sorted by start. */
  slots: readonly { id: string; startsAt: number }[];
  /** Null unless the address is in the delivery area. */
  delivery: CartDelivery | null;
};

/** Reads acceptance of orders, the zone that serves the address then, and payment methods. */
export async function readTimeFacts(
  tx: Sql,
  {
    wanted,
    ...order
  }: Omit<OrderToTime, 'type'> & { wanted: Pick<Wanted, 'type' | 'slotId' | 'addressId'> },
): Promise<TimeReading> {
  const { type, slotId } = wanted;
  const { organizationId, at, place } = order;
  const { organization, shared, status, days, minutes, closesEarlier, ...time } =
    await readOrderTime(tx, {
      ...order,
      type,
    });

  const isSlotOffered =
    slotId === ASAP || days.some((day) => day.slots.some((slot) => slot.id === slotId));
  const nearest = nearestSlot(days, readSlotId(slotId)?.startsAt ?? at);
  const startsAt = isSlotOffered ? readSlotId(slotId)?.startsAt : nearest?.startsAt;
  const address = type === 'DELIVERY' && place !== null ? addressFact(place, startsAt ?? at) : null;
  const isOurs =
    place !== null && findService(place, startsAt ?? at)?.zone?.organization.id === organizationId;
  const acceptance =
    type === 'DELIVERY'
      ? deliveryAcceptance(status.delivery, { place, at, acceptsFrom: time.acceptsFrom })
      : reopening(status.pickup, { at, acceptsFrom: time.acceptsFrom });

  return {
    time: {
      acceptance,
      intakeStoppedUntil: time.intakeStoppedUntil,
      timedOrdersEnabled: organization.flags.timedOrdersEnabled,
      isSlotOffered,
      nearestSlotId: nearest?.id ?? null,
      intakeEndsInMinutes:
        acceptance.closesAt === null
          ? null
          : Math.floor((acceptance.closesAt - closesEarlier - at) / MINUTE),
      expectation: time.expectation,
    },
    paymentMethods: shared.paymentMethods,
    eta: startsAt === undefined ? { minutes, at: at + minutes * MINUTE } : slotEta(startsAt, at),
    orderedFor: startsAt ?? at,
    slots: days.flatMap((day) =>
      day.slots.map(({ id, startsAt: start }) => ({ id, startsAt: start })),
    ),
    address,
    delivery:
      address?.isResolved === true && isOurs && wanted.addressId !== null
        ? {
            addressId: wanted.addressId,
            terminalGroupErpId: address.terminalGroupErpId,
            deliveryFeeKopecks: address.deliveryFeeKopecks,
          }
        : null,
  };
}

/** Returns offered methods that the ERP supports (rules FUL-20, FUL-45). */
export const paymentFacts = (
  methods: SharedFacts['paymentMethods'],
  {
    organizationId,
    type,
    names,
  }: { organizationId: number; type: FulfillmentType; names: ErpNames | null },
): GateFacts['paymentMethods'] =>
  methods
    .filter((method) => listFulfillmentTypes(method, organizationId, names).includes(type))
    .map(({ code, allowsLeaveAtDoor }) => ({
      code,
      isCash: PAYMENT_METHODS[code].isCash,
      allowsLeaveAtDoor,
    }));

type Moments = { at: number; acceptsFrom: (moment: number) => number | null };

/** Shortly before closing, `opensAt` is the next time that orders are accepted. */
const reopening = (acceptance: Acceptance, { at, acceptsFrom }: Moments): Acceptance =>
  acceptance.accepting || acceptance.opensAt === null || acceptance.opensAt > at
    ? acceptance
    : { ...acceptance, opensAt: acceptsFrom(at) };

/** Without a slot, both the restaurant and the zone must be open (rule FUL-53). */
function deliveryAcceptance(
  acceptance: Acceptance,
  { place, at, acceptsFrom }: Moments & { place: ServedPlace | null },
): GateFacts['time']['acceptance'] {
  const isZoneKnown = place !== null && place.point !== null && place.refused === null;
  if (!isZoneKnown || (!acceptance.accepting && acceptance.opensAt === null))
    return reopening(acceptance, { at, acceptsFrom });
  const opensAt = bothFrom(at, acceptsFrom, (moment) => place.point!.servedFrom(moment));
  if (opensAt === at) return acceptance;
  if (!acceptance.accepting) return { ...acceptance, opensAt };

  return { ...acceptance, accepting: false, reason: 'ZONE_CLOSED', opensAt };
}

/** Returns the first time that all functions return unchanged, or null. */
function bothFrom(
  at: number,
  ...from: readonly ((moment: number) => number | null)[]
): number | null {
  let moment: number | null = at;
  for (let agreed = 0, index = 0; agreed < from.length && moment !== null; index += 1) {
    const next: number | null = from[index % from.length]!(moment);
    agreed = next === moment ? agreed + 1 : 1;
    moment = next;
  }

  return moment;
}

/** Returns the zone that serves the place then or next, or why none does. */
function addressFact(place: ServedPlace, moment: number): AddressFact {
  const { precision, missing } = place.located;
  const service = findService(place, moment);
  if (precision === null || service === null || place.refused !== null)
    return { isResolved: false, reason: place.refused ?? 'ADDRESS_NOT_FOUND', precision, missing };
  const { choice, zone, at } = service;
  if (choice.outcome !== 'CHOSEN' || zone === null)
    return {
      isResolved: false,
      reason: choice.outcome === 'ZONES_OVERLAP' ? 'ZONES_OVERLAP' : 'ZONE_NOT_FOUND',
      precision,
      missing,
    };

  const { terminalGroupId: _, ...terms } = choice.terms;

  return {
    isResolved: true,
    organizationId: zone.organization.erpId,
    precision,
    zoneId: zone.id,
    at,
    chosenBy: choice.rule,
    ...terms,
  };
}

const slotEta = (startsAt: number, at: number): Eta => ({
  minutes: Math.max(0, Math.round((startsAt - at) / MINUTE)),
  at: startsAt,
});
