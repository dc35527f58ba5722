import { Type } from 'typebox';
import { Uuid, maybe } from './read.ts';

const Named = Type.Object({ id: Uuid, name: Type.String(), isDeleted: maybe(Type.Boolean()) });

/** Cities wrapped by organization. */
export const CitiesAnswer = Type.Object({
  cities: Type.Array(Type.Object({ organizationId: Uuid, items: Type.Array(Named) })),
});

/** The streets of one city, not wrapped. */
export const StreetsAnswer = Type.Object({ streets: Type.Array(Named) });

/** A city or a street that the ERP knows. */
export type ErpPlace = { id: string; name: string };
