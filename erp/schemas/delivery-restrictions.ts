import { Type, type Static } from 'typebox';
import { Key, Uuid, maybe, orNull } from './check.ts';

/**
 * A rule of a zone. It names its zone by the zone's name. A null has no bound, or the value of the
 * organization.
 */
const Restriction = Type.Object({
  zone: maybe(Key),
  organizationId: maybe(Uuid),
  terminalGroupId: maybe(Uuid),
  weekMap: orNull(Type.Number()),
  from: maybe(Type.Number()),
  to: maybe(Type.Number()),
  priority: orNull(Type.Number()),
  minSum: maybe(Type.Number()),
  deliveryDurationInMinutes: orNull(Type.Number()),
});

/** A corner of a zone. Without it the zone would have another border, so it is never left out. */
type Corner = { latitude?: unknown; longitude?: unknown };

/**
 * Coordinates are judged one by one afterwards: a broken one costs its zone and not the whole map.
 */
const Zone = Type.Object({
  name: maybe(Key),
  coordinates: maybe(Type.Array(Type.Unsafe<Corner>({}))),
});

/** The delivery map of one organization: its defaults, zones and their rules. */
const DeliveryMap = Type.Object({
  organizationId: Uuid,
  useSameDeliveryDuration: maybe(Type.Boolean()),
  defaultDeliveryDurationInMinutes: maybe(Type.Number()),
  defaultSelfServiceDurationInMinutes: maybe(Type.Number()),
  useSameMinSum: maybe(Type.Boolean()),
  defaultMinSum: maybe(Type.Number()),
  useSameWorkTimeInterval: maybe(Type.Boolean()),
  defaultFrom: maybe(Type.Number()),
  defaultTo: maybe(Type.Number()),
  useSameRestrictionsOnAllWeek: maybe(Type.Boolean()),
  restrictions: orNull(Type.Array(Restriction)),
  deliveryZones: orNull(Type.Array(Zone)),
});
export type ErpDeliveryMap = Static<typeof DeliveryMap>;

/** One row for each organization. */
export const DeliveryRestrictionsAnswer = Type.Object({ deliveryRestrictions: Type.Array(DeliveryMap) });
