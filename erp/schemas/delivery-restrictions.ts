import { Type, type Static } from 'typebox';
import { Key, Uuid, maybe, orNull } from './check.ts';

/** A rule of a zone. It names its zone by the zone's name; a null has no bound. */
const Restriction = Type.Object({
  zone: maybe(Key),
  organizationId: maybe(Uuid),
  terminalGroupId: maybe(Uuid),
  weekMap: Type.Number(),
  from: maybe(Type.Number()),
  to: maybe(Type.Number()),
  priority: Type.Number(),
  minSum: maybe(Type.Number()),
  deliveryDurationInMinutes: Type.Number(),
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
  useSameDeliveryDuration: Type.Boolean(),
  defaultDeliveryDurationInMinutes: Type.Number(),
  defaultSelfServiceDurationInMinutes: Type.Number(),
  useSameMinSum: Type.Boolean(),
  defaultMinSum: maybe(Type.Number()),
  useSameWorkTimeInterval: Type.Boolean(),
  defaultFrom: maybe(Type.Number()),
  defaultTo: maybe(Type.Number()),
  useSameRestrictionsOnAllWeek: Type.Boolean(),
  restrictions: orNull(Type.Array(Restriction)),
  deliveryZones: orNull(Type.Array(Zone)),
});
export type ErpDeliveryMap = Static<typeof DeliveryMap>;

/** One row for each organization. */
export const DeliveryRestrictionsAnswer = Type.Object({ deliveryRestrictions: Type.Array(DeliveryMap) });
