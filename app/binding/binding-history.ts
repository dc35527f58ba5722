import type { Tx } from '../database.ts';

/** Adds what a variant is bound to now to the history of its bindings; `userId` is who ends the binding. */
export async function rememberPrevious(tx: Tx, variantId: number, userId: number | null): Promise<void> {
  await tx.query(
    `insert into binding_history (variant_id, erp_item_id, erp_item_size_id, erp_size_id, sku, name, ended_by)
     select variant.id, item.erp_id, size.id, size.erp_size_id, variant.last_seen_sku, variant.last_seen_name, $2
       from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
       join mirror_item item on item.id = size.item_id where variant.id = $1`,
    [variantId, userId],
  );
}
