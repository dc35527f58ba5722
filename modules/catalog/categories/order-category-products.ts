import { sql } from 'kysely';
import { Problem, type FieldError } from '../../../kernel/problem.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { MISSING_CATEGORY } from './category-views.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';

/**
 * Orders products of a category; unlisted products follow. Problems: not-found, validation (not in
 * the category, duplicate).
 */
export function orderCategoryProducts(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  productIds: readonly number[],
): Promise<{ productIds: number[] }> {
  return commitEdit(deps, async (tx) => {
    await tx.db
      .selectFrom('catalog_category')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: MISSING_CATEGORY }));

    const rows = await tx.db
      .selectFrom('catalog_product_category')
      .select('productId as id')
      .where('categoryId', '=', id)
      .orderBy('position')
      .orderBy('productId')
      .execute();

    const before = rows.map((row) => row.id);
    const errors = orderErrors(productIds, new Set(before));
    if (errors.length > 0) throw new Problem('validation', { errors });

    const named = new Set(productIds);
    const after = [...productIds, ...before.filter((value) => !named.has(value))];
    if (after.join() === before.join()) return { productIds: after };
    await sql`update catalog_product_category placement set position = wanted.at - 1
      from unnest(${after}::bigint[]) with ordinality as wanted (product_id, at)
     where placement.category_id = ${id} and placement.product_id = wanted.product_id`.execute(
      tx.db,
    );

    await recordEdit(tx, actor, {
      entityType: 'category',
      entityId: id,
      action: 'order-products',
      before: { productIds: before },
      after: { productIds: after },
      outdates: 'category-order',
    });

    return { productIds: after };
  });
}

function orderErrors(productIds: readonly number[], placed: ReadonlySet<number>): FieldError[] {
  return productIds.flatMap((id, at): FieldError[] => {
    const field = `productIds.${at}`;
    if (productIds.indexOf(id) < at) return [{ field, code: 'duplicate', message: 'Named twice.' }];
    return placed.has(id) ? [] : [{ field, code: 'not_found', message: 'Not in this category.' }];
  });
}
