import { PRODUCT_TEXTS } from './product-content.ts';

export const SHEET_TEXTS = ['name', ...PRODUCT_TEXTS] as const;
export type SheetText = (typeof SHEET_TEXTS)[number];

/** Columns by text (CAT-25). */
export const TEXT_COLUMNS: Readonly<Record<SheetText, string>> = {
  name: 'name',
  subtitle: 'subtitle',
  description: 'description',
  composition: 'composition',
  seoTitle: 'seo_title',
  seoDescription: 'seo_description',
};

/** The id, or the article number of a dish (CAT-33). A sheet has at least one. */
export const KEY_COLUMNS = ['id', 'sku'] as const;

/** An import ignores them. */
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
