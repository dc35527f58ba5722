import { Type, type Static } from 'typebox';
import { Key, Uuid, maybe, orNull } from './check.ts';

/** Refers to its zone by name. Null means no bound, or the organization's value. */
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

/** Never omitted: without a corner the zone would have another border. */
type Corner = { latitude?: unknown; longitude?: unknown };

/** Coordinates are validated later: a broken one only invalidates its zone. */
const Zone = Type.Object({
  name: maybe(Key),
  coordinates: maybe(Type.Array(Type.Unsafe<Corner>({}))),
});

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

export const DeliveryRestrictionsAnswer = Type.Object({
  deliveryRestrictions: Type.Array(DeliveryMap),
});
