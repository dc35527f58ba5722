import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { anyOf, type Tx } from '../../../platform/db/database.ts';

/**
 * Claims whole dishes in id order to prevent deadlocks. Locks existing claims, so that they are not
 * released before they are read. Problems: item-already-bound; validation on `fieldOf` for a gift
 * or the delivery fee (CMP-11).
 */
export async function claimItems(
  tx: Tx,
  productId: number,
  itemIds: readonly number[],
  fieldOf: (itemId: number) => string = () => 'erpItemSizeId',
): Promise<void> {
  const { rows: claimed } = await sql`
    insert into catalog_item_binding (item_id, product_id)
    select item_id, ${productId} from unnest(${itemIds}::bigint[]) as wanted (item_id) order by item_id
    on conflict on constraint catalog_item_binding_item_unique do update set product_id = excluded.product_id where false
    returning item_id`.execute(tx.db);
  if (claimed.length < itemIds.length) await refuseItemsOfOthers(tx, productId, itemIds);

  await refuseUnsold(tx, itemIds, fieldOf);
  await sql`
    insert into catalog_item_triage (item_id, status)
    select item_id, 'LINKED' from unnest(${itemIds}::bigint[]) as wanted (item_id) order by item_id
    on conflict (item_id) do update set status = excluded.status, note = null, decided_at = now()`.execute(
    tx.db,
  );
}

async function refuseUnsold(
  { db }: Tx,
  itemIds: readonly number[],
  fieldOf: (itemId: number) => string,
): Promise<void> {
  const rows = await db
    .selectFrom('unsold_item')
    .select(['itemId', 'why'])
    .where('itemId', '=', anyOf(itemIds))
    .orderBy('itemId')
    .orderBy('why')
    .execute();

  const errors = rows.map(({ itemId, why }) => ({ field: fieldOf(itemId), ...UNSOLD[why] }));
  if (errors.length > 0) throw new Problem('validation', { errors });
}

const UNSOLD = {
  REWARD: {
    code: 'item_of_reward',
    message: 'The item is given as a gift. No product can sell it.',
  },
  DELIVERY_FEE: {
    code: 'item_of_delivery_fee',
    message: 'The item is the delivery fee. No product can sell it.',
  },
} as const;

async function refuseItemsOfOthers(
  { db }: Tx,
  productId: number,
  itemIds: readonly number[],
): Promise<void> {
  const owner = await db
    .selectFrom('catalog_item_binding as binding')
    .innerJoin('catalog_product as product', 'product.id', 'binding.productId')
    .innerJoin('mirror_item as item', 'item.id', 'binding.itemId')
    .select(['product.id', 'product.name', 'item.name as itemName'])
    .where('binding.itemId', '=', anyOf(itemIds))
    .where('binding.productId', '<>', productId)
    .orderBy('binding.itemId')
    .executeTakeFirst();
  if (owner === undefined) return;

  throw new Problem('item-already-bound', {
    detail: `"${owner.itemName}" is bound to "${owner.name}".`,
    extra: { code: 'ITEM_ALREADY_BOUND', boundProduct: { id: owner.id, name: owner.name } },
  });
}

/** Releases an unused dish to triage. */
export async function releaseItem(tx: Tx, productId: number, itemId: number): Promise<void> {
  await sql`
    with released as (
      delete from catalog_item_binding where item_id = ${itemId} and product_id = ${productId}
         and not exists (select 1 from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
                          where variant.product_id = ${productId} and size.item_id = ${itemId})
      returning item_id)
    delete from catalog_item_triage triage using released where triage.item_id = released.item_id`.execute(
    tx.db,
  );
}

export async function ignoreUnclaimed(
  tx: Tx,
  erpItemIds: readonly string[],
  note: string | null,
): Promise<number> {
  const { rows } = await sql`
    insert into catalog_item_triage as old (item_id, status, note)
    select id, 'IGNORED', ${note}::text from mirror_item
     where erp_id = any (${erpItemIds}::uuid[]) and role = 'DISH' order by id
    on conflict (item_id) do update set status = excluded.status, note = excluded.note, decided_at = now()
     where old.status <> 'LINKED' returning item_id`.execute(tx.db);

  return rows.length;
}

/** Returns ignored dishes to triage. */
export async function unignore(tx: Tx, erpItemIds: readonly string[]): Promise<void> {
  await sql`
    delete from catalog_item_triage triage using mirror_item item
     where item.id = triage.item_id and item.erp_id = any (${erpItemIds}::uuid[]) and triage.status = 'IGNORED'`.execute(
    tx.db,
  );
}
