/**
 * The menus of organizations that each change makes outdated (rule SNP-17). ITSELF: the
 * organizations that changed; OF_MENU: those an external menu is imported for; OF_PRODUCTS: those
 * where the published ones of these products have, or had, a price; ALL: every active one.
 * `external-menu-update` is every change that ranks the menus of an organization again: their
 * settings, withdrawal or return. A test walks this table: every source is shown to reach exactly
 * these.
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
/** Changes that concern every restaurant. */
export type SourceForAll = Reaching<'ALL'>;
/** Changes of products. */
export type SourceForProducts = Reaching<'OF_PRODUCTS'>;
/** Changes of certain organizations. */
export type SourceForSome = Exclude<DirtySource, SourceForAll>;
