import type { Data } from './api.ts';

export type Overview = Data<'getOrganizationsOverview'>['organizations'][number];
export type Product = Data<'getProduct'>;
export type Category = Data<'getCategory'>;
