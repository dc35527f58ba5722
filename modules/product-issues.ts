import { OPEN_INCIDENTS } from './binding/product-issues.ts';
import { CATALOG_ISSUES, type ProductIssue } from './catalog/product-issues.ts';

/** Everything about the dishes of a product that needs staff; who lists products hands it to the catalogue. */
export const PRODUCT_ISSUES: readonly ProductIssue[] = [...CATALOG_ISSUES, OPEN_INCIDENTS];
