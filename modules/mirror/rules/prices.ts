import type { Anomalies } from './anomalies.ts';
import type { PricedSource } from './menu-source.ts';
import { isPrice, kopecks } from './values.ts';

/** Returns one price per requested organization; null means listed, but not for sale. */
export type PriceReader = (
  itemErpId: string,
  source: PricedSource,
) => { organizationId: number; priceKopecks: number | null }[];

/**
 * Reads `prices` by organization, or `price` if exactly one was requested. The first price of an
 * organization wins. Invalid prices (not for sale) and prices of other organizations are counted.
 */
export function priceReader(
  organizations: ReadonlyMap<string, number>,
  anomalies: Anomalies,
): PriceReader {
  const [only] = organizations.size === 1 ? organizations.values() : [];
  const unknown = new Set<string>();

  const inKopecks = (itemErpId: string, price: number | null | undefined): number | null => {
    if (price == null) return null;
    if (isPrice(price)) return kopecks(price);
    anomalies.add('INVALID_PRICE', itemErpId);
    return null;
  };

  return (itemErpId, source) => {
    const prices = new Map<number, number | null>();
    if (source.prices == null) {
      if (only !== undefined && source.price !== undefined)
        prices.set(only, inKopecks(itemErpId, source.price));
    } else {
      for (const { organizations: ids, price } of source.prices) {
        for (const id of ids) {
          const organizationId = organizations.get(id) ?? organizations.get(id.toLowerCase());
          if (organizationId !== undefined) {
            if (!prices.has(organizationId))
              prices.set(organizationId, inKopecks(itemErpId, price));
          } else if (!unknown.has(id)) {
            // Counted once, because thousands of price rows may contain the organization.
            unknown.add(id);
            anomalies.add('UNKNOWN_ORGANIZATION', id);
          }
        }
      }
    }

    return [...prices].map(([organizationId, priceKopecks]) => ({ organizationId, priceKopecks }));
  };
}
