import { OPEN_INCIDENTS } from './binding/incident-views.ts';
import { CATALOG_ISSUES, type ProductIssue } from './catalog/products/list-products.ts';

/** Everything about dishes that needs staff. */
export const PRODUCT_ISSUES: readonly ProductIssue[] = [...CATALOG_ISSUES, OPEN_INCIDENTS];
