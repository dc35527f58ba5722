import type { Cart } from '../schemas/cart.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { normalCode } from '../rules/discount-fields.ts';
import { countingWork, toSite, type Limit } from '../../../kernel/window-count.ts';

const WINDOW_SECONDS = 15 * 60;
/**
 * Wrong codes per window. Guests may share an address, and a guest may have many addresses in a
 * network.
 */
const LIMITS = { cart: 10, customer: 20, address: 50, network: 200 } as const;

type Try = {
  cartId: string | null;
  customerId: string | null;
  address: string;
  promocode: string | null;
};

/** Counts attempts with unknown codes (rule ORD-17). Throws `rate-limited`. */
export async function tryPromocode<T extends { cart: Pick<Cart, 'discounts'> }>(
  sql: Sql,
  tried: Try,
  work: () => Promise<T>,
): Promise<T> {
  const code = normalCode(tried.promocode);
  if (code === null || (await hasCode(sql, tried.cartId, code))) return work();
  const isCounted = ({ cart }: T) =>
    cart.discounts.some((own) => own.code === code && own.reason === 'UNKNOWN');
  const detail = 'Too many promocodes were tried.';

  return countingWork(
    sql,
    { windowSeconds: WINDOW_SECONDS, limits: listLimits(tried), detail, isCounted },
    work,
  );
}

async function hasCode(sql: Sql, cartId: string | null, code: string): Promise<boolean> {
  if (cartId === null) return false;
  const cart = await sql.db
    .selectFrom('cart')
    .select('promocode')
    .where('id', '=', cartId)
    .executeTakeFirst();

  return cart?.promocode === code;
}

function listLimits({ cartId, customerId, address }: Try): Limit[] {
  const of = { cart: cartId, customer: customerId, address, network: toNetwork(address) };
  return Object.entries(LIMITS).flatMap(([kind, most]) => {
    const whose = of[kind as keyof typeof of];
    return whose === null ? [] : [{ kind: `promocode-${kind}`, of: whose, most }];
  });
}

/** The /24 network of IPv4, or the site of IPv6. */
const toNetwork = (address: string): string =>
  toSite(address) ?? address.split('.').slice(0, 3).join(' ');
