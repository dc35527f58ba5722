import { sql, type RawBuilder } from 'kysely';
import { anyOf, type Tx } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import type { LostPart } from './rules/incident-states.ts';
import type { FreeSize } from './rules/replacement.ts';
import { seenNow } from '../catalog/variants/last-seen.ts';

/** Times in ms. A deleted item keeps its last `name`. */
export type BoundVariant = Row<'catalog_variant', 'id' | 'productId' | 'bindingState as state'> &
  Row<'catalog_variant', 'lastSeenName' | 'lastSeenSku'> &
  Row<'mirror_item', 'id as itemId' | 'name' | 'productCategoryErpId as productCategoryId'> &
  Row<
    'mirror_item_size',
    'erpSizeId',
    {
      isPublished: boolean;
      missingSince: number | null;
      /** True if the columns `last_seen_*` differ from the mirror. */
      isOutdated: boolean;
      menuCategoryIds: string[];
      /** Null while item and size are live. */
      deletedAt: number | null;
      /** ITEM also if nothing is lost. */
      lost: LostPart;
      itemSizeId: number;
      importsSince: number;
      /** Start of the last import that contained the item. */
      lastSeenAt: number;
    }
  >;

const ms = (time: RawBuilder<unknown>) =>
  sql<number>`(extract(epoch from ${time}) * 1000)::double precision`;

/**
 * Serializes evaluations and rebinds. Returns the evaluation's number, its time in ms, and the
 * newest committed menu import.
 */
export async function takeTurn(
  tx: Tx,
  connectionId: number | null,
): Promise<{ evaluation: number; now: number; latestRunId: number | null }> {
  // The clock is read after the row is locked.
  const ofAll = sql`case when ${connectionId}::bigint is null then clock_timestamp() end`;
  const ofOne = sql`jsonb_strip_nulls(jsonb_build_object(coalesce(${connectionId}::text, ''),
    case when ${connectionId}::bigint is not null then clock_timestamp() end))`;
  const { rows } = await sql<
    Row<'binding_evaluation', 'evaluations as evaluation', { now: number }>
  >`
    insert into binding_evaluation as last (evaluations, evaluated_at, connections) values (1, ${ofAll}, ${ofOne})
    on conflict (only_row) do update set evaluations = last.evaluations + 1,
      evaluated_at = coalesce(${ofAll}, last.evaluated_at), connections = last.connections || ${ofOne}
    returning evaluations as evaluation, ${ms(sql`clock_timestamp()`)} as now`.execute(tx.db);

  const [turn] = rows;
  if (turn === undefined) throw new Error('the evaluation got no number');
  const run = await tx.db
    .selectFrom('sync_run')
    .select('id')
    .where('job', '=', 'MENU')
    .where(HAS_IMPORTED)
    .$if(connectionId !== null, (runs) => runs.where('connectionId', '=', connectionId))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

  return { ...turn, latestRunId: run?.id ?? null };
}

/** Waits for running evaluations, because they would decide by the former item. */
export async function holdEvaluations(tx: Tx): Promise<void> {
  await sql`
    insert into binding_evaluation as last (evaluations) values (0)
    on conflict (only_row) do update set evaluations = last.evaluations`.execute(tx.db);
}

/** A committed import. Its event is delivered before its record is closed. */
const HAS_IMPORTED = sql<boolean>`(status = 'SUCCESS' or result ? 'applied') and mode in ('FULL', 'INCREMENTAL')`;

export const EVALUATED = 'evaluated';

/**
 * All variants of products with an item in a menu of the connection, now or when last seen, because
 * any of them keeps its product published. A variant without a menu belongs to every connection.
 */
const boundTo = (connectionId: number | null) => sql`
  select id, item_size_id from catalog_variant
   where ${connectionId}::bigint is null or product_id in (
     select variant.product_id from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
       left join mirror_item_menu listed on listed.item_id = size.item_id
       left join lateral jsonb_array_elements(variant.last_seen_snapshot -> 'externalMenuIds') seen (id) on true
       left join mirror_external_menu menu on menu.id in (listed.external_menu_id, seen.id::bigint)
      where coalesce(menu.connection_id, ${connectionId}::bigint) = ${connectionId}::bigint)`;

/** The import that deleted the item or size. */
const DELETED_BY_RUN = sql`case when item.deleted_at is not null then item.last_run
  when size.deleted_at is not null then size.last_run end`;

