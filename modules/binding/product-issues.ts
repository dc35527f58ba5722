import { sql } from 'kysely';
import type { ProductIssue } from '../catalog/product-issues.ts';

/** An open incident of a binding. */
export const OPEN_INCIDENTS: ProductIssue = sql`select product_id from binding_incident where status = 'OPEN'`;
