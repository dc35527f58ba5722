import { itemsOf, type ErpOrganization } from '@carte/client/admin';
import { useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { mostFrequent } from '../pure/moments.ts';
import { readOne } from '../pure/search.ts';
import { session } from './api.ts';
import { useUrl } from './url.ts';

const FRESH_MS = 300_000;

async function readAll(): Promise<ErpOrganization[]> {
  const found = await Array.fromAsync(
    itemsOf(
      (paging) => session.api.listErpOrganizations({ active: true, sort: ['name,asc'], ...paging }),
      200,
    ),
  );

  return found;
}

/** Returns all visible restaurants, cached for five minutes. */
export function useRestaurants(enabled = true): readonly ErpOrganization[] {
  const { data } = useQuery({
    queryKey: ['restaurants'],
    queryFn: readAll,
    staleTime: FRESH_MS,
    enabled,
  });

  return data ?? [];
}

export function useRestaurant(id: string | number | null | undefined): ErpOrganization | undefined {
  const all = useRestaurants(id !== null && id !== undefined);
  return all.find((restaurant) => restaurant.id === Number(id) || restaurant.erpId === id);
}

/** Returns the restaurant that the URL names. */
export function usePickedRestaurant(): ErpOrganization | undefined {
  const [search] = useUrl();
  return useRestaurant(readOne(search, 'restaurant'));
}

const COMPARED = 50;

/** Returns the most frequent zone, or undefined until restaurants are read. */
function useChainZone(): string | undefined {
  const { data } = useQuery({
    queryKey: ['zone'],
    queryFn: async () => {
      const { data: page } = await session.api.listErpOrganizations({
        active: true,
        size: COMPARED,
      });
      const zones = page.items.map(({ effectiveTimeZone }) => effectiveTimeZone);

      return mostFrequent(zones) ?? BROWSER_ZONE;
    },
    staleTime: 'static',
  });

  return data;
}

const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone of times that belong to no restaurant. */
export const ZoneContext = createContext(BROWSER_ZONE);

/** Returns the zone of the selected restaurant, or else the chain's most frequent zone. */
export function useFrameZone(): string {
  const picked = usePickedRestaurant();
  const chain = useChainZone();
  return picked?.effectiveTimeZone ?? chain ?? BROWSER_ZONE;
}

/** Returns the given zone, or else that of the frame. */
export function useZone(zone?: string): string {
  const shared = use(ZoneContext);
  return zone ?? shared;
}
