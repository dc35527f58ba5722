import type { AddressSuggestions } from '../schemas/zones.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { geocoderFailure } from './geocoder.ts';
import { organizationNotFound } from '../../menus/storefront/served-organizations.ts';
import type { AddressSearch } from './address-search.ts';
import { toCandidates } from './locate-place.ts';
import { organizationOfGuest, type ErpStreets } from './erp-streets.ts';

export type SuggestDeps = { db: Sql; addressSearch: AddressSearch | null; erpStreets: ErpStreets };

type Suggestion = AddressSuggestions['items'][number];

/**
 * Suggests addresses near the organization, or streets of the ERP without a geocoder (FUL-35).
 * Problem `not-found`.
 */
export async function suggestAddresses(
  deps: SuggestDeps,
  { q, limit, organizationId }: { q: string; limit: number; organizationId: string | undefined },
): Promise<AddressSuggestions> {
  const organization =
    organizationId === undefined
      ? undefined
      : await organizationOfGuest(deps.db, organizationId.toLowerCase());
  if (organizationId !== undefined && organization === undefined) throw organizationNotFound();

  const { latitude = null, longitude = null } = organization ?? {};
  const near =
    latitude === null || longitude === null ? undefined : ([longitude, latitude] as const);
  if (deps.addressSearch !== null)
    try {
      const places = await deps.addressSearch.search({ text: q, limit, near }, 'OTHER');
      return { items: unique(places.flatMap(toCandidates)), degraded: false };
    } catch (error) {
      if (geocoderFailure(error) === null) throw error;
    }

  const streets = organization === undefined ? null : await deps.erpStreets.of(organization);
  const words = splitWords(q);
  const fitting = (streets ?? []).filter(({ city, street }) => {
    const own = splitWords(`${city} ${street}`);
    return words.every((word) => own.some((text) => text.startsWith(word)));
  });

  return {
    items: fitting.slice(0, limit).map(({ city, street }) => ({
      text: `${city}, ${street}`,
      address: { city, street, house: null },
      coords: null,
      precision: 'STREET',
    })),
    degraded: true,
  };
}

const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const unique = (items: readonly Suggestion[]): Suggestion[] =>
  [...new Map(items.toReversed().map((item) => [item.text, item])).values()].toReversed();
