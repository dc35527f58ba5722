import { PRODUCT_TEXTS } from './product-content.ts';

/** Texts of a product that staff edit in a sheet. */
export const SHEET_TEXTS = ['name', ...PRODUCT_TEXTS] as const;
export type SheetText = (typeof SHEET_TEXTS)[number];

/** The column of each text in a sheet (rule CAT-25). */
export const TEXT_COLUMNS: Readonly<Record<SheetText, string>> = {
  name: 'name',
  subtitle: 'subtitle',
  description: 'description',
  composition: 'composition',
  seoTitle: 'seo_title',
  seoDescription: 'seo_description',
};

/**
 * Columns that name the product of a row: its id, or the article number of one of its dishes at the
 * ERP (rule CAT-33). A sheet has at least one of them.
 */
export const KEY_COLUMNS = ['id', 'sku'] as const;

/** Columns of the exported sheet that an import does not read. */
export const READ_ONLY_COLUMNS = [
  'skus',
  'slug',
  'status',
  'category_ids',
  'badge_ids',
  'variant_count',
  'updated_at',
  'version',
] as const;
