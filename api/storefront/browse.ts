import { Type } from 'typebox';
import { CategoryTree, MenuProductPage, ProductCard } from '../../contracts/menu.ts';
import { Problem } from '../../contracts/problem.ts';
import { productOfSlug } from '../../app/catalog/product-of-slug.ts';
import { defineRoute, PREFIXES } from '../http/route.ts';
import { Id, Strict, Uuid } from '../../contracts/schemas.ts';
import { pageOf, pageQuery } from '../http/schemas.ts';

/**
 * The smaller reads of a published menu. They come from the same buffers as `/menu`, so their revision is that of the menu and
 * they never disagree with it (rule STO-4).
 */

const organization_id = Type.Optional(
  Type.Unsafe<string>({
    ...Uuid,
    description: 'UUID of the organization. It may be left out while exactly one organization is active.',
  }),
);
const shared = {
  api: 'public',
  method: 'GET',
  tags: ['Menu'],
  permission: 'public',
  problems: ['not-found', 'unavailable'],
  cacheControl: 'public, max-age=60',
} as const;

const categoriesRoute = defineRoute({
  ...shared,
  path: '/categories',
  operationId: 'getCategories',
  summary: 'Category tree of an organization',
  description:
    'The answer has all categories that hold products, in menu order. Use it for navigation. The list is not paged.',
  query: Strict({ organization_id }),
  responses: { 200: CategoryTree },
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
    'Products come in menu order, each once. `category_id` keeps the products of this category and of the ' +
    'categories below it.',
  query: Strict({ ...pageQuery, organization_id, category_id: Type.Optional(Id) }),
  responses: { 200: MenuProductPage },
  async handler({ query }, { readMenuView }) {
    const { revision, browser } = await readMenuView(query.organization_id?.toLowerCase());
    const { page, size, offset } = pageOf(query);
    const all = query.category_id === undefined ? browser.products : browser.ofCategory(query.category_id);
    if (all === undefined) throw new Problem('not-found', { detail: 'The menu has no such category.' });
    return { status: 200, body: { revision, items: all.slice(offset, offset + size), page, size, total: all.length } };
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
  async handler({ params, query }, { db, readMenuView }) {
    const { revision, browser } = await readMenuView(query.organization_id?.toLowerCase());
    const card = browser.card(params.slug) ?? browser.cardOf((await productOfSlug(db, params.slug)) ?? 0);
    if (card === undefined) throw new Problem('not-found', { detail: 'The menu has no such product.' });
    const { organization_id: named } = query;
    const url = `${PREFIXES.public}/products/${card.slug}${named === undefined ? '' : `?organization_id=${named}`}`;
    const headers = { 'Content-Location': url, Link: `<${url}>; rel="canonical"` };
    return { status: 200, headers, body: { ...card, revision } };
  },
});

const searchRoute = defineRoute({
  ...shared,
  path: '/search',
  operationId: 'searchProducts',
  summary: 'Search by name and composition',
  description:
    'The best matches come first. The search knows Russian and English word forms, finds words by their beginning, ' +
    'and forgives typing mistakes and the wrong keyboard layout.',
  query: Strict({
    ...pageQuery,
    organization_id,
    q: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  }),
  responses: { 200: MenuProductPage },
  async handler({ query }, { readMenuView }) {
    const { revision, browser, search } = await readMenuView(query.organization_id?.toLowerCase());
    const { page, size, offset } = pageOf(query);
    const found = (await search()).search(query.q);
    const items = found.slice(offset, offset + size).flatMap((id) => browser.product(id) ?? []);
    return { status: 200, body: { revision, items, page, size, total: found.length } };
  },
});

export const browseRoutes = [categoriesRoute, productsRoute, productRoute, searchRoute];
