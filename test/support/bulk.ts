import type { BulkRequest } from '../../modules/catalog/schemas/catalog-requests.ts';
import type { BulkResult } from '../../modules/catalog/schemas/catalog.ts';
import { bulkProducts } from '../../modules/catalog/products/bulk-products.ts';
import { CATALOG_ISSUES } from '../../modules/catalog/products/list-products.ts';
import type { Database } from './text-database.ts';
import { createLog } from '../../platform/log.ts';
import { STAFF } from './catalog-fixtures.ts';

const silent = createLog({ service: 'test', level: 'silent' });

export function bulk(
  db: Database,
  request: BulkRequest,
  lockTimeoutMs = 10_000,
): Promise<BulkResult> {
  return bulkProducts(
    { db, log: silent, productIssues: CATALOG_ISSUES, lockTimeoutMs },
    STAFF,
    request,
  );
}

export function giveBadges(
  db: Database,
  productId: number,
  badgeIds: readonly number[],
): Promise<BulkResult> {
  return bulk(db, {
    productIds: [productId],
    action: 'SET_BADGES',
    payload: { badgeIds: [...badgeIds] },
  });
}
