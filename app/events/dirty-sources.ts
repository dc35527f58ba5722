/**
 * Which change makes the public menus of which organizations outdated (design section 5). ITSELF: the organizations that changed;
 * OF_MENU: those an external menu is imported for; ALL: every active one, because a catalogue is one for the chain.
 * A test walks this table: every source is shown to reach exactly these.
 */
export const DIRTY_SOURCES = {
  'menu-import': 'OF_MENU',
  'external-menu-update': 'OF_MENU',
  'organizations-import': 'ITSELF',
  'stop-list': 'ITSELF',
  'binding-evaluation': 'ITSELF',
  'setting-change': 'ALL',
  'snapshot-pin': 'ITSELF',
  'category-create': 'ALL',
  'category-update': 'ALL',
  'category-archive': 'ALL',
  'category-tree': 'ALL',
  'category-order': 'ALL',
  'product-update': 'ALL',
  'product-publish': 'ALL',
  'product-unpublish': 'ALL',
  'product-archive': 'ALL',
} as const satisfies Record<string, 'ITSELF' | 'OF_MENU' | 'ALL'>;

export type DirtySource = keyof typeof DIRTY_SOURCES;
/** Changes of the catalogue. */
export type SourceForAll = { [S in DirtySource]: (typeof DIRTY_SOURCES)[S] extends 'ALL' ? S : never }[DirtySource];
/** Changes that know whom they concern. */
export type SourceForSome = Exclude<DirtySource, SourceForAll>;
