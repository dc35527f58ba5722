import { sql } from 'kysely';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { advisory } from '../../../platform/db/locks.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { isPrivateClient } from '../../../platform/trusted-proxies.ts';
import { SETTING_DEFAULTS, type OrderLimits } from '../../settings/schemas/settings.ts';
import type { CheckoutPlace } from './checkout-place.ts';
import type { Caller } from './read-checkout.ts';
import {
  reachedLimits,
  listScopes,
  type LimitScope,
  type OrderCount,
  type OrderOrigin,
  type ReachedLimit,
} from '../rules/order-limits.ts';

const PURPOSE = 'ordering.limits';
/** Longer than any request that places an order takes. */
const IN_PROGRESS = '1 minute';
/** Some restaurants never complete orders in the ERP. */
const LONGEST_OPEN = '6 hours';
/** Later orders do not count as open until this long before their time. */
const SOON = '3 hours';

type Deps = { db: Database; secrets: SecretBox };

/** `clientAddress` is an IPv4 address, or a /64 network of IPv6. */
export type OrderingCaller = Caller & { clientAddress: string };

type CartOrigin = Omit<OrderOrigin, 'organizationId'>;

export const toOrigin = (
  { customerId, clientAddress }: OrderingCaller,
  { place, phone }: { place: CheckoutPlace | null; phone: string | null },
): CartOrigin => ({
  customerId,
  clientAddress: isPrivateClient(clientAddress) ? null : clientAddress,
  phone,
  address: place?.address.parts ?? null,
});

/**
 * `all` has a digest per encryption key; `current` is stored. `least` is the scope's lower limit.
 */
type Key = { scope: LimitScope; current: string; all: readonly string[]; least: number };

/** Returns the limits that one more order would exceed (rule ORD-121). */
export async function readReachedLimits(
  tx: Sql,
  deps: { secrets: SecretBox },
  origin: OrderOrigin,
  limits: OrderLimits,
): Promise<ReachedLimit[]> {
  const keys = buildKeys(deps, origin, limits);
  return keys.length === 0 ? [] : reachedLimits(await countOrders(tx, keys), limits);
}

/**
 * Reserves an order, or returns the limits it would exceed (rule ORD-121). Serialized per scope.
 * Unused reservations expire after a minute. Must run outside of transactions.
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
  const keys = buildKeys(deps, { ...origin, organizationId: read.organizationId }, limits);
  if (keys.length === 0) return [];

  return deps.db.prepared.transaction(
    async (tx) => {
      await advisory.orderLimits(
        tx,
        keys.flatMap(({ all }) => all),
      );
      const reached = reachedLimits(await countOrders(tx, keys), limits);
      if (reached.length === 0) await saveClaims(tx, keys, orderId);

      return reached;
      // Not flushed, because the restaurant's next order waits for it; the order's commit flushes
      // it.
    },
    { flushed: false },
  );
}

/** Deletes reservations, but keeps those of a placed order. */
export async function releaseClaims({ db }: Sql, orderId: string): Promise<void> {
  await db
    .deleteFrom('order_claim')
    .where('orderId', '=', orderId)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('customer_order').select('id').where('id', '=', orderId))),
    )
    .execute();
}

async function saveClaims({ db }: Tx, keys: readonly Key[], orderId: string): Promise<void> {
  await db
    .insertInto('order_claim')
    .values(keys.map(({ current }) => ({ key: current, orderId })))
    .execute();
}

function buildKeys(
  { secrets }: { secrets: SecretBox },
  origin: OrderOrigin,
  limits: OrderLimits,
): Key[] {
  return listScopes(origin)
    .filter(({ scope }) => limits[scope].open > 0 || limits[scope].day > 0)
    .map(({ scope, text }) => {
      const counted = JSON.stringify([scope, text]);
      const { open, day } = limits[scope];
      const least = Math.min(...[open, day].filter((limit) => limit > 0));

      return {
        scope,
        current: secrets.digest(PURPOSE, counted),
        all: secrets.digests(PURPOSE, counted),
        least,
      };
    });
}

/** Skips scopes below the limit, because a restaurant has thousands of orders a day. */
async function countOrders({ db }: Sql, keys: readonly Key[]): Promise<OrderCount[]> {
  const limitKeys = keys.flatMap(({ scope, all, least }) =>
    all.map((key) => ({ scope, key, least })),
  );
  const { rows } = await sql<OrderCount>`
    with wanted as (
      select scope, array_agg(key) as keys, min(least) as least
        from unnest(${limitKeys.map(({ scope }) => scope)}::text[], ${limitKeys.map(({ key }) => key)}::text[],
                    ${limitKeys.map(({ least }) => least)}::int[]) as each (scope, key, least)
       group by scope)
    select wanted.scope, counted.open, counted.day
      from wanted
     cross join lateral (
       select count(*) as claims
         from (select from order_claim claim where claim.key = any(wanted.keys) limit wanted.least) few) bound
     cross join lateral (
       select count(*) filter (where placed.id is null
                 or placed.ended_at is null and placed.state <> 'DELIVERED'
                and placed.due_at > now() - ${sql.lit(LONGEST_OPEN)}::interval
                and placed.due_at < now() + ${sql.lit(SOON)}::interval)::int as open,
              count(*) filter (where claim.claimed_at > now() - interval '24 hours')::int as day
         from order_claim claim left join customer_order placed on placed.id = claim.order_id
        where bound.claims >= wanted.least and claim.key = any(wanted.keys)
          and (placed.id is not null or claim.claimed_at > now() - ${sql.lit(IN_PROGRESS)}::interval)) counted
     where bound.claims >= wanted.least`.execute(db);

  return rows;
}
