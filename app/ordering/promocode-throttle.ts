import { Problem } from '../../contracts/problem.ts';
import type { Sql } from '../../db/database.ts';
import { normalCode } from '../../domain/ordering/promocode.ts';
import { siteOf } from '../client-site.ts';
import { countInWindow } from '../window-count.ts';

const WINDOW_SECONDS = 15 * 60;
/**
 * Codes that may be tried in that time: with one cart, by one customer, from one address, behind which there may be many guests, and
 * from its network, behind which there may be many addresses of one guest.
 */
const LIMITS = { cart: 10, customer: 20, address: 50, network: 200 } as const;

type Try = { cartId: string | null; customerId: string | null; address: string; promocode: string | null };

/**
 * Counts a promocode that a cart does not have yet. Throws `rate-limited` when the cart, the customer, the client's address or its network
 * has used up its tries of 15 minutes (rule ORD-17). Counting comes before looking the code up, so parallel guesses cannot slip through.
 */
export async function countPromocodeTry(sql: Sql, { cartId, customerId, address, promocode }: Try): Promise<void> {
  const code = normalCode(promocode);
  if (code === null) return;
  if (cartId !== null) {
    const cart = await sql.db.selectFrom('cart').select('promocode').where('id', '=', cartId).executeTakeFirst();
    if (cart?.promocode === code) return;
  }
  const of = { cart: cartId, customer: customerId, address, network: networkOf(address) };
  const limits = Object.entries(LIMITS).flatMap(([kind, most]) => {
    const whose = of[kind as keyof typeof of];
    return whose === null ? [] : [{ kind: `promocode-${kind}`, of: whose, most }];
  });
  const { isOver, seconds } = await countInWindow(sql, WINDOW_SECONDS, limits);
  if (isOver)
    throw new Problem('rate-limited', {
      detail: 'Too many promocodes were tried.',
      headers: { 'Retry-After': String(seconds) },
    });
}

/** The 256 neighbours of an IPv4 address, or the site of an IPv6 network. */
const networkOf = (address: string): string => siteOf(address) ?? address.split('.').slice(0, 3).join(' ');
