import type { Data } from './api.ts';

/** A restaurant at a glance. */
export type Overview = Data<'getOrganizationsOverview'>['organizations'][number];
export type Product = Data<'getProduct'>;
export type Category = Data<'getCategory'>;
