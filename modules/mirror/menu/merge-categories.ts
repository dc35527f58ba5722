import type { MergeContext } from './merge-context.ts';
import { mergeRows, type Merged } from './merge-rows.ts';

/** Upserts product and menu categories (MIR-7). */
export async function mergeCategories({
  tx,
  runId,
  externalMenuId,
  startedAt,
}: MergeContext): Promise<Merged> {
  const product = await mergeRows(tx, {
    table: 'mirror_product_category',
    keys: ['erp_id'],
    columns: ['name', 'is_deleted'],
    source: 'new_product_category',
    isShared: true,
    changedAt: startedAt,
  });

  const menu = await mergeRows(tx, {
    table: 'mirror_menu_category',
    keys: ['external_menu_id', 'erp_id'],
    columns: ['name', 'description', 'is_hidden', 'position', 'hours'],
    source: '(select $1::bigint as external_menu_id, category.* from new_menu_category category)',
    params: [externalMenuId],
    runId,
  });

  return { created: product.created + menu.created, updated: product.updated + menu.updated };
}
