import { browseMenu, type MenuBrowser } from '../../domain/delivery/menu-browser.ts';
import type { MenuContent } from '../../domain/snapshot/menu.ts';
import type { Documents } from './documents.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';

/** One published menu, taken apart for the smaller public answers; all of them speak of the same moment. */
export type MenuView = { revision: number; browser: MenuBrowser; search: () => Promise<SearchIndex> };

/** Search indexes of so many organizations are kept; one of 2,000 products takes some megabytes. */
const INDEXES = 50;

/**
 * Reads views of menus and keeps them as long as their buffers. The index of a search follows the revision: a stop-list changes no
 * name, so it does not rebuild it. A revision is indexed once, however many ask at the same time.
 */
export function createMenuViews(): (documents: Documents) => MenuView {
  const views = new WeakMap<Documents, MenuView>();
  const indexes = new Map<string, Promise<SearchIndex>>();

  function indexOf(key: string, menu: MenuContent): Promise<SearchIndex> {
    const known = indexes.get(key) ?? createSearchIndex(menu);
    indexes.delete(key);
    indexes.set(key, known);
    const [oldest] = indexes.keys();
    if (indexes.size > INDEXES && oldest !== undefined) indexes.delete(oldest);
    return known;
  }

  return (documents) => {
    const known = views.get(documents);
    if (known !== undefined) return known;
    const menu = parse(documents);
    const view: MenuView = {
      revision: documents.revision,
      browser: browseMenu(menu),
      search: () => indexOf(`${menu.organizationId}/${documents.revision}`, menu),
    };
    views.set(documents, view);
    return view;
  };
}

/** The stored text back as a menu: money as whole kopecks. */
function parse({ menu }: Documents): MenuContent & { organizationId: string } {
  return JSON.parse(menu.identity.toString('utf8'), (name, value: unknown) =>
    name === 'price' ? Math.round(Number(value) * 100) : value,
  ) as MenuContent & { organizationId: string };
}
