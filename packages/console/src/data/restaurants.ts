import { itemsOf, type ErpOrganization } from '@carte/client/admin';
import { useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { oneOf } from '../pure/search.ts';
import { session } from './api.ts';
import { useUrl } from './url.ts';

const FRESH_MS = 300_000;

async function readAll(): Promise<ErpOrganization[]> {
  const found = await Array.fromAsync(
    itemsOf((paging) => session.api.listErpOrganizations({ active: true, sort: ['name,asc'], ...paging }), 200),
  );
  return found;
}

/** All restaurants that the person may see, read once in five minutes. */
export function useRestaurants(enabled = true): readonly ErpOrganization[] {
  const { data } = useQuery({ queryKey: ['restaurants'], queryFn: readAll, staleTime: FRESH_MS, enabled });
  return data ?? [];
}

/** A restaurant by its number or its uuid. */
export function useRestaurant(id: string | number | null | undefined): ErpOrganization | undefined {
  const all = useRestaurants(id !== null && id !== undefined);
  return all.find((restaurant) => restaurant.id === Number(id) || restaurant.erpId === id);
}

/** The restaurant of the picker in the frame, which is in the URL. */
export function usePickedRestaurant(): ErpOrganization | undefined {
  const [search] = useUrl();
  return useRestaurant(oneOf(search, 'restaurant'));
}

/** The zone of the picked restaurant, or else that of the browser; the frame sets it. */
export const ZoneContext = createContext(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** A zone, or else that of the picked restaurant, or else that of the browser. */
export function useZone(zone?: string): string {
  const usual = use(ZoneContext);
  return zone ?? usual;
}