const LAST_SEEN_AT = sql`case when coalesce(item.deleted_at, size.deleted_at) is null then variant.last_seen_at
  else coalesce(run.started_at, variant.last_seen_at, item.deleted_at, size.deleted_at) end`;

const IS_OUTDATED = sql`(variant.last_seen_name, variant.last_seen_sku, variant.last_seen_price_kopecks, variant.last_seen_snapshot)
  is distinct from (seen.name, seen.sku, seen.price_kopecks, seen.snapshot)`;

const LAST_KNOWN = sql`jsonb_build_object('erpItemId', item.erp_id, 'sku', variant.last_seen_sku,
  'name', variant.last_seen_name, 'price', variant.last_seen_price_kopecks)`;

/**
 * Copies last-seen data to the temporary table `evaluated`, before `last_seen_*` is rewritten.
 * Imports are identified by their start in ms, which their rows contain.
 */
export async function readBoundVariants(
  tx: Tx,
  connectionId: number | null,
): Promise<BoundVariant[]> {
  await sql`
     create temporary table evaluated on commit drop as
     with ${seenNow(boundTo(connectionId))}
     select variant.id, variant.product_id, product.status = 'PUBLISHED' as is_published, item.id as item_id,
            coalesce(item.deleted_at, size.deleted_at) as deleted_at, size.id as item_size_id,
            case when item.deleted_at is null and size.deleted_at is not null then 'SIZE' else 'ITEM' end as lost,
            variant.binding_state, variant.missing_since, size.erp_size_id,
            item.product_category_erp_id, variant.last_seen_snapshot,
            variant.last_seen_name, variant.last_seen_sku,
            ${LAST_SEEN_AT} as last_seen_at,
            seen.name, seen.sku, seen.price_kopecks, seen.snapshot,
            ${IS_OUTDATED} as is_outdated, ${LAST_KNOWN} as last_known
       from catalog_variant variant join catalog_product product on product.id = variant.product_id
       join seen on seen.variant_id = variant.id
       join mirror_item_size size on size.id = variant.item_size_id join mirror_item item on item.id = size.item_id
       left join sync_run run on run.id = ${DELETED_BY_RUN}`.execute(tx.db);

  await sql`analyze evaluated (id)`.execute(tx.db);
  const { rows } = await sql<BoundVariant>`
     with absent as (
       select id, deleted_at, jsonb_array_elements(last_seen_snapshot -> 'externalMenuIds')::bigint as menu_id
         from evaluated where deleted_at is not null and binding_state = 'OK'),
     imported as (
       select external_menu_id, date_trunc('milliseconds', started_at) as started_at from sync_run
        where job = 'MENU' and ${HAS_IMPORTED} and started_at > (select min(deleted_at) from absent)),
     counted as (
       select absent.id, count(*) as imports from absent
         join imported on imported.external_menu_id = absent.menu_id and imported.started_at > absent.deleted_at group by 1)
     select evaluated.id, product_id, is_published, item_id, item_size_id, lost, binding_state as state, ${ms(sql`missing_since`)} as missing_since,
            name, is_outdated, last_seen_name, last_seen_sku, erp_size_id, product_category_erp_id as product_category_id,
            coalesce(last_seen_snapshot -> 'menuCategoryIds', '[]') as menu_category_ids, ${ms(sql`deleted_at`)} as deleted_at,
            coalesce(counted.imports, 0) as imports_since, ${ms(sql`coalesce(last_seen_at, deleted_at, now())`)} as last_seen_at
       from evaluated left join counted on counted.id = evaluated.id order by evaluated.id`.execute(
    tx.db,
  );

  return rows;
}

/**
 * Locks items that are still lost and returns their variants. Skips items that an import is
 * writing, because another evaluation follows.
 */
export async function holdLostVariants(
  tx: Tx,
  lost: readonly BoundVariant[],
): Promise<Set<number>> {
  const [ofItem, ofSize] = [
    lost.filter((variant) => variant.lost === 'ITEM'),
    lost.filter((variant) => variant.lost === 'SIZE'),
  ];

  const items = await holdDeletedItems(tx, [...new Set(ofItem.map(({ itemId }) => itemId))]);
  const sizes = await holdDeletedSizes(tx, [
    ...new Set(ofSize.map(({ itemSizeId }) => itemSizeId)),
  ]);
  const variants = [
    ...ofItem.filter(({ itemId }) => items.has(itemId)),
    ...ofSize.filter(({ itemSizeId }) => sizes.has(itemSizeId)),
  ];

  return new Set(variants.map(({ id }) => id));
}

