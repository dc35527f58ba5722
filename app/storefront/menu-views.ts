import { createHash } from 'node:crypto';
import { facetIndex, type FacetIndex } from '../../domain/storefront/facets.ts';
import { browseMenu, type MenuBrowser } from '../../domain/storefront/menu-browser.ts';
import { putBack } from '../../domain/snapshot/fit-menu.ts';
import type { MenuContent } from '../../domain/snapshot/menu.ts';
import { parsePublished } from '../../domain/snapshot/payload.ts';
import { readLeftOut } from '../snapshot/left-out.ts';
import type { Documents } from './documents.ts';
import { createSearchIndex, searchEntries, type SearchIndex } from './search-index.ts';

/** One published menu, taken apart for the smaller public answers; all of them speak of the same moment. */
export type MenuView = {
  revision: number;
  content: MenuContent;
  browser: MenuBrowser;
  facets: () => FacetIndex;
  search: () => Promise<SearchIndex>;
};

/** Number of different search indexes that are kept; an index of 2,000 products takes some megabytes. */
const INDEXES = 50;

/**
 * Reads views of menus and keeps them as long as their buffers. The index of a search follows the texts: neither a stop nor a price
 * rebuilds it, restaurants of a chain with the same dishes share one, and it is built once, however many ask at the same time.
 */
export function createMenuViews(): (documents: Documents) => MenuView {
  const views = new WeakMap<Documents, MenuView>();
  const indexes = new Map<string, Promise<SearchIndex>>();

  function indexOf(menu: MenuContent): Promise<SearchIndex> {
    const entries = searchEntries(menu);
    const key = createHash('sha256').update(JSON.stringify(entries)).digest('base64');
    const known = indexes.get(key) ?? createSearchIndex(entries);
    indexes.delete(key);
    indexes.set(key, known);
    const [oldest] = indexes.keys();
    if (indexes.size > INDEXES && oldest !== undefined) indexes.delete(oldest);
    return known;
  }

  return (documents) => {
    const known = views.get(documents);
    if (known !== undefined) return known;
    const published = parsePublished<MenuContent>(documents.menu.identity.toString('utf8'));
    const menu = putBack(published, readLeftOut(documents.leftOut));
    let facets: FacetIndex | undefined;
    let search: Promise<SearchIndex> | undefined;
    const view: MenuView = {
      revision: documents.revision,
      content: menu,
      browser: browseMenu(menu, documents.cardTexts),
      facets: () => (facets ??= facetIndex(menu)),
      search: () => (search ??= indexOf(menu)),
    };
    views.set(documents, view);
    return view;
  };
}
