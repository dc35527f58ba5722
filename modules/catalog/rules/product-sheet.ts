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

/** Columns of the exported sheet that an import does not read. */
export const READ_ONLY_COLUMNS = [
  'slug',
  'status',
  'category_ids',
  'badge_ids',
  'variant_count',
  'updated_at',
  'version',
] as const;
