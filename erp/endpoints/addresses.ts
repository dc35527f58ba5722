import type { Endpoint, EndpointGroup, CallOptions, ErpAnswer } from '../call.ts';
import { CitiesAnswer, StreetsAnswer, type ErpPlace } from '../schemas/addresses.ts';
import { checkOf, checkThen } from '../schemas/check.ts';

const live = (places: readonly (ErpPlace & { isDeleted?: boolean | null | undefined })[]): ErpPlace[] =>
  places.filter((each) => each.isDeleted !== true).map(({ id, name }) => ({ id, name }));

const CITIES: Endpoint<{ cities: ErpPlace[] }> = {
  path: '/api/1/cities',
  check: checkThen(checkOf(CitiesAnswer), (answer) => ({ cities: live(answer.cities.flatMap(({ items }) => items)) })),
};

const STREETS: Endpoint<{ streets: ErpPlace[] }> = {
  path: '/api/1/streets/by_city',
  check: checkThen(checkOf(StreetsAnswer), (answer) => ({ streets: live(answer.streets) })),
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

/** Cities of organizations and the streets of a city; those that are deleted are left out. */
export const addressCalls: EndpointGroup<AddressCalls> = (call) => ({
  cities: (connectionId, organizationIds, options) => call(connectionId, CITIES, { organizationIds }, options),
  streets: (connectionId, city, options) => call(connectionId, STREETS, city, options),
});
