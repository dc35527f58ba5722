import type { Variant } from '../schemas/catalog.ts';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { SIZE_PRICES } from './size-prices.ts';

type OptionView = { id: number; code: string; name: string; shortName: string | null };

export type VariantView = Variant;

export async function listVariants(
  sql: Sql,
  productId: number,
  paging: Paging,
): Promise<Page<VariantView>> {
  await sql.db
    .selectFrom('catalog_product')
    .select('id')
    .where('id', '=', productId)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such product.' }));

  return readPage(
    variantViews(sql)
      .where('variant.productId', '=', productId)
      .orderBy('variant.position')
      .orderBy('variant.id'),
    paging,
  );
}

export function getVariant(sql: Sql, id: number): Promise<VariantView> {
  return variantViews(sql)
    .where('variant.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such variant.' }));
}

export const variantsWithDishes = ({ db }: Sql) =>
  db
    .selectFrom('catalog_variant as variant')
    .innerJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .leftJoin('catalog_variant_option as option', 'option.id', 'variant.optionId');

const selectPrice = (end: 'lowest' | 'highest') =>
  sql<number | null>`(select price.${sql.ref(end)} from (select size.id) as size ${SIZE_PRICES})`;

function variantViews(database: Sql) {
  return variantsWithDishes(database).select([
    'variant.id',
    'variant.productId',
    'item.erpId as erpItemId',
    'size.id as erpItemSizeId',
    'variant.isDefault',
    'variant.position',
    'variant.bindingState',
    sql<boolean>`item.id in (select item_id from service_item)`.as('isServiceItem'),
    'variant.missingSince',
    'variant.lastSeenName',
    'variant.lastSeenSku',
    'variant.lastSeenPriceKopecks as lastSeenPrice',
    'variant.lastSeenAt',
    'item.name as erpName',
    sql<string | null>`coalesce(size.sku, item.sku)`.as('erpSku'),
    sql<Date | null>`coalesce(item.deleted_at, size.deleted_at)`.as('erpDeletedAt'),
    selectPrice('lowest').as('priceMin'),
    selectPrice('highest').as('priceMax'),
    'variant.personCount',
    'variant.personSplittingEnabled',
    'variant.toolCount',
    'variant.sugarCount',
    'variant.version',
    sql<OptionView | null>`case when option.id is not null then json_build_object('id', option.id, 'code', option.code,
        'name', option.name, 'shortName', option.short_name) end`.as('option'),
  ]);
}
