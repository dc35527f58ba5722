import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { editProduct } from '../../../modules/catalog/products/edit-product.ts';
import { recordMediaBase } from '../../../modules/media/media-base.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { eventually } from '../../support/processes.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';
import { addRow, deleteRows, plus, selectRow, updateRows } from '../../support/rows.ts';

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
  below = await rows.category({
    parent_id: place.categoryId,
    name: 'Ниже',
    seo_title: 'Всё, что ниже',
  });
  dishes = [];
  for (const categoryId of [place.categoryId, place.categoryId, place.categoryId, below, below])
    dishes.push(
      await rows.dish({ ...place, categoryId, prices: { [place.organizationId]: 10_050 } }),
    );
  for (const [at, name] of ['Борщ', 'Щи', 'Уха', 'Пицца Маргарита', 'Пицца Пепперони'].entries())
    await updateRows(database.db, 'catalog_product', { name }, { id: dishes[at]!.productId });
  storefront = await startStorefront(database);
  await buildSnapshot(storefront.deps, place.organizationId);
  await eventually('the menu is loaded', async () =>
    (await read<Page>('/menu')).revision > 0 ? true : undefined,
  );
});
afterAll(async () => {
  await storefront?.stop();
  await database?.close();
});

const buildUrl = (path: string) =>
  `${storefront.url}/api/v1${path}${path.includes('?') ? '&' : '?'}organization_id=${place.organizationErpId}`;
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(buildUrl(path), { headers });
const read = async <T>(path: string) => (await (await get(path)).json()) as T;
const readSizeId = async ({ productId }: { productId: number }) =>
  (await selectRow(database.db, 'catalog_variant', ['itemSizeId as id'], { productId })).id;
const names = (page: Page) => page.items.map((item) => item.name);

describe('GET /categories', () => {
  test('[CAT-19] returns the tree of the menu with the number of products here and below', async () => {
    const { items } = await read<{ items: Node[] }>('/categories');

    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      id: place.categoryId,
      productCount: 5,
      children: [{ id: below, name: 'Ниже', productCount: 2, seoTitle: 'Всё, что ниже' }],
    });
    expect(items[0]).not.toHaveProperty('productIds');
    expect(items[0]).not.toHaveProperty('seoTitle');
  });
});

describe('GET /products', () => {
  test('returns the menu in its order in pages, each product once', async () => {
    const menu = await read<{ revision: number; products: Product[] }>('/menu');
    const pages = [
      await read<Page>('/products?size=2'),
      await read<Page>('/products?size=2&page=2'),
    ];
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
    expect(pages[0]!.items[0]).toEqual(menu.products.find((product) => product.name === 'Борщ'));
  });

  test('returns products of a category and below, and 404 for an unknown category', async () => {
    expect((await read<Page>(`/products?category_id=${place.categoryId}`)).total).toBe(5);
    expect(names(await read<Page>(`/products?category_id=${below}`))).toEqual([
      'Пицца Маргарита',
      'Пицца Пепперони',
    ]);
    expect((await get('/products?category_id=999999')).status).toBe(404);
    expect((await get('/products?size=201')).status).toBe(422);
  });
});

