import type { VariantSuggestions } from '../schemas/catalog.ts';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import {
  isSameBase,
  suggestVariants,
  type SuggestionAxis,
  type SuggestionSize,
} from '../rules/variant-suggestions.ts';

type Item = {
  id: number;
  itemId: string;
  name: string;
  productCategoryId: string | null;
  isDeleted: boolean;
};

type Named = { id: number; name: string };

/**
 * Suggests variants from the sizes of a dish and of dishes with the same base name in its group
 * (BND-6). The group is the product category in the ERP, otherwise the menu categories. Problem
 * `not-found`.
 */
export async function variantSuggestions(
  { db }: Sql,
  erpItemId: string,
): Promise<VariantSuggestions> {
  const item = await db
    .selectFrom('mirror_item')
    .select(['id', 'erpId as itemId', 'name', 'productCategoryErpId as productCategoryId'])
    .select((eb) => eb('deletedAt', 'is not', null).$castTo<boolean>().as('isDeleted'))
    .where('erpId', '=', erpItemId)
    .where('role', '=', 'DISH')
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such item.' }));

  const group = await readGroup(db, item);
  const alike = group.filter((entry) => entry.id !== item.id && isSameBase(entry.name, item.name));
  const ids = [...(item.isDeleted ? [] : [item.id]), ...alike.map((entry) => entry.id)];

  return suggestVariants(item, await readSizes(db, ids), await readAxes(db));
}

async function readGroup(db: Sql['db'], item: Item): Promise<Named[]> {
  const { rows } = await sql<Row<'mirror_item', 'id' | 'name'>>`
    select id, name from mirror_item
      where role = 'DISH' and deleted_at is null and case when ${item.productCategoryId}::text is not null
        then product_category_erp_id = ${item.productCategoryId}
        else product_category_erp_id is null and id in (
          select other.item_id from mirror_item_placement own
            join mirror_item_placement other on other.menu_category_id = own.menu_category_id where own.item_id = ${item.id}) end`.execute(
    db,
  );

  return rows;
}

function readSizes(db: Sql['db'], itemIds: readonly number[]): Promise<SuggestionSize[]> {
  return db
    .selectFrom('mirror_item as item')
    .innerJoin('mirror_item_size as size', 'size.itemId', 'item.id')
    .leftJoin('catalog_item_binding as binding', 'binding.itemId', 'item.id')
    .leftJoin('catalog_product as product', 'product.id', 'binding.productId')
    .select([
      'item.erpId as itemId',
      'size.id as itemSizeId',
      'item.name as itemName',
      'size.code as sizeCode',
    ])
    .select([
      sql<string | null>`nullif(size.name, '')`.as('sizeName'),
      sql<string | null>`coalesce(size.sku, item.sku)`.as('sku'),
      sql<SuggestionSize['boundProduct']>`case when product.id is not null
        then json_build_object('id', product.id, 'name', product.name) end`.as('boundProduct'),
    ])
    .where('item.id', '=', anyOf(itemIds))
    .execute();
}

async function readAxes(db: Sql['db']): Promise<SuggestionAxis[]> {
  const axes = await db
    .selectFrom('catalog_variant_axis')
    .select(['id', 'code', 'name'])
    .orderBy('id')
    .execute();

  const options = await db
    .selectFrom('catalog_variant_option')
    .select(['axisId', 'id', 'code', 'name', 'shortName'])
    .orderBy('position')
    .orderBy('id')
    .execute();

  const ofAxis = Map.groupBy(options, ({ axisId }) => axisId);

  return axes.map((axis) => ({
    ...axis,
    options: (ofAxis.get(axis.id) ?? []).map(({ id, code, name, shortName }) => ({
      id,
      code,
      name,
      shortName,
    })),
  }));
}
