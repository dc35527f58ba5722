import { PublicApi } from '../../packages/client/src/storefront.ts';
import { STREET_NAMES } from '../../packages/erp-emulator/data/streets.ts';

export type DeliveredHouse = {
  text: string;
  address: { city: string; street: string; house: string };
};

/**
 * Finds a house that the API suggests and the emulator's restaurant delivers to. Throws if there is
 * none.
 */
export async function deliveredHouse(
  baseUrl: string,
  organizationId: string,
): Promise<DeliveredHouse> {
  const [house] = await deliveredHouses(baseUrl, organizationId, 1);
  return house!;
}

const NUMBERS = [2, 4, 6, 8, 10, 12];

export async function deliveredHouses(
  baseUrl: string,
  organizationId: string,
  count: number,
): Promise<DeliveredHouse[]> {
  const shop = new PublicApi({ baseUrl });
  const houses: DeliveredHouse[] = [];
  for (const query of NUMBERS.flatMap((number) =>
    STREET_NAMES.map((name) => `${name} ${number}`),
  )) {
    const { data } = await shop.suggestAddresses({ q: query, organization_id: organizationId });
    for (const { text, address } of data.items) {
      const { city, street, house } = address;
      if (street === null || house === null) continue;
      const found = { text, address: { city, street, house } };
      if (houses.some((entry) => entry.text === text)) continue;
      const { data: resolution } = await shop.resolveDelivery({ address: found.address });
      if (resolution.organizationId === organizationId) houses.push(found);
      if (houses.length === count) return houses;
    }
  }
  throw new Error(
    `The restaurant delivers to only ${houses.length} of the houses that are suggested`,
  );
}