describe('GET /products/{slug}', () => {
  test('[STO-4] returns the product with its groups inline and money with two decimals', async () => {
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

test('[STO-5] a former slug returns the card with its SEO texts, and a product hidden here does not exist', async () => {
  const other = await rows.restaurant();
  const prices = { [other.organizationId]: 10_000 };
  const [shown, hidden] = [
    await rows.dish({ ...other, prices }),
    await rows.dish({ ...other, prices }),
  ];
  const deps = { db: database.db };
  await editProduct(deps, STAFF, shown.productId, {
    version: 1,
    slug: 'shown-before',
    name: 'Вареники',
  });
  await editProduct(deps, STAFF, shown.productId, {
    version: 2,
    slug: 'shown-now',
    seoTitle: 'Вареники с доставкой',
  });
  const organizationVisibility = [{ organizationId: other.organizationId, isVisible: false }];
  await editProduct(deps, STAFF, hidden.productId, {
    version: 1,
    name: 'Галушки',
    organizationVisibility,
  });
  await buildSnapshot(storefront.deps, other.organizationId);
  const ask = (path: string) =>
    fetch(
      `${storefront.url}/api/v1${path}${path.includes('?') ? '&' : '?'}organization_id=${other.organizationErpId}`,
    );

  const answer = await ask('/products/shown-before');
  const present = answer.headers.get('content-location')!;
  expect(present).toMatch(/^\/api\/v1\/products\/shown-now\?/);
  expect(await (await fetch(storefront.url + present)).json()).toMatchObject({ slug: 'shown-now' });
  expect(await answer.json()).toMatchObject({
    slug: 'shown-now',
    seoTitle: 'Вареники с доставкой',
  });
  const menu = (await (await ask('/menu')).json()) as { products: { id: number }[] };
  const page = (await (await ask('/products')).json()) as Page;
  const found = (await (await ask(`/search?q=${encodeURIComponent('галушки')}`)).json()) as Page;
  const { items } = (await (await ask('/categories')).json()) as { items: Node[] };
  expect(menu.products).toMatchObject([{ id: shown.productId }]);
  expect(menu.products[0]).not.toHaveProperty('seoTitle');
  expect([page.total, found.total, items[0]?.productCount]).toEqual([1, 0, 1]);
  expect((await ask(`/products/product-of-nobody`)).status).toBe(404);
});

describe('GET /search', () => {
  test('finds by name, in pages, despite typos', async () => {
    expect(names(await read<Page>(`/search?q=${encodeURIComponent('пицца пеперони')}`))[0]).toBe(
      'Пицца Пепперони',
    );
    expect(names(await read<Page>('/search?q=gbwwf')).toSorted()).toEqual([
      'Пицца Маргарита',
      'Пицца Пепперони',
    ]);
    const second = await read<Page>('/search?q=gbwwf&size=1&page=2');
    expect(second).toMatchObject({
      page: 2,
      size: 1,
      total: 2,
      items: [{ variants: [{ price: 100.5 }] }],
    });
  });

  test.each([
    ['nothing', '', 'q'],
    ['spaces', 'q=%20%20', 'q'],
    ['more than 100 characters', `q=${'a'.repeat(101)}`, 'q'],
  ])('rejects %s with the field', async (_, query, field) => {
    const answer = await get(`/search?${query}`);

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ field }] });
  });
});

