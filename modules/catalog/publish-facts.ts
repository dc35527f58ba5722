import { sql } from 'kysely';
import type { PublishFacts } from './rules/publish-rules.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';

/** Reads publication facts by product id, omitting unknown products. */
export async function publishFacts(
  tx: Sql,
  productIds: readonly number[],
): Promise<Map<number, PublishFacts>> {
  const { rows } = await sql<Row<'catalog_product', 'id', PublishFacts>>`
    select product.id, product.main_image_id is not null as has_main_image,
           (select count(*) from catalog_product_category placement
              join catalog_category category on category.id = placement.category_id and category.archived_at is null
             where placement.product_id = product.id) as placements,
           count(variant.id) as variants,
           count(variant.id) filter (where item.deleted_at is null and size.deleted_at is null) as live_variants,
           count(variant.id) filter (where variant.is_default) as default_variants,
           count(variant.id) filter (where item.id in (select item_id from unsold_item)) as unsold_variants
      from catalog_product product
      left join catalog_variant variant on variant.product_id = product.id
      left join mirror_item_size size on size.id = variant.item_size_id
      left join mirror_item item on item.id = size.item_id
     where product.id = any (${productIds}::bigint[]) group by product.id`.execute(tx.db);

  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}
