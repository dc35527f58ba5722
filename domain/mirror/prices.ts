import type { Anomalies } from './anomalies.ts';
import type { PricedSource } from './menu-source.ts';
import { kopecks } from './values.ts';

/** What a size or a modifier costs in each organization of the request; null: stated, but not for sale. */
export type PriceReader = (source: PricedSource) => { organizationId: number; priceKopecks: number | null }[];

/**
 * Reads both price forms: `prices` by organization, or the scalar `price` when exactly one organization was asked for.
 * The first price of an organization wins; organizations outside the request are left out and counted.
 */
export function priceReader(organizations: ReadonlyMap<string, number>, anomalies: Anomalies): PriceReader {
  const [only] = organizations.size === 1 ? organizations.values() : [];
  const unknown = new Set<string>();

  return (source) => {
    const prices = new Map<number, number | null>();
    if (source.prices == null) {
      if (only !== undefined && source.price !== undefined) prices.set(only, inKopecks(source.price));
    } else {
      for (const { organizations: ids, price } of source.prices) {
        for (const id of ids) {
          const organizationId = organizations.get(id) ?? organizations.get(id.toLowerCase());
          if (organizationId !== undefined) {
            if (!prices.has(organizationId)) prices.set(organizationId, inKopecks(price));
          } else if (!unknown.has(id)) {
            // Counted once per organization: it stands in thousands of price rows.
            unknown.add(id);
            anomalies.add('UNKNOWN_ORGANIZATION', id);
          }
        }
      }
    }
    return [...prices].map(([organizationId, priceKopecks]) => ({ organizationId, priceKopecks }));
  };
}

function inKopecks(price: number | null | undefined): number | null {
  return price == null ? null : kopecks(price);
}