describe('the facets of products', () => {
  type Facet = {
    code: string;
    name: string;
    values: { code: string; name: string; count: number }[];
  };
  const facets = async (query = '') =>
    new Map(
      (await read<{ items: Facet[] }>(`/facets${query}`)).items.map((item) => [
        item.code,
        item.values,
      ]),
    );

  test('[STO-11] follow the catalog, and count served products', async () => {
    const badgeId = await rows.badge({ code: 'HIT', name: 'Хит' });
    await addRow(database.db, 'catalog_product_badge', {
      productId: dishes[4]!.productId,
      badgeId,
    });
    await rows.badge({ code: 'NEW', name: 'Новинка', position: -1 });
    await buildSnapshot(storefront.deps, place.organizationId);

    await eventually('the menu shows the badge', async () =>
      (await facets()).get('badge')?.[1]?.count === 1 ? true : undefined,
    );
    expect((await facets()).get('badge')).toEqual([
      { code: 'NEW', name: 'Новинка', count: 0 },
      { code: 'HIT', name: 'Хит', count: 1 },
    ]);
    expect((await facets()).get('price')?.[0]).toMatchObject({ code: '0-300', count: 5 });
    expect((await facets(`?category_id=${below}`)).get('price')?.[0]).toMatchObject({
      code: '0-300',
      count: 2,
    });
    expect((await get('/facets?category_id=999999')).status).toBe(404);
  });

  test.each(['пицца', 'gbwwf', 'Пепперони', 'нет такого блюда', 'маргарита'])(
    '[STO-11] count what the search for %s finds',
    async (q) => {
      const text = encodeURIComponent(q);
      const found = await read<Page & { total: number }>(`/search?q=${text}`);
      const counted = await facets(`?q=${text}`);

      const badges = counted.get('badge')!;
      for (const { code, count } of badges) {
        const { total } = await read<{ total: number }>(`/search?q=${text}&facet=badge:${code}`);
        expect({ code, count }).toEqual({ code, count: total });
      }
      const prices = counted.get('price')!.map(({ count }) => count);
      expect(prices.reduce((sum, count) => sum + count, 0)).toBe(found.total);
    },
  );

  test('[STO-11] count within a category what the search finds, and reject an empty search', async () => {
    const inCategory = (await facets(`?category_id=${below}&q=а`)).get('price')!;
    const all = (await facets(`?category_id=${below}`)).get('price')!;
    for (const [at, { count }] of inCategory.entries())
      expect(count).toBeLessThanOrEqual(all[at]!.count);
    expect((await get('/facets?q=%20')).status).toBe(422);
  });

  test('[STO-12] narrow products and search: values of a facet are alternatives, all facets must match', async () => {
    expect(names(await read<Page>('/products?facet=badge:HIT&facet=badge:NEW'))).toEqual([
      'Пицца Пепперони',
    ]);
    expect(await read<Page>('/search?q=gbwwf&facet=badge:HIT')).toMatchObject({ total: 1 });
    expect(await read<Page>('/products?facet=badge:HIT&facet=price:1000-')).toMatchObject({
      total: 0,
      items: [],
    });
  });

  test.each(['/products?facet=badge:HIT&', '/search?q=a&facet=badge:HIT&'])(
    '[STO-12] reject %s for a facet that the catalog does not have, with the field',
    async (path) => {
      const unknown = await get(`${path}facet=colour:RED`);

      expect(unknown.status).toBe(422);
      expect(await unknown.json()).toMatchObject({
        errors: [{ field: 'facet.1', code: 'not_found' }],
      });
      expect((await get(`${path}facet=badge`)).status).toBe(422);
    },
  );
});

describe('the structured data', () => {
  let organization: string;
  let dish: Awaited<ReturnType<MenuRows['dish']>>;
  let other: Awaited<ReturnType<MenuRows['restaurant']>>;
  const NAME = '</script><script>alert(1)</script>';
  const ask = (query = '', headers: Record<string, string> = {}) =>
    fetch(`${storefront.url}/api/v1/structured-data?organization_id=${organization}${query}`, {
      headers,
    });
  beforeAll(async () => {
    other = await rows.restaurant();
    organization = other.organizationErpId;
    dish = await rows.dish({ ...other, prices: { [other.organizationId]: 25_000 } });
    await updateRows(
      database.db,
      'catalog_product',
      { name: NAME, slug: 'sly' },
      { id: dish.productId },
    );
    const windows = [
      {
        dayOfWeek: 1,
        channel: 'DINE_IN' as const,
        opensAt: '10:00',
        closesAt: '22:00',
        crossesMidnight: false,
      },
    ];
    await addRow(database.db, 'ordering_schedule', {
      organizationId: other.organizationId,
      windows,
    });
    await buildSnapshot(storefront.deps, other.organizationId);
  });

  test('[STO-13] contain JSON-LD of the restaurant with its hours and offers, and fit inside a script', async () => {
    const answer = await ask();
    const text = await answer.text();

    expect(answer.headers.get('content-type')).toMatch(/^application\/ld\+json/);
    expect(text).not.toContain('<');
    expect(JSON.parse(text)).toMatchObject({
      '@type': 'Restaurant',
      openingHoursSpecification: [
        { dayOfWeek: 'https://schema.org/Monday', opens: '10:00', closes: '22:00' },
      ],
      hasMenu: {
        hasMenuSection: [
          {
            hasMenuItem: [
              {
                name: NAME,
                offers: [{ price: '250.00', availability: 'https://schema.org/InStock' }],
              },
            ],
          },
        ],
      },
    });
    const etag = answer.headers.get('etag')!;
    expect((await ask('', { 'if-none-match': etag })).status).toBe(304);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  });

  test('[MED-11] follow PUBLIC_MEDIA_URL for pictures, like every public read', async () => {
    await updateRows(
      database.db,
      'catalog_category',
      { imageId: await rows.media() },
      { id: other.categoryId },
    );
    await recordMediaBase(database, 'https://cdn.example/a');
    await buildSnapshot(storefront.deps, other.organizationId);
    await deleteRows(database.db, 'media_base');
    const paths = [
      '/menu',
      '/categories',
      '/products',
      '/products/sly',
      '/search?q=script',
      '/structured-data',
    ];
    const buildPath = (path: string) =>
      `${path}${path.includes('?') ? '&' : '?'}organization_id=${organization}`;
    for (const path of paths) {
      const urls = await eventually(`${path} is the new one`, async () => {
        const text = await (await fetch(`${storefront.url}/api/v1${buildPath(path)}`)).text();
        const found = [...text.matchAll(/"(?:url|image)":"([^"]+)"/g)].map((match) => match[1]!);
        return text.includes('cdn.example') ? found : undefined;
      });
      expect(urls.length).toBeGreaterThan(0);
      expect(urls.filter((url) => !url.startsWith('https://cdn.example/a/media/'))).toEqual([]);
    }
  });

  test('[STO-13] follow, for one product, its slug and the stop-list', async () => {
    expect(await (await ask('&product=sly')).json()).toMatchObject({
      '@type': 'Product',
      name: NAME,
    });
    expect((await ask('&product=no-such-dish')).status).toBe(404);

    await rows.stop(other.organizationId, dish.erpId);
    await patchAvailability(storefront.deps, other.organizationId);

    await eventually('the offer is sold out', async () =>
      (await (await ask('&product=sly')).text()).includes('https://schema.org/SoldOut')
        ? true
        : undefined,
    );
  });
});

