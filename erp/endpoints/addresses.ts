import type { Endpoint, EndpointGroup, CallOptions, ErpAnswer } from '../call.ts';
import { checkThen, Uuid, maybe } from '../schemas/check.ts';
import { checkRows } from '../schemas/read-rows.ts';
import { Type } from 'typebox';

const Named = Type.Object({ id: Uuid, name: Type.String(), isDeleted: maybe(Type.Boolean()) });

const CitiesAnswer = Type.Object({
  cities: Type.Array(Type.Object({ organizationId: Uuid, items: Type.Array(Named) })),
});

const StreetsAnswer = Type.Object({ streets: Type.Array(Named) });

type ErpPlace = { id: string; name: string };

const live = (
  places: readonly (ErpPlace & { isDeleted?: boolean | null | undefined })[],
): ErpPlace[] =>
  places.filter((place) => place.isDeleted !== true).map(({ id, name }) => ({ id, name }));

const CITIES: Endpoint<{ cities: ErpPlace[] }> = {
  path: '/api/1/cities',
  check: checkThen(checkRows(CitiesAnswer), (answer) => ({
    cities: live(answer.cities.flatMap(({ items }) => items)),
  })),
};

const STREETS: Endpoint<{ streets: ErpPlace[] }> = {
  path: '/api/1/streets/by_city',
  check: checkThen(checkRows(StreetsAnswer), (answer) => ({ streets: live(answer.streets) })),
};

export type AddressCalls = {
  cities(
    connectionId: number,
    organizationIds: string[],
    options?: CallOptions,
  ): Promise<ErpAnswer<{ cities: ErpPlace[] }>>;
  streets(
    connectionId: number,
    city: { organizationId: string; cityId: string },
    options?: CallOptions,
  ): Promise<ErpAnswer<{ streets: ErpPlace[] }>>;
};

/** Without deleted cities and streets. */
export const addressCalls: EndpointGroup<AddressCalls> = (call) => ({
  cities: (connectionId, organizationIds, options) =>
    call(connectionId, CITIES, { organizationIds }, options),
  streets: (connectionId, city, options) => call(connectionId, STREETS, city, options),
});
