import { createHash, randomUUID } from 'node:crypto';
import { json, type Sql } from '../../../platform/db/database.ts';
import { sumsOf, termsOf, type QuotedSums, type QuotedTerms } from '../rules/quote.ts';
import type { StoredCart } from '../cart/cart-row.ts';
import type { EvaluatedCart } from '../rules/cart-facts.ts';
import type { GateFacts } from '../rules/gate-facts.ts';

/** The parts of a checkout that its quote is about. */
type QuotedCheckout = {
  cart: StoredCart;
  evaluated: EvaluatedCart;
  facts: GateFacts;
  reading: { organization: { menuRevision: number | null; quoteMinutes: number } };
  buyerId: string | null;
};

/**
 * A promise about the sums of a checkout. `cartVersion` is the version that the guest was shown.
 */
export type Quote = {
  id: string;
  cartVersion: number;
  digest: string;
  terms: QuotedTerms;
  sums: QuotedSums;
  isBinding: boolean;
  menuRevision: number | null;
  validUntil: Date;
};

const COLUMNS = ['id', 'cartVersion', 'digest', 'terms', 'sums', 'isBinding', 'menuRevision', 'validUntil'] as const;

/** The digest that identifies equal terms, or totals. */
const digestOf = (value: QuotedTerms | (QuotedTerms & { buyerId: string }) | QuotedSums): string =>
  createHash('sha256').update(canonical(value)).digest('hex');

/** JSON whose members are in one order, so that equal terms have one text. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, entry: unknown) =>
    typeof entry === 'object' && entry !== null
      ? Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );

/**
 * The digest of the terms that a guest has seen: a quote for one customer is not valid for another
 * one or an anonymous guest.
 */
export const termsDigest = (terms: QuotedTerms, buyerId: string | null): string =>
  digestOf(buyerId === null ? terms : { ...terms, buyerId });

/**
 * Quotes the totals of a checkout (rule ORD-35). The same totals for the same terms are one quote
 * with a renewed lifetime; other totals are another quote, and the older one stays valid until it
 * expires.
 */
export async function saveQuote(
  tx: Sql,
  { cart, evaluated, facts, reading, buyerId }: QuotedCheckout,
  now: Date,
): Promise<Quote> {
  const terms = termsOf(evaluated, cart, facts);
  const sums = sumsOf(evaluated);
  const { address } = facts;
  return tx.db
    .insertInto('order_quote')
    .values({
      id: randomUUID(),
      cartId: cart.id,
      cartVersion: cart.version,
      digest: termsDigest(terms, buyerId),
      terms: json(terms),
      sums: json(sums),
      sumsDigest: digestOf(sums),
      isBinding: address === null || (address.isResolved && address.precision === 'HOUSE'),
      menuRevision: reading.organization.menuRevision,
      validUntil: new Date(now.getTime() + reading.organization.quoteMinutes * 60_000),
    })
    .onConflict((conflict) =>
      conflict.columns(['cartId', 'digest', 'sumsDigest']).doUpdateSet((row) => ({
        cartVersion: row.ref('excluded.cartVersion'),
        isBinding: row.ref('excluded.isBinding'),
        menuRevision: row.ref('excluded.menuRevision'),
        validUntil: row.ref('excluded.validUntil'),
      })),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * True if a preflight has shown this buyer these totals for these terms of a cart, even if the
 * quote has expired.
 */
export async function isQuoted(
  { db }: Sql,
  { cart, evaluated, facts, buyerId }: Omit<QuotedCheckout, 'reading'>,
): Promise<boolean> {
  const found = await db
    .selectFrom('order_quote')
    .select('id')
    .where('cartId', '=', cart.id)
    .where('digest', '=', termsDigest(termsOf(evaluated, cart, facts), buyerId))
    .where('sumsDigest', '=', digestOf(sumsOf(evaluated)))
    .executeTakeFirst();
  return found !== undefined;
}

/** The quote of a cart with this id, even if it has expired: a part of another statement. */
export const quoteRows = ({ db }: Sql, cartId: string, id: string | null) =>
  db.selectFrom('order_quote').select(COLUMNS).where('id', '=', id).where('cartId', '=', cartId);