describe('unusual requests', () => {
  const long = 'щ'.repeat(1_700);
  const odd = [
    '%00',
    'a%00b',
    '%ED%A0%80',
    '%E0%A4%A',
    '%FF',
    '%F0%9F%8D%95',
    '%E2%80%8F%D9%85%D8%B1%D8%AD%D8%A8%D8%A7',
    '%22%27%3B--',
    long,
  ];
  const paths = [
    ...odd.flatMap((text) => [
      `/search?q=${text}`,
      `/products/${text}`,
      `/products?category_id=${text}`,
      `/categories?organization_id=${text}`,
      `/availability?organization_id=${text}`,
      `/menu?revision=${text}`,
      `/products?${text}=1`,
    ]),
    ...[
      '0',
      '-1',
      '1.5',
      '1e3',
      '9007199254740993',
      '99999999999999999999',
      'NaN',
      '',
      ' ',
    ].flatMap((number) => [
      `/products?page=${number}`,
      `/products?size=${number}`,
      `/search?q=a&page=${number}&size=${number}`,
      `/products?category_id=${number}`,
    ]),
    '/search?q=a&q=b',
    '/products?page=1&page=2',
    '/products/..%2F..%2Fmenu',
    '/search?q[]=a',
    ...[
      '/products?',
      '/categories?',
      '/search?q=a&',
      '/products/a?',
      '/menu?',
      '/menu/?',
      '/availability/?',
    ].map((path) => `${path}organization_id=urn:uuid:${randomUUID()}`),
  ];

  test('receive an answer, or a problem that names the field, and never a fault', async () => {
    const wrong: string[] = [];
    for (const path of paths) {
      const answer = await (path.includes('organization_id')
        ? fetch(`${storefront.url}/api/v1${path}`)
        : get(path));
      const text = await answer.text();
      const body = JSON.parse(text === '' ? '{}' : text) as { status?: number; errors?: object[] };
      const isRight =
        answer.status === 200 ||
        (/problem\+json/.test(answer.headers.get('content-type') ?? '') &&
          body.status === answer.status &&
          [404, 414, 422].includes(answer.status) &&
          (answer.status !== 422 || (body.errors ?? []).length > 0));
      if (!isRight)
        wrong.push(`${path.slice(0, 60)}: ${answer.status} ${JSON.stringify(body).slice(0, 200)}`);
    }

    expect(wrong).toEqual([]);
  });
});

