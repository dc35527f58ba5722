import { Problem } from '../../contracts/problem.ts';
import type { BindingState } from '../../domain/binding/binding-states.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

/** One variant as staff edit it. */
export type VariantView = {
  id: number;
  productId: number;
  erpItemId: string;
  /** Our id of (item, size). */
  erpItemSizeId: number;
  option: { id: number; code: string; name: string; shortName: string | null } | null;
  isDefault: boolean;
  position: number;
  bindingState: BindingState;
  missingSince: Date | null;
  lastSeenName: string | null;
  lastSeenSku: string | null;
  /** Kopecks. */
  lastSeenPrice: number | null;
  lastSeenAt: Date | null;
  version: number;
};

const COLUMNS = `variant.id, variant.product_id as "productId", item.erp_id as "erpItemId", size.id as "erpItemSizeId",
  case when option.id is null then null else json_build_object('id', option.id, 'code', option.code, 'name', option.name,
       'shortName', option.short_name) end as option,
  variant.is_default as "isDefault", variant.position, variant.binding_state as "bindingState",
  variant.missing_since as "missingSince", variant.last_seen_name as "lastSeenName", variant.last_seen_sku as "lastSeenSku",
  variant.last_seen_price_kopecks as "lastSeenPrice", variant.last_seen_at as "lastSeenAt", variant.version`;

const SOURCE = `catalog_variant variant
  join mirror_item_size size on size.id = variant.item_size_id join mirror_item item on item.id = size.item_id
  left join catalog_variant_option option on option.id = variant.option_id`;

/** One page of the variants of a product, in their order. Problem `not-found` for an unknown product. */
export async function listVariants(sql: Sql, productId: number, paging: Paging): Promise<Page<VariantView>> {
  const [product] = await sql.query('select 1 from catalog_product where id = $1', [productId]);
  if (product === undefined) throw new Problem('not-found', { detail: 'No such product.' });
  return readPageOfText<VariantView>(sql, paging, {
    columns: COLUMNS,
    from: `${SOURCE} where variant.product_id = $1`,
    order: 'variant.position, variant.id',
    params: [productId],
  });
}

/** One variant. Problem `not-found`. */
export async function getVariant(sql: Sql, id: number): Promise<VariantView> {
  const [variant] = await sql.query<VariantView>(`select ${COLUMNS} from ${SOURCE} where variant.id = $1`, [id]);
  if (variant === undefined) throw new Problem('not-found', { detail: 'No such variant.' });
  return variant;
}
