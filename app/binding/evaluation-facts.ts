import type { BindingState } from '../../domain/binding/binding-states.ts';
import type { FreeSize } from '../../domain/binding/replacement.ts';
import type { Sql, Tx } from '../database.ts';
import { sightOf } from './sight.ts';

/** One variant as an evaluation finds it. Times are milliseconds. */
export type BoundVariant = {
  id: number;
  productId: number;
  isPublished: boolean;
  itemId: number;
  state: BindingState;
  missingSince: number | null;
  /** The item's name now; a deleted item keeps its last one. */
  name: string;
  /** True when `last_seen_*` is not what the mirror says now. */
  isOutdated: boolean;
  lastSeenName: string | null;
  lastSeenSku: string | null;
  erpSizeId: string;
  productCategoryId: string | null;
  menuCategoryIds: string[];
  /** Null while the item is live. */
  deletedAt: number | null;
  importsSince: number;
  /** Start of the last import that contained the item. */
  lastSeenAt: number;
};

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::double precision`;

/**
 * Takes the turn of this evaluation: another one, or a rebind, waits until the transaction ends and then sees what it has
 * left. Returns the number of the evaluation, its time in milliseconds and the newest menu import that has committed.
 */
export async function takeTurn(tx: Tx): Promise<{ evaluation: number; now: number; latestRunId: number | null }> {
  const [turn] = await tx.query<{ evaluation: number; now: number }>(
    `insert into binding_evaluation as last (evaluations, evaluated_at) values (1, clock_timestamp())
     on conflict (only_row) do update set evaluations = last.evaluations + 1, evaluated_at = clock_timestamp()
     returning evaluations as evaluation, ${ms('evaluated_at')} as now`,
  );
  if (turn === undefined) throw new Error('the evaluation got no number');
  const [run] = await tx.query<{ id: number }>(
    `select id from sync_run where job = 'MENU' and ${HAS_IMPORTED} order by id desc limit 1`,
  );
  return { ...turn, latestRunId: run?.id ?? null };
}

/** Waits for the turn of a command that changes a binding: an evaluation must not decide by the item of before. */
export async function holdEvaluations(tx: Sql): Promise<void> {
  await tx.query(
    `insert into binding_evaluation as last (evaluations) values (0)
     on conflict (only_row) do update set evaluations = last.evaluations`,
  );
}

/** A run that has committed a menu: its event is delivered before its record is closed. */
const HAS_IMPORTED = `(status = 'SUCCESS' or result ? 'applied') and mode in ('FULL', 'INCREMENTAL')`;

/**
 * Reads every variant and what the mirror says of its item. What was last seen stays in the temporary table `evaluated` for the
 * statements that write: they need it after `last_seen_*` has been rewritten. Imports are counted by their start in milliseconds,
 * which is what they mark their rows with.
 */
export async function readBoundVariants(tx: Tx): Promise<BoundVariant[]> {
  await tx.query(
    `create temporary table evaluated on commit drop as
     with ${sightOf('select id, item_size_id from catalog_variant')}
     select variant.id, variant.product_id, product.status = 'PUBLISHED' as is_published, item.id as item_id, item.deleted_at,
            variant.binding_state, variant.missing_since, size.erp_size_id,
            item.product_category_erp_id, variant.last_seen_snapshot,
            variant.last_seen_name, variant.last_seen_sku,
            case when item.deleted_at is null then variant.last_seen_at
                 else coalesce(run.started_at, variant.last_seen_at, item.deleted_at) end as last_seen_at,
            sight.name, sight.sku, sight.price_kopecks, sight.snapshot,
            (variant.last_seen_name, variant.last_seen_sku, variant.last_seen_price_kopecks, variant.last_seen_snapshot)
              is distinct from (sight.name, sight.sku, sight.price_kopecks, sight.snapshot) as is_outdated,
            jsonb_build_object('erpItemId', item.erp_id, 'sku', variant.last_seen_sku, 'name', variant.last_seen_name,
              'price', variant.last_seen_price_kopecks) as last_known
       from catalog_variant variant join catalog_product product on product.id = variant.product_id
       join sight on sight.variant_id = variant.id
       join mirror_item_size size on size.id = variant.item_size_id join mirror_item item on item.id = size.item_id
       left join sync_run run on run.id = item.last_run and item.deleted_at is not null`,
  );
  await tx.query('analyze evaluated (id)');
  return tx.query<BoundVariant>(
    `with absent as (
       select id, deleted_at, jsonb_array_elements(last_seen_snapshot -> 'externalMenuIds')::bigint as menu_id
         from evaluated where deleted_at is not null and binding_state = 'OK'),
     imported as (
       select external_menu_id, date_trunc('milliseconds', started_at) as started_at from sync_run
        where job = 'MENU' and ${HAS_IMPORTED} and started_at > (select min(deleted_at) from absent)),
     counted as (
       select absent.id, count(*) as imports from absent
         join imported on imported.external_menu_id = absent.menu_id and imported.started_at > absent.deleted_at group by 1)
     select evaluated.id, product_id as "productId", is_published as "isPublished", item_id as "itemId", binding_state as state,
            ${ms('missing_since')} as "missingSince", name, is_outdated as "isOutdated",
            last_seen_name as "lastSeenName", last_seen_sku as "lastSeenSku", erp_size_id as "erpSizeId",
            product_category_erp_id as "productCategoryId",
            coalesce(last_seen_snapshot -> 'menuCategoryIds', '[]') as "menuCategoryIds", ${ms('deleted_at')} as "deletedAt",
            coalesce(counted.imports, 0) as "importsSince", ${ms('coalesce(last_seen_at, deleted_at, now())')} as "lastSeenAt"
       from evaluated left join counted on counted.id = evaluated.id order by evaluated.id`,
  );
}

/**
 * Of these soft-deleted items, those that stay deleted until the transaction ends. An item that an import is writing at this
 * moment is left out and not waited for: that import has another evaluation follow it.
 */
export async function holdDeletedItems(tx: Tx, itemIds: readonly number[]): Promise<Set<number>> {
  if (itemIds.length === 0) return new Set();
  const held = await tx.query<{ id: number }>(
    `select id from mirror_item where id = any ($1::bigint[]) and deleted_at is not null
      order by id for share skip locked`,
    [itemIds],
  );
  return new Set(held.map((item) => item.id));
}

/** What lost items may be replaced by: free sizes of live dishes first seen later, with one of their skus or names. */
export async function readFreeSizes(
  tx: Sql,
  lost: { skus: readonly string[]; names: readonly string[]; after: number },
): Promise<FreeSize[]> {
  return tx.query<FreeSize>(
    `with fresh as (
       select id from mirror_item
        where role = 'DISH' and deleted_at is null and first_seen_at > to_timestamp($3::double precision / 1000)),
     placed as (
       select place.item_id, jsonb_agg(distinct category.erp_id) as categories
         from mirror_item_placement place join mirror_menu_category category on category.id = place.menu_category_id
        where place.item_id in (select id from fresh) group by 1)
     select item.erp_id as "erpItemId", size.id as "erpItemSizeId", size.erp_size_id as "erpSizeId",
            coalesce(size.sku, item.sku) as sku, item.name, item.product_category_erp_id as "productCategoryId",
            coalesce(placed.categories, '[]') as "menuCategoryIds",
            binding.product_id as "boundProductId", ${ms('item.first_seen_at')} as "firstSeenAt"
       from fresh join mirror_item item using (id) join mirror_item_size size on size.item_id = item.id
       left join catalog_item_binding binding on binding.item_id = item.id
       left join placed on placed.item_id = item.id
      where (coalesce(size.sku, item.sku) = any ($1::text[]) or item.name = any ($2::text[]))
        and not exists (select 1 from catalog_variant variant where variant.item_size_id = size.id)
      order by size.id`,
    [lost.skus, lost.names, lost.after],
  );
}

/** Sizes that staff have dismissed as replacements since a variant has been missing, by variant. */
export async function readDismissedSizes(tx: Tx, variantIds: readonly number[]): Promise<Map<number, Set<number>>> {
  const rows = await tx.query<{ variantId: number; sizeIds: number[] }>(
    `select incident.variant_id as "variantId",
            jsonb_agg(distinct (candidate ->> 'erpItemSizeId')::bigint) as "sizeIds"
       from binding_incident incident join catalog_variant variant on variant.id = incident.variant_id
       cross join jsonb_array_elements(incident.candidates) candidate
      where incident.variant_id = any ($1::bigint[]) and incident.type = 'POSSIBLE_REPLACEMENT'
        and incident.resolution = 'DISMISSED' and incident.detected_at >= variant.missing_since group by 1`,
    [variantIds],
  );
  return new Map(rows.map(({ variantId, sizeIds }) => [variantId, new Set(sizeIds)]));
}
