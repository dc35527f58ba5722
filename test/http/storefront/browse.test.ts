import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { patchAvailability } from '../../../app/snapshot/patch-availability.ts';
import { buildSnapshot } from '../../../app/snapshot/build-snapshot.ts';
import { eventually } from '../../support/processes.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';

type Variant = { id: number; price: number; available: boolean; modifierGroupIds: string[] };
type Product = { id: number; slug: string; name: string; variants: Variant[] };
type Page = { revision: number; items: Product[]; page: number; size: number; total: number };
type Node = { id: number; name: string; productCount: number; children: Node[] };

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
let storefront: Storefront;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let dishes: { productId: number; erpId: string }[];
let below: number;

beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
  place = await rows.restaurant();
  below = await rows.category({ parent_id: place.categoryId, name: 'Ниже' });
  dishes = [];
  for (const categoryId of [place.categoryId, place.categoryId, place.categoryId, below, below])
    dishes.push(await rows.dish({ ...place, categoryId, prices: { [place.organizationId]: 10_050 } }));
  for (const [at, name] of ['Борщ', 'Щи', 'Уха', 'Пицца Маргарита', 'Пицца Пепперони'].entries())
    await database.db.query('update catalog_product set name = $2 where id = $1', [dishes[at]!.productId, name]);
  storefront = await startStorefront(database);
  await buildSnapshot(storefront.deps, place.organizationId);
  await eventually('the menu is loaded', async () => ((await read<Page>('/menu')).revision > 0 ? true : undefined));
}, 120_000);
afterAll(async () => {
  await storefront?.stop();
  await database?.close();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${storefront.url}/api/v1${path}${path.includes('?') ? '&' : '?'}organization_id=${place.organizationErpId}`, {
    headers,
  });
const read = async <T>(path: string) => (await (await get(path)).json()) as T;
const names = (page: Page) => page.items.map((each) => each.name);

describe('GET /categories', () => {
  test('is the tree of the menu with the number of products here and below', async () => {
    const { items } = await read<{ items: Node[] }>('/categories');

    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      id: place.categoryId,
      productCount: 5,
      children: [{ id: below, name: 'Ниже', productCount: 2 }],
    });
    expect(items[0]).not.toHaveProperty('productIds');
  });
});

describe('GET /products', () => {
  test('pages through the menu in its order, each product once', async () => {
    const menu = await read<{ revision: number; products: Product[] }>('/menu');
    const pages = [await read<Page>('/products?size=2'), await read<Page>('/products?size=2&page=2')];
    const rest = await read<Page>('/products?size=2&page=3');

    expect(pages[0]).toMatchObject({ revision: menu.revision, page: 1, size: 2, total: 5 });
    expect([...pages.flatMap(names), ...names(rest)]).toEqual([
      'Борщ',
      'Щи',
      'Уха',
      'Пицца Маргарита',
      'Пицца Пепперони',
    ]);
    expect((await read<Page>('/products?page=4&size=2')).items).toEqual([]);
    expect(pages[0]!.items[0]).toEqual(menu.products.find((each) => each.name === 'Борщ'));
  });

  test('of a category are those of it and below; an unknown one is 404', async () => {
    expect((await read<Page>(`/products?category_id=${place.categoryId}`)).total).toBe(5);
    expect(names(await read<Page>(`/products?category_id=${below}`))).toEqual(['Пицца Маргарита', 'Пицца Пепперони']);
    expect((await get('/products?category_id=999999')).status).toBe(404);
    expect((await get('/products?size=201')).status).toBe(422);
  });
});

describe('GET /products/{slug}', () => {
  test('is the product of the menu with its groups inline, money with two decimals', async () => {
    const { items } = await read<Page>('/products?size=1');
    const answer = await get(`/products/${items[0]!.slug}`);
    const text = await answer.text();
    const card = JSON.parse(text) as Product & { revision: number };

    expect(card).toMatchObject({ id: items[0]!.id, name: 'Борщ', revision: 1 });
    expect(card.variants[0]).toMatchObject({ modifierGroups: [] });
    expect(text).toContain('"price":100.50');
    expect((await get('/products/no-such-dish')).status).toBe(404);
  });
});

describe('GET /search', () => {
  test('finds by name, pages, and forgives slips', async () => {
    expect(names(await read<Page>(`/search?q=${encodeURIComponent('пицца пеперони')}`))[0]).toBe('Пицца Пепперони');
    expect(names(await read<Page>('/search?q=gbwwf')).toSorted()).toEqual(['Пицца Маргарита', 'Пицца Пепперони']);
    const second = await read<Page>('/search?q=gbwwf&size=1&page=2');
    expect(second).toMatchObject({ page: 2, size: 1, total: 2, items: [{ variants: [{ price: 100.5 }] }] });
  });

  test.each([
    ['nothing', '', 'q'],
    ['spaces', 'q=%20%20', 'q'],
    ['more than 100 characters', `q=${'a'.repeat(101)}`, 'q'],
  ])('refuses %s with the field', async (_, query, field) => {
    const answer = await get(`/search?${query}`);

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ field }] });
  });
});

describe('all of them', () => {
  const paths = ['/categories', '/products', '/search?q=gbwwf'];

  test.each(paths)('%s carries an ETag and may be kept for a minute', async (path) => {
    const first = await get(path);
    const again = await get(path, { 'if-none-match': first.headers.get('etag')! });

    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    expect(again.status).toBe(304);
  });

  test.each(paths)('%s of an unknown organization is 404', async (path) => {
    const at = path.includes('?') ? '&' : '?';
    expect((await fetch(`${storefront.url}/api/v1${path}${at}organization_id=${randomUUID()}`)).status).toBe(404);
  });

  test('show a stop when the menu does', async () => {
    await rows.stop(place.organizationId, dishes[0]!.erpId);
    await patchAvailability(storefront.deps, place.organizationId);
    const isStopped = (products: Product[]) =>
      products.find((each) => each.id === dishes[0]!.productId)!.variants.every((each) => !each.available);

    await eventually('the menu shows the stop', async () =>
      isStopped((await read<{ products: Product[] }>('/menu')).products) ? true : undefined,
    );

    expect(isStopped((await read<Page>('/products')).items)).toBe(true);
    const found = await read<Page>(`/search?q=${encodeURIComponent('борщ')}`);
    expect(isStopped(found.items)).toBe(true);
  });
});
