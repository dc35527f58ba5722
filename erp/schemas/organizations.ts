import { Type, type Static } from 'typebox';
import { Uuid, maybe } from './check.ts';

/**
 * Any value: an invalid coordinate only removes the organization's place on the map and does not
 * fail the list.
 */
const Coordinate = Type.Optional(Type.Unknown());

/**
 * One organization. Undeclared fields are kept in the object, so it can be stored whole for
 * diagnostics. The address may be in three places; which one wins is the importer's rule (rule
 * MIR-24).
 */
export const ErpOrganization = Type.Object({
  id: Uuid,
  name: Type.String({ pattern: '\\S' }),
  code: maybe(Type.String()),
  address: maybe(Type.String()),
  restaurantAddress: maybe(Type.String()),
  latitude: Coordinate,
  longitude: Coordinate,
  additionalInfo: maybe(
    Type.Object({
      restaurantAddress: maybe(Type.String()),
      latitude: Coordinate,
      longitude: Coordinate,
    }),
  ),
});
export type ErpOrganization = Static<typeof ErpOrganization>;

export const OrganizationsAnswer = Type.Object({ organizations: Type.Array(ErpOrganization) });