describe('the reads of the catalog', () => {
  const paths = [
    '/categories',
    '/products',
    '/search?q=gbwwf',
    '/facets',
    '/products?facet=availability:now',
    '/structured-data',
  ];

  test.each([...paths, '/products/{slug}', '/organizations'])(
    'include for %s an ETag and a minute of caching, and answer HEAD equally',
    async (path) => {
      const url =
        path === '/organizations'
          ? `${storefront.url}/api/v1${path}`
          : buildUrl(path.replace('{slug}', (await read<Page>('/products?size=1')).items[0]!.slug));
      const first = await fetch(url);
      const etag = first.headers.get('etag')!;
      const again = await fetch(url, { headers: { 'if-none-match': etag } });
      const head = await fetch(url, { method: 'HEAD' });
      const packed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });

      expect(etag).toMatch(/^W\/"/);
      for (const answer of [first, again, head, packed]) {
        expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
        expect(answer.headers.get('etag')).toBe(etag);
      }
      expect([first.status, again.status, head.status]).toEqual([200, 304, 200]);
      expect([await again.text(), await head.text()]).toEqual(['', '']);
      expect(await packed.text()).toBe(await first.text());
    },
  );

  test.each(paths)('answer 404 to %s of an unknown organization', async (path) => {
    const at = path.includes('?') ? '&' : '?';
    expect(
      (await fetch(`${storefront.url}/api/v1${path}${at}organization_id=${randomUUID()}`)).status,
    ).toBe(404);
  });

  test('show a stop together with the menu', async () => {
    await rows.stop(place.organizationId, dishes[0]!.erpId);
    await patchAvailability(storefront.deps, place.organizationId);
    const isStopped = (products: Product[]) =>
      products
        .find((product) => product.id === dishes[0]!.productId)!
        .variants.every((variant) => !variant.available);

    await eventually('the menu shows the stop', async () =>
      isStopped((await read<{ products: Product[] }>('/menu')).products) ? true : undefined,
    );

    expect(isStopped((await read<Page>('/products')).items)).toBe(true);
    const found = await read<Page>(`/search?q=${encodeURIComponent('борщ')}`);
    expect(isStopped(found.items)).toBe(true);
  });
});

