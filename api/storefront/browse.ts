import { Type } from 'typebox';
import {
  CategoryTree,
  Facets,
  MenuProductPage,
  ProductCard,
  Sitemap,
} from '../../modules/menus/schemas/menu.ts';
import { pageOfItems } from '../../kernel/pages.ts';
import type { MenuProduct } from '../../modules/menus/rules/snapshot/menu-parts.ts';
import { Problem } from '../../kernel/problem.ts';
import {
  chooseFacets,
  countFacets,
  hasFacets,
} from '../../modules/menus/rules/storefront/facets.ts';
import type { MenuView } from '../../modules/menus/storefront/menu-views.ts';
import { readSitemap } from '../../modules/menus/storefront/sitemap.ts';
import { numberObject } from '../../platform/object-number.ts';
import { productOfSlug } from '../../modules/catalog/reserve-slug.ts';
import type { Deps } from '../deps.ts';
import { defineRoute, PREFIXES, type Route } from '../http/route.ts';
import { Id, Strict, Uuid } from '../../kernel/pure/schemas.ts';
import { pageQuery, sortQuery, toPage } from '../http/schemas.ts';
import { availabilityRoute, menuRevisionRoute, menuRoute, menuStreamRoute } from './menu.ts';

/**
 * These smaller reads use the buffers of `/menu`, so that they agree with it
 * (rule STO-4).
 */

const organization_id = Type.Optional(
  Type.Unsafe<string>({
    ...Uuid,
    description:
      'UUID of the organization. It may be left out while exactly one organization is active.',
  }),
);

const facet = Type.Optional(
  Type.Array(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,50}:[A-Za-z0-9_.-]{1,100}$' }), {
    maxItems: 20,
    description:
      'Keeps products that have this value of a facet, `code:value` of `/facets`. It may be repeated: values of one ' +
      'facet are alternatives, different facets must all match.',
  }),
);

const SearchText = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });

const shared = {
  api: 'public',
  method: 'GET',
  tags: ['Menu'],
  permission: 'public',
  problems: ['not-found', 'unavailable'],
  cacheControl: 'public, max-age=60',
} as const;

type OfOrganization = { query: { organization_id?: string } };

function menuBasis(
  { query }: OfOrganization,
  { loadedMenu }: Pick<Deps, 'loadedMenu'>,
): string | null {
  const menu = loadedMenu(query.organization_id?.toLowerCase());
  return menu === undefined ? null : `menu ${numberObject(menu)}`;
}

function facetBasis(
  request: OfOrganization,
  deps: Pick<Deps, 'loadedMenu' | 'facetCatalogs'>,
): string | null {
  const menu = menuBasis(request, deps);
  const catalog = deps.facetCatalogs.loaded();
  return menu === null || catalog === undefined ? null : `${menu}, facets ${numberObject(catalog)}`;
}

const categoriesRoute = defineRoute({
  ...shared,
  path: '/categories',
  operationId: 'getCategories',
  summary: 'Category tree of an organization',
  description:
    'Returns all categories that contain products, in menu order. Use it for navigation. The list is not paged.',
  query: Strict({ organization_id }),
  responses: { 200: CategoryTree },
  basis: menuBasis,
  async handler({ query }, { readMenuView }) {
    const { revision, browser } = await readMenuView(query.organization_id?.toLowerCase());
    return { status: 200, body: { revision, items: [...browser.categories] } };
  },
});

const productsRoute = defineRoute({
  ...shared,
  path: '/products',
  operationId: 'getProducts',
  summary: 'Products of an organization, page by page',
  description:
    'Products are in menu order, without duplicates. `category_id` keeps the products of this category and of the ' +
    'categories below it.',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'price']),
    organization_id,
    category_id: Type.Optional(Id),
    facet,
  }),
  responses: { 200: MenuProductPage },
  basis: (request, deps) =>
    (request.query.facet === undefined ? menuBasis : facetBasis)(request, deps),
  async handler({ query }, deps) {
    const view = await deps.readMenuView(query.organization_id?.toLowerCase());
    const paging = toPage(query);
    const isChosen = await facetFilter(deps, view, query.facet);
    const products = listProducts(view, query.category_id).filter(({ id }) => isChosen(id));

    return {
      status: 200,
      body: { revision: view.revision, ...pageOfItems(products, paging, PRODUCT_ORDER) },
    };
  },
});

