import { createHash } from 'node:crypto';
import { facetIndex, type FacetIndex } from '../rules/storefront/facets.ts';
import { browseMenu, type MenuBrowser } from '../rules/storefront/menu-browser.ts';
import { putBack } from '../rules/snapshot/fit-menu.ts';
import type { MenuContent } from '../rules/snapshot/menu-parts.ts';
import { parsePublished } from '../rules/snapshot/payload.ts';
import { boundedCache } from '../../../platform/bounded-cache.ts';
import { readLeftOut } from '../snapshot/snapshot-row.ts';
import type { Documents } from './documents.ts';
import { createSearchIndex, searchEntries, type SearchIndex } from './search-index.ts';

/** A parsed menu for smaller responses. */
export type MenuView = {
  revision: number;
  content: MenuContent;
  browser: MenuBrowser;
  facets: () => FacetIndex;
  search: () => Promise<SearchIndex>;
};

/** Limits memory: an index of 2,000 products takes some MB. */
const INDEXES = 50;

/** Bytes of published text; parsed menus take several times as much (STO-16). */
const TAKEN_APART_BYTES = 64 * 2 ** 20;

/**
 * Creates a cache of parsed menus for at most `bytes` of text (STO-16). Search indexes survive
 * changes of stops and prices, and restaurants with the same dishes share them.
 */
export function createMenuViews(bytes = TAKEN_APART_BYTES): (documents: Documents) => MenuView {
  const views = boundedCache<number, { documents: Documents; view: MenuView }>(bytes);
  const indexes = boundedCache<string, Promise<SearchIndex>>(INDEXES);

  function getIndex(menu: MenuContent): Promise<SearchIndex> {
    const entries = searchEntries(menu);
    const key = createHash('sha256').update(JSON.stringify(entries)).digest('base64');
    const cached = indexes.get(key);
    if (cached !== undefined) return cached;
    const built = createSearchIndex(entries);
    indexes.set(key, built);

    return built;
  }

  function takeApart(documents: Documents): MenuView {
    const published = parsePublished<MenuContent>(documents.menu.identity.toString('utf8'));
    const menu = putBack(published, readLeftOut(documents.leftOut));
    let facets: FacetIndex | undefined;
    let search: Promise<SearchIndex> | undefined;

    return {
      revision: documents.revision,
      content: menu,
      browser: browseMenu(menu, documents.cardTexts),
      facets: () => (facets ??= facetIndex(menu)),
      search: () => (search ??= getIndex(menu)),
    };
  }

  return (documents) => {
    const cached = views.get(documents.organizationId);
    if (cached?.documents === documents) return cached.view;
    const view = takeApart(documents);
    views.set(documents.organizationId, { documents, view }, documents.menu.identity.length);
    return view;
  };
}