describe('answers during edits and changes of stop-lists', () => {
  type Menu = {
    revision: number;
    categories: { id: number; name: string; parentId: number | null }[];
    products: Product[];
    modifierGroups: { id: string; modifiers: { id: string; available: boolean }[] }[];
  };
  type Card = Product & {
    revision: number;
    variants: (Variant & { modifierGroups: Menu['modifierGroups'] })[];
  };
  type Availability = {
    revision: number;
    unavailableItemIds: string[];
    unavailableVariantIds: number[];
  };
  /** Sends all reads concurrently, in random order. */
  async function readAll(round: number, slug: string) {
    const asked = {
      menu: () => read<Menu>('/menu'),
      revision: () => read<{ revision: number }>('/menu/revision'),
      availability: () => read<Availability>('/availability'),
      categories: () => read<{ revision: number; items: Node[] }>('/categories'),
      first: () => read<Page>('/products?size=3'),
      second: () => read<Page>('/products?size=3&page=2'),
      card: () => read<Card>(`/products/${slug}`),
      found: () => read<Page>('/search?q=gbwwf'),
    };
    const names = Object.keys(asked) as (keyof typeof asked)[];
    const order = names.map((_, at) => names[(at * 3 + round) % names.length]!);
    const answers = new Map<string, unknown>();
    await Promise.all(order.map(async (name) => answers.set(name, await asked[name]())));
    return Object.fromEntries(answers) as {
      [K in keyof typeof asked]: Awaited<ReturnType<(typeof asked)[K]>>;
    };
  }
  const withoutStops = (value: unknown) =>
    JSON.stringify(value, (key, entry: unknown) => (key === 'available' ? 0 : entry));
  const flatten = (nodes: Node[]): Node[] =>
    nodes.flatMap((node) => [node, ...flatten(node.children)]);
  const byId = <T extends { id: number }>(list: T[]) =>
    new Map(list.map((entry) => [entry.id, entry]));

  /** Lists the differences. Compares stops only if nothing was stopped meanwhile. */
  function disagreements(
    menu: Menu,
    all: Awaited<ReturnType<typeof readAll>>,
    text: (value: unknown) => string,
  ): string[] {
    const products = byId(menu.products);
    const groups = new Map(menu.modifierGroups.map((group) => [group.id, group]));
    const isSame = (items: Product[]) =>
      items.every((item) => text(item) === text(products.get(item.id)));
    const inline = (product: Product) => ({
      ...product,
      variants: product.variants.map((variant) => ({
        ...variant,
        modifierGroups: variant.modifierGroupIds.map((id) => groups.get(id)),
      })),
    });
    const { revision: _revision, ...card } = all.card;
    const said: [{ revision: number }, string, () => boolean][] = [
      [
        all.categories,
        'categories',
        () =>
          flatten(all.categories.items).every(({ id, name }) =>
            menu.categories.some((category) => category.id === id && category.name === name),
          ) && flatten(all.categories.items).length === menu.categories.length,
      ],
      [
        all.first,
        'products',
        () => all.first.total === menu.products.length && isSame(all.first.items),
      ],
      [all.second, 'second page', () => isSame(all.second.items)],
      [all.card, 'card', () => text(card) === text(inline(products.get(card.id)!))],
      [all.found, 'search', () => isSame(all.found.items)],
    ];
    return said
      .filter(([{ revision }, , agrees]) => revision === menu.revision && !agrees())
      .map(([, name]) => name);
  }

  const unavailable = (menu: Menu) =>
    menu.products
      .flatMap((product) => product.variants)
      .filter((variant) => !variant.available)
      .map((variant) => variant.id)
      .toSorted((a, b) => a - b);

  test('[STO-4] agree with each other if they are of one revision', async () => {
    const groupId = await rows.group(place.menuId, await readSizeId(dishes[1]!));
    const sauce = await rows.modifier(place.menuId, { [place.organizationId]: 5_000 });
    await rows.link(groupId, sauce.itemId);
    await buildSnapshot(storefront.deps, place.organizationId);
    const slug = (await read<Menu>('/menu')).products.find(
      (product) => product.id === dishes[1]!.productId,
    )!.slug;
    const stops = [sauce.erpId, ...dishes.map((dish) => dish.erpId)];
    let isOver = false;
    const changes = (async () => {
      for (let change = 0; !isOver; change += 1) {
        if (change % 3 === 2) {
          await deleteRows(database.db, 'mirror_stop_list');
          await rows.stop(place.organizationId, stops[change % stops.length]!);
          await patchAvailability(storefront.deps, place.organizationId);
          continue;
        }
        await updateRows(
          database.db,
          'mirror_price',
          { priceKopecks: plus('priceKopecks', 1) },
          { organizationId: place.organizationId },
        );
        await updateRows(
          database.db,
          'catalog_category',
          { name: `Ниже ${change}` },
          { id: below },
        );
        await buildSnapshot(storefront.deps, place.organizationId);
      }
    })();
    const wrong: string[] = [];
    const revisions = new Set<number>();
    const compared = { stops: 0 };
    try {
      for (let round = 0; (revisions.size < 6 || compared.stops < 5) && round < 2_000; round += 1) {
        const before = (await get('/menu')).headers.get('etag');
        const all = await readAll(round, slug);
        const after = (await get('/menu')).headers.get('etag');
        revisions.add(all.menu.revision);
        wrong.push(
          ...disagreements(all.menu, all, withoutStops).map(
            (name) => `${name} of revision ${all.menu.revision}`,
          ),
        );
        if (before !== after) continue;
        compared.stops += 1;
        wrong.push(
          ...disagreements(all.menu, all, JSON.stringify).map((name) => `stops in ${name}`),
        );
        const { unavailableVariantIds } = all.availability;
        if (new Set(Object.values(all).map(({ revision }) => revision)).size > 1)
          wrong.push('revision');
        if (JSON.stringify(unavailableVariantIds) !== JSON.stringify(unavailable(all.menu)))
          wrong.push('availability');
      }
    } finally {
      isOver = true;
      await changes;
    }

    expect(wrong).toEqual([]);
    expect(revisions.size).toBeGreaterThan(5);
    expect(compared.stops).toBeGreaterThan(4);
  });
});
