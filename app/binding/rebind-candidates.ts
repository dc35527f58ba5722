import { Problem } from '../../contracts/problem.ts';
import { replacementSearch, type LostItem } from '../../domain/binding/replacement.ts';
import type { Sql } from '../database.ts';
import { readFreeSizes } from './evaluation-facts.ts';
import type { CandidateView } from './incident-views.ts';

/**
 * What a variant could be bound to, by the rules of the replacement search (spec 2). For a MISSING one only items that came after it
 * was last seen; staff who look for another item of a live one see every free dish that matches. Problem `not-found`.
 */
export async function rebindCandidates(sql: Sql, variantId: number): Promise<CandidateView[]> {
  const [lost] = await sql.query<LostItem>(
    `select variant.product_id as "productId", variant.last_seen_sku as sku, variant.last_seen_name as name,
            size.erp_size_id as "erpSizeId", item.product_category_erp_id as "productCategoryId",
            coalesce(variant.last_seen_snapshot -> 'menuCategoryIds', '[]') as "menuCategoryIds",
            case when variant.binding_state = 'MISSING' then (extract(epoch from variant.last_seen_at) * 1000)::double precision
                 else 0 end as "lastSeenAt"
       from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
       join mirror_item item on item.id = size.item_id where variant.id = $1`,
    [variantId],
  );
  if (lost === undefined) throw new Problem('not-found', { detail: 'No such variant.' });
  const { sku, name, lastSeenAt } = lost;
  const sizes = await readFreeSizes(sql, {
    skus: sku === null ? [] : [sku],
    names: name === null ? [] : [name],
    after: lastSeenAt,
  });
  return replacementSearch(sizes)(lost).map((each) => ({
    ...each,
    firstSeenAt: new Date(each.firstSeenAt).toISOString(),
  }));
}
