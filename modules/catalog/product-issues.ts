import { sql, type RawBuilder } from 'kysely';

/**
 * Products about whose dishes something needs staff: a select of their `product_id`. Whoever finds such products states it as data, so
 * that the catalogue need not know who that is.
 */
export type ProductIssue = RawBuilder<unknown>;

/** A variant whose dish is lost, and one whose dish the ERP has deleted. */
export const CATALOG_ISSUES: readonly ProductIssue[] = [
  sql`select variant.product_id from catalog_variant variant where variant.binding_state = 'MISSING'`,
  sql`select variant.product_id from mirror_item item join mirror_item_size size on size.item_id = item.id
        join catalog_variant variant on variant.item_size_id = size.id where item.deleted_at is not null`,
];
