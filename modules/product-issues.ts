import { OPEN_INCIDENTS } from './binding/incident-views.ts';
import { CATALOG_ISSUES, type ProductIssue } from './catalog/products/list-products.ts';

/** Products with any issue that staff must resolve. */
export const PRODUCT_ISSUES: readonly ProductIssue[] = [...CATALOG_ISSUES, OPEN_INCIDENTS];
