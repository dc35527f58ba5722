import { sql } from 'kysely';
import { json, type Sql } from '../../../platform/db/database.ts';
import { compileOnce } from '../../../platform/db/compile-once.ts';
import type { AsJson, NestedRows } from '../../../platform/db/nested-rows.ts';
import type { CartDelivery, StoredChange, StoredLine } from '../tables/carts.ts';
import type { CartContent, CartLine } from '../rules/cart-facts.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { isAlive } from './cart-access.ts';

export const COMMENTS_PURPOSE = 'cart.comments';

export type StoredCart = CartContent & {
  id: string;
  customerId: string | null;
  organizationId: number;
  changes: readonly StoredChange[];
  delivery: CartDelivery | null;
  answered: string;
  updatedAt: Date;
  version: number;
};

type Deps = { secrets: SecretBox };

/**
 * Selects the organization that guests see, because the restaurant may have moved to another
 * connection.
 */
export function organizationNow(
  column: 'cart.organization_id' | 'customer_order.organization_id' | 'erp_order.organization_id',
) {
  const organizationId = sql.raw(column);
  return sql<number>`coalesce((
    select served.id from mirror_organization own join served_organization served on served.erp_id = own.erp_id
     where own.id = ${organizationId} order by served.id = ${organizationId} desc, served.id desc limit 1), ${organizationId})`;
}

const COLUMNS = [
  'id',
  'customerId',
  'lines',
  'commentsEncrypted',
  'promocode',
  'options',
  'giftChoices',
  'changes',
  'delivery',
  'answered',
  'updatedAt',
  'version',
] as const;

/** Selects an unexpired cart. */
export const cartRows = ({ db }: Sql, id: string) => carts(db).where('id', '=', id);

const carts = (db: Sql['db']) =>
  db
    .selectFrom('cart')
    .select([...COLUMNS, organizationNow('cart.organization_id').as('organizationId')])
    .where(isAlive);

export type CartRow = Awaited<ReturnType<ReturnType<typeof carts>['executeTakeFirstOrThrow']>>;

export const noCart = sql<NestedRows<AsJson<CartRow>>>`'[]'::json`;

const BY_ID = compileOnce((tx, { key }: { key: string }) => cartRows(tx, key));
const BY_CUSTOMER = compileOnce(({ db }, { key }: { key: string }) =>
  carts(db).where('customerId', '=', key),
);

/** Finds an unexpired cart. */
export async function findCart(
  tx: Sql,
  deps: Deps,
  by: { id: string } | { customerId: string },
): Promise<StoredCart | undefined> {
  const [row] = await ('id' in by
    ? BY_ID(tx, { key: by.id })
    : BY_CUSTOMER(tx, { key: by.customerId }));
  return row && storedCart(deps, row);
}

export function storedCart(
  { secrets }: Deps,
  { lines, commentsEncrypted, ...rest }: CartRow,
): StoredCart {
  const comments =
    commentsEncrypted === null
      ? {}
      : (JSON.parse(secrets.open(COMMENTS_PURPOSE, rest.id, commentsEncrypted)) as Record<
          string,
          string
        >);

  return {
    ...rest,
    lines: lines.map((line) => ({ ...line, comment: comments[line.lineId] ?? null })),
  };
}

/**
 * Removes changes that the guest has seen (rule ORD-70). Ignores versions higher than the current
 * one.
 */
export function withoutSeenChanges(cart: StoredCart, seenVersion: number): StoredCart {
  return seenVersion > cart.version
    ? cart
    : { ...cart, changes: cart.changes.filter((change) => change.version > seenVersion) };
}

function storedLine({
  lineId,
  variantId,
  productId,
  itemId,
  name,
  variantName,
  quantity,
  modifiers,
  unitPriceKopecks,
  seenPriceKopecks,
}: CartLine): StoredLine {
  return {
    lineId,
    variantId,
    productId,
    itemId,
    name,
    variantName,
    quantity,
    modifiers,
    unitPriceKopecks,
    seenPriceKopecks,
  };
}

export async function saveCart(tx: Sql, { secrets }: Deps, cart: StoredCart): Promise<void> {
  const { id, customerId, organizationId, promocode, version, updatedAt, answered } = cart;
  const comments = Object.fromEntries(
    cart.lines.flatMap(({ lineId, comment }) => (comment === null ? [] : [[lineId, comment]])),
  );
  const values = {
    customerId,
    organizationId,
    lines: json(cart.lines.map(storedLine)),
    commentsEncrypted:
      Object.keys(comments).length === 0
        ? null
        : secrets.seal(COMMENTS_PURPOSE, id, JSON.stringify(comments)),
    promocode,
    options: json(cart.options),
    giftChoices: json(cart.giftChoices),
    changes: json(cart.changes),
    delivery: cart.delivery === null ? null : json(cart.delivery),
    answered,
    updatedAt,
    version,
  };

  if (version === 1)
    await tx.db
      .insertInto('cart')
      .values({ id, ...values })
      .execute();
  else await tx.db.updateTable('cart').set(values).where('id', '=', id).execute();
}
