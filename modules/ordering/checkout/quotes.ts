import { createHash, randomUUID } from 'node:crypto';
import { json, type Sql } from '../../../platform/db/database.ts';
import { pickSums, toQuotedTerms, type QuotedSums, type QuotedTerms } from '../rules/quote.ts';
import type { StoredCart } from '../cart/cart-row.ts';
import type { EvaluatedCart } from '../rules/cart-facts.ts';
import type { GateFacts } from '../rules/gate-facts.ts';

type QuotedCheckout = {
  cart: StoredCart;
  evaluated: EvaluatedCart;
  facts: GateFacts;
  reading: { organization: { menuRevision: number | null; quoteMinutes: number } };
  buyerId: string | null;
};

/** `cartVersion` is the version shown to the guest. */
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

const COLUMNS = [
  'id',
  'cartVersion',
  'digest',
  'terms',
  'sums',
  'isBinding',
  'menuRevision',
  'validUntil',
] as const;

const hashValue = (value: QuotedTerms | (QuotedTerms & { buyerId: string }) | QuotedSums): string =>
  createHash('sha256').update(canonical(value)).digest('hex');

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, entry: unknown) =>
    typeof entry === 'object' && entry !== null
      ? Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );

/** Includes the customer, so that others cannot use the quote. */
export const termsDigest = (terms: QuotedTerms, buyerId: string | null): string =>
  hashValue(buyerId === null ? terms : { ...terms, buyerId });

/** Saves a quote (rule ORD-35). Equal totals prolong it. */
export async function saveQuote(
  tx: Sql,
  { cart, evaluated, facts, reading, buyerId }: QuotedCheckout,
  now: Date,
): Promise<Quote> {
  const terms = toQuotedTerms(evaluated, cart, facts);
  const sums = pickSums(evaluated);
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
      sumsDigest: hashValue(sums),
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

/** True if this buyer has seen these totals and terms, even if the quote has expired. */
export async function isQuoted(
  { db }: Sql,
  { cart, evaluated, facts, buyerId }: Omit<QuotedCheckout, 'reading'>,
): Promise<boolean> {
  const quote = await db
    .selectFrom('order_quote')
    .select('id')
    .where('cartId', '=', cart.id)
    .where('digest', '=', termsDigest(toQuotedTerms(evaluated, cart, facts), buyerId))
    .where('sumsDigest', '=', hashValue(pickSums(evaluated)))
    .executeTakeFirst();

  return quote !== undefined;
}

/** Selects a quote of a cart, which may have expired. */
export const quoteRows = ({ db }: Sql, cartId: string, id: string | null) =>
  db.selectFrom('order_quote').select(COLUMNS).where('id', '=', id).where('cartId', '=', cartId);
