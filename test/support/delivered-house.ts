import { PublicApi } from '../../client/public.ts';
import { STREET_NAMES } from '../../emulator/data/streets.ts';

export type DeliveredHouse = {
  /** As a suggestion shows it. */
  text: string;
  address: { city: string; street: string; house: string };
};

/** A house that the API at `baseUrl` suggests and that the restaurant of the emulator delivers to. Throws when there is none. */
export async function deliveredHouse(baseUrl: string, organizationId: string): Promise<DeliveredHouse> {
  const shop = new PublicApi({ baseUrl });
  for (const name of STREET_NAMES) {
    const { data } = await shop.suggestAddresses({ q: `${name} 2`, organization_id: organizationId });
    for (const { text, address } of data.items) {
      const { city, street, house } = address;
      if (street === null || house === null) continue;
      const found = { text, address: { city, street, house } };
      const { data: resolution } = await shop.resolveDelivery({ address: found.address });
      if (resolution.organizationId === organizationId) return found;
    }
  }
  throw new Error('The restaurant delivers to no house that is suggested');
}