const productRoute = defineRoute({
  ...shared,
  path: '/products/{slug}',
  operationId: 'getProductCard',
  summary: 'One product with all modifiers inline',
  description:
    'Every variant has its modifier groups, with the same ids as in `/menu`. A former slug leads to the product as ' +
    'well; the current one is in `slug` and in the header `Content-Location`.',
  params: Strict({ slug: Type.String({ minLength: 1, maxLength: 100 }) }),
  query: Strict({ organization_id }),
  responses: { 200: ProductCard },
  basis: menuBasis,
  async handler({ params, query }, { db, readMenuView }) {
    const { revision, browser } = await readMenuView(query.organization_id?.toLowerCase());
    const current = browser.card(params.slug);
    const card = current ?? browser.cardOf((await productOfSlug(db, params.slug)) ?? 0);
    if (card === undefined)
      throw new Problem('not-found', { detail: 'The menu has no such product.' });
    const { organization_id: named } = query;
    const url = `${PREFIXES.public}/products/${card.slug}${named === undefined ? '' : `?organization_id=${named}`}`;
    const headers = { 'Content-Location': url, Link: `<${url}>; rel="canonical"` };
    const body = { ...card, revision };

    // The catalog determines to which slug a former one redirects.
    return current === undefined
      ? { status: 200, headers, body, keep: false }
      : { status: 200, headers, body };
  },
});

const searchRoute = defineRoute({
  ...shared,
  path: '/search',
  operationId: 'searchProducts',
  rateLimit: 'search',
  summary: 'Search by name and composition',
  description:
    'The best matches come first. The search covers Russian and English word forms, matches the beginning of words, ' +
    'and tolerates typing mistakes and the wrong keyboard layout.',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'price']),
    organization_id,
    q: SearchText,
    facet,
  }),
  responses: { 200: MenuProductPage },
  async handler({ query }, deps) {
    const view = await deps.readMenuView(query.organization_id?.toLowerCase());
    const { revision, browser, search } = view;
    const paging = toPage(query);
    const productIds = (await search())
      .search(query.q)
      .filter(await facetFilter(deps, view, query.facet));
    const products = productIds.flatMap((id) => browser.product(id) ?? []);
    const page = pageOfItems(products, paging, PRODUCT_ORDER);

    return { status: 200, body: { revision, ...page, total: productIds.length } };
  },
});

const facetsRoute = defineRoute({
  ...shared,
  path: '/facets',
  operationId: 'getFacets',
  summary: 'List the facets of products',
  description:
    'Facets and their values are those of the catalog, in its order, also when no served product has them. Counts are ' +
    'those of the published menu, of a category and those below it, or with `q` of what `/search` finds there. The list is not paged.',
  query: Strict({ organization_id, category_id: Type.Optional(Id), q: Type.Optional(SearchText) }),
  responses: { 200: Facets },
  basis: facetBasis,
  async handler({ query }, { readMenuView, facetCatalogs }) {
    const view = await readMenuView(query.organization_id?.toLowerCase());
    const all = listProducts(view, query.category_id);
    const productIds =
      query.q === undefined ? null : new Set((await view.search()).search(query.q));
    const among = productIds === null ? all : all.filter(({ id }) => productIds.has(id));
    const items = countFacets(await facetCatalogs.current(), view.facets(), among);

    return { status: 200, body: { revision: view.revision, items } };
  },
});

const sitemapRoute = defineRoute({
  ...shared,
  path: '/sitemap',
  operationId: 'getSitemap',
  summary: 'Products and categories for a sitemap',
  description:
    'Canonical slugs of the menu, in its order, with the time at which staff last changed each product and category. ' +
    'The answer changes when the menu is published: an edit that changes no menu appears with the next publication. ' +
    'The list is not paged.',
  query: Strict({ organization_id }),
  responses: { 200: Sitemap },
  basis: menuBasis,
  handler: async ({ query }, { db, readMenuView }) => ({
    status: 200,
    body: await readSitemap(db, await readMenuView(query.organization_id?.toLowerCase())),
  }),
});

const PRODUCT_ORDER = {
  name: ({ name }: MenuProduct) => name,
  price: ({ variants }: MenuProduct) =>
    variants.length === 0 ? null : Math.min(...variants.map(({ price }) => price)),
};

/** Includes subcategories. Problem `not-found` for an unknown category. */
function listProducts({ browser }: MenuView, categoryId: number | undefined) {
  const products = categoryId === undefined ? browser.products : browser.ofCategory(categoryId);
  if (products === undefined)
    throw new Problem('not-found', { detail: 'The menu has no such category.' });
  return products;
}

/** Problem `validation` for unknown facets. */
async function facetFilter(
  { facetCatalogs }: Pick<Deps, 'facetCatalogs'>,
  view: MenuView,
  facetKeys: readonly string[] = [],
): Promise<(productId: number) => boolean> {
  if (facetKeys.length === 0) return () => true;
  const { chosen, errors } = chooseFacets(await facetCatalogs.current(), facetKeys);
  if (errors.length > 0) throw new Problem('validation', { errors });
  return hasFacets(view.facets(), chosen);
}

const browseRoutes = [
  categoriesRoute,
  facetsRoute,
  productsRoute,
  productRoute,
  searchRoute,
  sitemapRoute,
];

export const storefrontRoutes: readonly Route[] = [
  menuRoute,
  menuRevisionRoute,
  availabilityRoute,
  menuStreamRoute,
  ...browseRoutes,
];
