import { Problem } from '../../contracts/problem.ts';
import type { Sql } from '../database.ts';

/**
 * Claims whole dishes for a product. The constraint decides a race: the second of two commands waits for the first and
 * then finds its row. A claim that is there is locked and not changed: its product cannot give it up before it is read who that is.
 * Items are claimed in id order, so that two commands never wait for each other. What the product has claimed before stays its own.
 * Problem item-already-bound.
 */
export async function claimItems(tx: Sql, productId: number, itemIds: readonly number[]): Promise<void> {
  const claimed = await tx.query<{ itemId: number }>(
    `insert into catalog_item_binding (item_id, product_id)
     select item_id, $2 from unnest($1::bigint[]) as wanted (item_id) order by item_id
     on conflict on constraint catalog_item_binding_item_unique do update set product_id = excluded.product_id where false
     returning item_id as "itemId"`,
    [itemIds, productId],
  );
  if (claimed.length < itemIds.length) await refuseItemsOfOthers(tx, productId, itemIds);
  await tx.query(
    `insert into catalog_item_triage (item_id, status)
     select item_id, 'LINKED' from unnest($1::bigint[]) as wanted (item_id) order by item_id
     on conflict (item_id) do update set status = excluded.status, note = null, decided_at = now()`,
    [itemIds],
  );
}

async function refuseItemsOfOthers(tx: Sql, productId: number, itemIds: readonly number[]): Promise<void> {
  const [owner] = await tx.query<{ id: number; name: string; itemName: string }>(
    `select product.id, product.name, item.name as "itemName"
       from catalog_item_binding binding
       join catalog_product product on product.id = binding.product_id
       join mirror_item item on item.id = binding.item_id
      where binding.item_id = any ($1::bigint[]) and binding.product_id <> $2 order by binding.item_id limit 1`,
    [itemIds, productId],
  );
  if (owner === undefined) return;
  throw new Problem('item-already-bound', {
    detail: `"${owner.itemName}" is bound to "${owner.name}".`,
    extra: { code: 'ITEM_ALREADY_BOUND', boundProduct: { id: owner.id, name: owner.name } },
  });
}

/** Gives back a dish of which the product no longer uses any size: it waits for triage again. */
export async function releaseItem(tx: Sql, productId: number, itemId: number): Promise<void> {
  await tx.query(
    `with released as (
       delete from catalog_item_binding where item_id = $2 and product_id = $1
          and not exists (select 1 from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
                           where variant.product_id = $1 and size.item_id = $2)
       returning item_id)
     delete from catalog_item_triage triage using released where triage.item_id = released.item_id`,
    [productId, itemId],
  );
}
