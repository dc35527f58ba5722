import { Type, type Static } from 'typebox';
import { Uuid, maybe } from './check.ts';

/** An invalid coordinate must not fail the list. */
const Coordinate = Type.Optional(Type.Unknown());

/** Undeclared fields are kept for diagnostics. The address may be in three fields (MIR-24). */
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
