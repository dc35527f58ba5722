import type { CodeOf } from '../../../kernel/pure/codes.ts';
import { geocodedCity, geocodedStreet } from '../../delivery/rules/addresses/address-names.ts';
import { houseNumber, houseWithBuilding } from '../../delivery/rules/addresses/house-number.ts';

/** A scope in which orders are counted. */
export type LimitScope = CodeOf<'OrderLimitScope'>;

/** Maximum of orders of one scope: open ones, and those within 24 hours. 0 means no limit. */
export type OrderLimit = { open: number; day: number };

/** A limit that an order would exceed. */
export type ReachedLimit = { scope: LimitScope; period: CodeOf<'OrderLimitPeriod'> };

/** The plain key of the orders of a scope. */
export type CountedBy = { scope: LimitScope; text: string };

/** The origin of an order, and its destination. */
export type OrderOrigin = {
  /** Null for a guest. */
  customerId: string | null;
  /** Null in preflight. */
  phone: string | null;
  /** Null for pickup. */
  address: {
    city: string | null;
    street: string | null;
    house: string | null;
    building: string | null;
    flat: string | null;
  } | null;
  /** An IPv4 address, or the /64 network of an IPv6 address; null for a proxy of ours. */
  clientAddress: string | null;
  organizationId: number;
};

/**
 * The scopes in which an order is counted (rule ORD-121). Orders of a customer are counted by
 * account only, so that no guest can use up the limits of a customer.
 */
export function scopesOf({ customerId, phone, address, clientAddress, organizationId }: OrderOrigin): CountedBy[] {
  if (customerId !== null) return [{ scope: 'CUSTOMER', text: customerId }];
  const door = address === null ? null : doorOf(address);
  return [
    ...(phone === null ? [] : [{ scope: 'GUEST', text: phone } as const]),
    ...(door === null ? [] : [{ scope: 'ADDRESS', text: door } as const]),
    ...(clientAddress === null
      ? []
      : [{ scope: 'NETWORK', text: `${networkOf(clientAddress)} ${organizationId}` } as const]),
    { scope: 'POINT', text: String(organizationId) },
  ];
}

/**
 * One text for the spellings of an address down to the flat; null for an address without words or
 * without a flat: an office tower or a hospital has many guests at one door.
 */
function doorOf({ city, street, house, building, flat }: NonNullable<OrderOrigin['address']>): string | null {
  if (city === null || street === null || house === null) return null;
  const number = houseNumber(houseWithBuilding(house, building));
  // «кв. 7» and «7» are the same flat.
  const door = flat?.match(/\p{N}+/gu) ?? wordsOf(flat ?? '');
  if (door.length === 0) return null;
  return JSON.stringify([wordsOf(geocodedCity(city)), wordsOf(geocodedStreet(street)), number, door]);
}

/** Words of a name in any order. */
const wordsOf = (text: string): string[] => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).toSorted();

/** The /24 network of an IPv4 address; any other client as it is. */
const networkOf = (client: string): string => client.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');

/** Orders of a scope: open ones, and those of 24 hours. */
export type OrderCount = { scope: LimitScope; open: number; day: number };

/** The limits that one more order would exceed. */
export function reachedLimits(
  counts: readonly OrderCount[],
  limits: Readonly<Record<LimitScope, OrderLimit>>,
): ReachedLimit[] {
  return counts.flatMap(({ scope, open, day }) => [
    ...(isReached(open, limits[scope].open) ? [{ scope, period: 'OPEN' } as const] : []),
    ...(isReached(day, limits[scope].day) ? [{ scope, period: 'DAY' } as const] : []),
  ]);
}

const isReached = (count: number, most: number): boolean => most > 0 && count >= most;
