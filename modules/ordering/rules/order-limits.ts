import type { CodeOf } from '../../../kernel/pure/codes.ts';
import { geocodedCity, geocodedStreet } from '../../delivery/rules/addresses/address-names.ts';
import { houseNumber, houseWithBuilding } from '../../delivery/rules/addresses/house-number.ts';

export type LimitScope = CodeOf<'OrderLimitScope'>;

/** 0 means no limit. */
export type OrderLimit = { open: number; day: number };

export type ReachedLimit = { scope: LimitScope; period: CodeOf<'OrderLimitPeriod'> };

export type CountedBy = { scope: LimitScope; text: string };

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
  /** IPv4 address, or /64 network of IPv6. Null behind a private proxy. */
  clientAddress: string | null;
  organizationId: number;
};

/**
 * Returns the scopes that count an order (rule ORD-121). Customers count only by account, so that
 * guests cannot use up their limits.
 */
export function listScopes({
  customerId,
  phone,
  address,
  clientAddress,
  organizationId,
}: OrderOrigin): CountedBy[] {
  if (customerId !== null) return [{ scope: 'CUSTOMER', text: customerId }];
  const door = address === null ? null : normalizeDoor(address);

  return [
    ...(phone === null ? [] : [{ scope: 'GUEST', text: phone } as const]),
    ...(door === null ? [] : [{ scope: 'ADDRESS', text: door } as const]),
    ...(clientAddress === null
      ? []
      : [{ scope: 'NETWORK', text: `${toNetwork(clientAddress)} ${organizationId}` } as const]),
    { scope: 'POINT', text: String(organizationId) },
  ];
}

/** Null without a flat, because offices and hospitals have many guests. */
function normalizeDoor({
  city,
  street,
  house,
  building,
  flat,
}: NonNullable<OrderOrigin['address']>): string | null {
  if (city === null || street === null || house === null) return null;
  const number = houseNumber(houseWithBuilding(house, building));
  // «кв. 7» and «7» are the same flat.
  const door = flat?.match(/\p{N}+/gu) ?? splitWords(flat ?? '');
  if (door.length === 0) return null;

  return JSON.stringify([
    splitWords(geocodedCity(city)),
    splitWords(geocodedStreet(street)),
    number,
    door,
  ]);
}

/** Sorts the words, because their order does not matter. */
const splitWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).toSorted();

/** The /24 network of IPv4. */
const toNetwork = (client: string): string => client.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');

export type OrderCount = { scope: LimitScope; open: number; day: number };

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
