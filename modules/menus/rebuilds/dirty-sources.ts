/**
 * Reach of each change (SNP-17). OF_PRODUCTS: organizations with present or former prices of
 * published products. `external-menu-update` includes withdrawal, return and settings.
 */
export const DIRTY_SOURCES = {
  'menu-import': 'OF_MENU',
  'external-menu-update': 'OF_MENU',
  'organizations-import': 'ITSELF',
  'stop-list': 'ITSELF',
  'binding-evaluation': 'ITSELF',
  'setting-change': 'ALL',
  'service-roles': 'ALL',
  reward: 'ALL',
  'media-update': 'ALL',
  'media-base': 'ALL',
  'older-builder': 'ITSELF',
  'snapshot-pin': 'ITSELF',
  'category-create': 'ALL',
  'category-update': 'ALL',
  'category-archive': 'ALL',
  'category-restore': 'ALL',
  'category-tree': 'ALL',
  'category-order': 'ALL',
  'modifier-group-update': 'ALL',
  'modifier-update': 'ALL',
  'variant-axis-update': 'OF_PRODUCTS',
  'badge-update': 'OF_PRODUCTS',
  'product-update': 'OF_PRODUCTS',
  'product-visibility': 'ITSELF',
  'product-publish': 'OF_PRODUCTS',
  'product-unpublish': 'OF_PRODUCTS',
  'product-archive': 'OF_PRODUCTS',
} as const satisfies Record<string, 'ITSELF' | 'OF_MENU' | 'OF_PRODUCTS' | 'ALL'>;

export type DirtySource = keyof typeof DIRTY_SOURCES;
type Reaching<R extends string> = {
  [S in DirtySource]: (typeof DIRTY_SOURCES)[S] extends R ? S : never;
}[DirtySource];
export type SourceForAll = Reaching<'ALL'>;
export type SourceForProducts = Reaching<'OF_PRODUCTS'>;
export type SourceForSome = Exclude<DirtySource, SourceForAll>;
