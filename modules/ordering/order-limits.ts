import { sql } from 'kysely';
import { anyOf, type Database, type Sql, type Tx } from '../../platform/db/database.ts';
import { advisory } from '../../platform/db/locks.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { isPrivateClient } from '../../platform/trusted-proxies.ts';
import { SETTING_DEFAULTS, type OrderLimits } from '../settings/schemas/settings.ts';
import type { CheckoutPlace } from './checkout-place.ts';
import type { Caller } from './evaluate-checkout.ts';
import {
  reachedLimits,
  scopesOf,
  type LimitScope,
  type OrderCount,
  type OrderOrigin,
  type ReachedLimit,
} from './rules/order-limits.ts';

/** Purpose of the digests by which orders are counted. */
const PURPOSE = 'ordering.limits';
/** Time for which a claim without an order counts. Longer than any request that places one. */
const IN_PROGRESS = '1 minute';
/**
 * Longest time for which an overdue order counts as open: some restaurants never complete orders at
 * the ERP.
 */
const LONGEST_OPEN = '6 hours';
/** An order for later counts as open only this long before its time. */
const SOON = '3 hours';

type Deps = { db: Database; secrets: SecretBox };

/**
 * The caller of a checkout; `clientAddress` is an IPv4 address or the /64 network of an IPv6 one.
 */
export type OrderingCaller = Caller & { clientAddress: string };

/** The origin of an order; the organization is that of its cart. */
type CartOrigin = Omit<OrderOrigin, 'organizationId'>;

/** The origin of the order that a checkout would create. `phone` is null if it is unknown. */
export const originOf = (
  { customerId, clientAddress }: OrderingCaller,
  { place, phone }: { place: CheckoutPlace | null; phone: string | null },
): CartOrigin => ({
  customerId,
  clientAddress: isPrivateClient(clientAddress) ? null : clientAddress,
  phone,
  address: place?.address.parts ?? null,
});

/**
 * The key of a limited scope: `current` is stored, `all` are counted (one for each encryption key).
 */
type Key = { scope: LimitScope; current: string; all: readonly string[] };

/** The limits that one more order of this origin would exceed now (rule ORD-121). */
export async function readReachedLimits(
  tx: Sql,
  deps: { secrets: SecretBox },
  origin: OrderOrigin,
  limits: OrderLimits,
): Promise<ReachedLimit[]> {
  const keys = keysOf(deps, origin, limits);
  return keys.length === 0 ? [] : reachedLimits(await countOrders(tx, keys), limits);
}

/**
 * Claims a place within the limits for an order of a cart (rule ORD-121). If the order would exceed
 * limits, returns them and claims nothing. Concurrent orders of one scope claim one after the
 * other. A claim without an order counts for a minute. Call it outside of a transaction.
 */
export async function claimOrder(
  deps: Deps,
  { cartId, orderId, ...origin }: CartOrigin & { cartId: string; orderId: string },
): Promise<ReachedLimit[]> {
  const read = await deps.db.prepared.db
    .selectFrom('cart')
    .leftJoin('setting', (join) => join.on('setting.key', '=', 'order_limits'))
    .select(['cart.organizationId', 'setting.value'])
    .where('cart.id', '=', cartId.toLowerCase())
    .executeTakeFirst();
  if (read === undefined) return [];
  const limits = (read.value ?? SETTING_DEFAULTS.order_limits) as OrderLimits;
  const keys = keysOf(deps, { ...origin, organizationId: read.organizationId }, limits);
  if (keys.length === 0) return [];
  return deps.db.prepared.transaction(async (tx) => {
    await advisory.orderLimits(
      tx,
      keys.flatMap(({ all }) => all),
    );
    const reached = reachedLimits(await countOrders(tx, keys), limits);
    if (reached.length === 0) await saveClaims(tx, keys, orderId);
    return reached;
  });
}

/** Gives back the claims of an order that was not placed. Those of an order that exists stay. */
export async function releaseClaims({ db }: Sql, orderId: string): Promise<void> {
  await db
    .deleteFrom('order_claim')
    .where('orderId', '=', orderId)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('customer_order').select('id').where('id', '=', orderId))))
    .execute();
}

async function saveClaims({ db }: Tx, keys: readonly Key[], orderId: string): Promise<void> {
  await db
    .insertInto('order_claim')
    .values(keys.map(({ current }) => ({ key: current, orderId })))
    .execute();
}

/** Keys of the scopes of an origin that are limited. */
function keysOf({ secrets }: { secrets: SecretBox }, origin: OrderOrigin, limits: OrderLimits): Key[] {
  return scopesOf(origin)
    .filter(({ scope }) => limits[scope].open > 0 || limits[scope].day > 0)
    .map(({ scope, text }) => {
      const counted = JSON.stringify([scope, text]);
      return { scope, current: secrets.digest(PURPOSE, counted), all: secrets.digests(PURPOSE, counted) };
    });
}

/** Counts the open orders of each key, excluding delivered ones, and all orders of 24 hours. */
async function countOrders({ db }: Sql, keys: readonly Key[]): Promise<OrderCount[]> {
  const rows = await db
    .selectFrom('order_claim as claim')
    .leftJoin('customer_order as placed', 'placed.id', 'claim.orderId')
    .select(({ fn }) => [
      'claim.key',
      fn
        .countAll<number>()
        .filterWhere((eb) =>
          eb.or([
            eb('placed.id', 'is', null),
            eb.and([
              eb('placed.endedAt', 'is', null),
              eb('placed.state', '!=', 'DELIVERED'),
              eb('placed.dueAt', '>', sql<Date>`now() - ${sql.lit(LONGEST_OPEN)}::interval`),
              eb('placed.dueAt', '<', sql<Date>`now() + ${sql.lit(SOON)}::interval`),
            ]),
          ]),
        )
        .as('open'),
      fn
        .countAll<number>()
        .filterWhere('claim.claimedAt', '>', sql<Date>`now() - interval '24 hours'`)
        .as('day'),
    ])
    .where(
      'claim.key',
      '=',
      anyOf(
        keys.flatMap(({ all }) => all),
        'text',
      ),
    )
    .where((eb) =>
      eb.or([
        eb('placed.id', 'is not', null),
        eb('claim.claimedAt', '>', sql<Date>`now() - ${sql.lit(IN_PROGRESS)}::interval`),
      ]),
    )
    .groupBy('claim.key')
    .execute();
  return keys.map(({ scope, all }) => {
    const own = rows.filter(({ key }) => all.includes(key));
    return {
      scope,
      open: own.reduce((sum, { open }) => sum + open, 0),
      day: own.reduce((sum, { day }) => sum + day, 0),
    };
  });
}