async function holdDeletedItems(tx: Tx, itemIds: readonly number[]): Promise<Set<number>> {
  if (itemIds.length === 0) return new Set();
  const items = await tx.db
    .selectFrom('mirror_item')
    .select('id')
    .where('id', '=', anyOf(itemIds))
    .where('deletedAt', 'is not', null)
    .orderBy('id')
    .forShare()
    .skipLocked()
    .execute();

  return new Set(items.map((item) => item.id));
}

async function holdDeletedSizes(tx: Tx, sizeIds: readonly number[]): Promise<Set<number>> {
  if (sizeIds.length === 0) return new Set();
  const sizes = await tx.db
    .selectFrom('mirror_item_size')
    .select('id')
    .where('id', '=', anyOf(sizeIds))
    .where('deletedAt', 'is not', null)
    .orderBy('id')
    .forShare()
    .skipLocked()
    .execute();

  return new Set(sizes.map((size) => size.id));
}

/** Reads free live sizes that were first seen later and have a lost sku or name. */
export function readFreeSizes(
  tx: Tx,
  lost: { skus: readonly string[]; names: readonly string[]; after: number },
): Promise<FreeSize[]> {
  const sku = sql<string | null>`coalesce(size.sku, item.sku)`;

  return tx.db
    .with('fresh', sizesSeenAfter(lost.after))
    .with('placed', FRESH_CATEGORIES)
    .selectFrom('fresh')
    .innerJoin('mirror_item as item', 'item.id', 'fresh.id')
    .innerJoin('mirror_item_size as size', 'size.id', 'fresh.sizeId')
    .leftJoin('catalog_item_binding as binding', 'binding.itemId', 'item.id')
    .leftJoin('placed', 'placed.itemId', 'item.id')
    .select(['item.erpId as erpItemId', 'size.id as erpItemSizeId', 'size.erpSizeId'])
    .select([sku.as('sku'), 'item.name', 'item.productCategoryErpId as productCategoryId'])
    .select(sql<string[]>`coalesce(placed.categories, '[]')`.as('menuCategoryIds'))
    .select(['binding.productId as boundProductId', ms(sql`size.first_seen_at`).as('firstSeenAt')])
    .where((eb) =>
      eb.or([
        eb(sku, '=', anyOf(lost.skus, 'text')),
        eb('item.name', '=', anyOf(lost.names, 'text')),
      ]),
    )
    .where(IS_FREE)
    .orderBy('size.id')
    .execute();
}

const sizesSeenAfter = (time: number) => sql<{ sizeId: number; id: number }>`(
  select size.id as size_id, item.id from mirror_item_size size join mirror_item item on item.id = size.item_id
   where item.role = 'DISH' and item.deleted_at is null and size.deleted_at is null
     and size.first_seen_at > to_timestamp(${time}::double precision / 1000))`;

const FRESH_CATEGORIES = sql<{ itemId: number; categories: string[] }>`(
  select placement.item_id, jsonb_agg(distinct category.erp_id) as categories
    from mirror_item_placement placement join mirror_menu_category category on category.id = placement.menu_category_id
   where placement.item_id in (select id from fresh) group by 1)`;

const IS_FREE = sql<boolean>`not exists (select 1 from catalog_variant variant where variant.item_size_id = size.id)`;

/** Reads replacements that were dismissed since the variant became missing. */
export async function readDismissedSizes(
  tx: Tx,
  variantIds: readonly number[],
): Promise<Map<number, Set<number>>> {
  const { rows } = await sql<Row<'binding_incident', 'variantId', { sizeIds: number[] }>>`
     select incident.variant_id, jsonb_agg(distinct (candidate ->> 'erpItemSizeId')::bigint) as size_ids
       from binding_incident incident join catalog_variant variant on variant.id = incident.variant_id
       cross join jsonb_array_elements(incident.candidates) candidate
      where incident.variant_id = any (${variantIds}::bigint[]) and incident.type = 'POSSIBLE_REPLACEMENT'
        and incident.resolution = 'DISMISSED' and incident.detected_at >= variant.missing_since group by 1`.execute(
    tx.db,
  );

  return new Map(rows.map(({ variantId, sizeIds }) => [variantId, new Set(sizeIds)]));
}
