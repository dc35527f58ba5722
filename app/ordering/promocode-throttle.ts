import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Problem } from '../../contracts/problem.ts';
import type { Sql } from '../../db/database.ts';
import { normalCode } from '../../domain/ordering/promocode.ts';

const WINDOW_MINUTES = 15;
/** Codes that a guest may try in that time: with one cart, and from one address, behind which there may be many guests. */
const LIMITS = { cart: 10, address: 50 } as const;

type Try = { cartId: string | null; address: string; promocode: string | null };

/**
 * Counts a promocode that a cart does not have yet against the cart and the client's address, for all instances together. Throws
 * `rate-limited` when one of them has used up its tries of 15 minutes (rule ORD-17). Counting comes before looking the code up, so
 * parallel guesses cannot slip through. Only digests are stored.
 */
export async function countPromocodeTry({ db }: Sql, { cartId, address, promocode }: Try): Promise<void> {
  const code = normalCode(promocode);
  if (code === null) return;
  if (cartId !== null) {
    const cart = await db.selectFrom('cart').select('promocode').where('id', '=', cartId).executeTakeFirst();
    if (cart?.promocode === code) return;
  }
  const keys = { address, ...(cartId === null ? {} : { cart: cartId }) };
  for (const [kind, value] of Object.entries(keys) as [keyof typeof LIMITS, string][]) {
    const key = `${kind}:${createHash('sha256').update(value).digest('base64url')}`;
    const counted = await sql<{ attempts: number; seconds: number }>`
      insert into promocode_throttle as t (key, attempts, window_ends_at)
      values (${key}, 1, now() + ${WINDOW_MINUTES} * interval '1 minute')
      on conflict (key) do update set
        attempts = case when t.window_ends_at > now() then t.attempts + 1 else 1 end,
        window_ends_at = case when t.window_ends_at > now() then t.window_ends_at else excluded.window_ends_at end
      returning attempts, greatest(1, ceil(extract(epoch from window_ends_at - now())))::int as seconds`.execute(db);
    const [row] = counted.rows;
    if (row !== undefined && row.attempts > LIMITS[kind])
      throw new Problem('rate-limited', {
        detail: 'Too many promocodes were tried.',
        headers: { 'Retry-After': String(row.seconds) },
      });
  }
}
