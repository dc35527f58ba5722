import { Problem } from '../../contracts/problem.ts';
import {
  isSameBase,
  suggestVariants,
  type SuggestionAxis,
  type SuggestionSize,
  type VariantSuggestions,
} from '../../domain/binding/variant-suggestions.ts';
import type { Sql } from '../database.ts';

type Item = { id: number; itemId: string; name: string; productCategoryId: string | null; isDeleted: boolean };
type Named = { id: number; name: string };

/**
 * What a product of this dish could look like (rule BND-6): its sizes and those of live dishes with the same base
 * name in its group, which is the product category of the ERP, or else the menu categories it stands in. A dish that the ERP no longer
 * has is no candidate. Problem `not-found`.
 */
export async function variantSuggestions(sql: Sql, erpItemId: string): Promise<VariantSuggestions> {
  const [item] = await sql.query<Item>(
    `select id, erp_id as "itemId", name, product_category_erp_id as "productCategoryId", deleted_at is not null as "isDeleted"
       from mirror_item where erp_id = $1 and role = 'DISH'`,
    [erpItemId],
  );
  if (item === undefined) throw new Problem('not-found', { detail: 'No such item.' });
  const group = await readGroup(sql, item);
  const alike = group.filter((each) => each.id !== item.id && isSameBase(each.name, item.name));
  const ids = [...(item.isDeleted ? [] : [item.id]), ...alike.map((each) => each.id)];
  return suggestVariants(item, await readSizes(sql, ids), await readAxes(sql));
}

function readGroup(sql: Sql, item: Item): Promise<Named[]> {
  return sql.query<Named>(
    `select id, name from mirror_item
      where role = 'DISH' and deleted_at is null and case when $2::text is not null then product_category_erp_id = $2
        else product_category_erp_id is null and id in (
          select other.item_id from mirror_item_placement own
            join mirror_item_placement other on other.menu_category_id = own.menu_category_id where own.item_id = $1) end`,
    [item.id, item.productCategoryId],
  );
}

function readSizes(sql: Sql, itemIds: readonly number[]): Promise<SuggestionSize[]> {
  return sql.query<SuggestionSize>(
    `select item.erp_id as "itemId", size.id as "itemSizeId", item.name as "itemName", nullif(size.name, '') as "sizeName",
            size.code as "sizeCode", coalesce(size.sku, item.sku) as sku,
            case when product.id is not null then json_build_object('id', product.id, 'name', product.name) end as "boundProduct"
       from mirror_item item join mirror_item_size size on size.item_id = item.id
       left join catalog_item_binding binding on binding.item_id = item.id
       left join catalog_product product on product.id = binding.product_id
      where item.id = any ($1::bigint[])`,
    [itemIds],
  );
}

function readAxes(sql: Sql): Promise<SuggestionAxis[]> {
  return sql.query<SuggestionAxis>(
    `select axis.id, axis.code, axis.name,
            coalesce((select json_agg(json_build_object('id', option.id, 'code', option.code, 'name', option.name,
                'shortName', option.short_name) order by option.position, option.id)
               from catalog_variant_option option where option.axis_id = axis.id), '[]') as options
       from catalog_variant_axis axis order by axis.id`,
  );
}
