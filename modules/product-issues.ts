import { OPEN_INCIDENTS } from './binding/incident-views.ts';
import { CATALOG_ISSUES, type ProductIssue } from './catalog/products/list-products.ts';

/**
 * Everything about the dishes of a product that needs staff; who lists products hands it to the
 * catalog.
 */
export const PRODUCT_ISSUES: readonly ProductIssue[] = [...CATALOG_ISSUES, OPEN_INCIDENTS];
