import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** Adds what a variant is bound to now to the history of its bindings; `userId` is who ends the binding. */
export async function rememberPrevious(tx: Tx, variantId: number, userId: number | null): Promise<void> {
  await tx.db
    .insertInto('binding_history')
    .columns(['variantId', 'erpItemId', 'erpItemSizeId', 'erpSizeId', 'sku', 'name', 'endedBy'])
    .expression((from) =>
      from
        .selectFrom('catalog_variant as variant')
        .innerJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
        .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
        .select(['variant.id', 'item.erpId', 'size.id as sizeId', 'size.erpSizeId'])
        .select(['variant.lastSeenSku', 'variant.lastSeenName', sql<number | null>`${userId}::bigint`.as('endedBy')])
        .where('variant.id', '=', variantId),
    )
    .execute();
}
