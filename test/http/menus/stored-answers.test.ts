import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { editProduct } from '../../../modules/catalog/products/edit-product.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import { createFacetCatalogs } from '../../../modules/menus/storefront/facet-catalog.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { eventually } from '../../support/processes.ts';
import { addRow, selectRow, updateRows } from '../../support/rows.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** `fast` also has the reads before Koa. */
let koa: Storefront;
let fast: Storefront;
let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let dishes: { productId: number; erpId: string }[];

const ORIGIN = 'https://shop.example';
const env = { RATE_LIMIT_PUBLIC: '100000', PUBLIC_ORIGINS: ORIGIN };

beforeAll(async () => {
  database = await migratedDatabase();
  const { db } = database;
  rows = menuRows(db);
  place = await rows.restaurant();
  dishes = [];
  for (let at = 0; at < 8; at += 1)
    dishes.push(await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 + at } }));
  const [first] = dishes;
  await editProduct({ db }, STAFF, first!.productId, { version: 1, slug: 'soup-before' });
  await editProduct({ db }, STAFF, first!.productId, { version: 2, slug: 'soup' });
  const badgeId = await rows.badge({ code: 'HIT', name: 'Hit' });
  await addRow(db, 'catalog_product_badge', { productId: first!.productId, badgeId });
  const catalogs = () => createFacetCatalogs(db, 60_000);
  koa = await startStorefront(database, { env, stored: false, facetCatalogs: catalogs() });
  fast = await startStorefront(database, { env, facetCatalogs: catalogs() });
  await published();
});
afterAll(async () => {
  await fast?.stop();
  await koa?.stop();
  await database?.close();
});

async function published(): Promise<void> {
  await buildSnapshot(fast.deps, place.organizationId);
  await served();
}

async function served(): Promise<void> {
  const { etag } = await selectRow(database.db, 'snapshot', ['etag'], {
    organizationId: place.organizationId,
  });
  for (const { store } of [koa, fast])
    await eventually('the menu is served', async () =>
      (await store.load(place.organizationErpId)).etag === etag ? true : undefined,
    );
}

function ask(
  api: Storefront,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(api.url, { path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Adds the restaurant to the path of a page. Complete URLs stay unchanged. */
const ofPlace = (path: string) =>
  path.startsWith('/api/')
    ? path
    : `/api/v1${path}${path.includes('?') ? '&' : '?'}organization_id=${place.organizationErpId}`;
const parseJson = ({ body }: Answer) =>
  JSON.parse(body.toString('utf8')) as Record<string, unknown>;

/** Returns all parts except time, id and the rate limit. */
function comparable({ status, headers, body }: Answer): object {
  const { date: _date, 'x-request-id': id, ratelimit, ...others } = headers;
  const policy = String(ratelimit).replaceAll(/[rt]=\d+/g, '');
  const problem = others['content-type']?.startsWith('application/problem') === true;
  return {
    status,
    others,
    policy,
    hasId: typeof id === 'string',
    body: problem ? withoutId(body) : body.toString('base64'),
  };
}

/** Rate-limit cost of the later answer, null if its minute began in between. */
function computeCost(before: Answer, after: Answer): number | null {
  const [was, is] = [before, after].map(({ headers }) =>
    Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]),
  );
  return is! > was! ? null : was! - is!;
}

function withoutId(body: Buffer): object {
  const { requestId: _id, ...problem } = JSON.parse(body.toString('utf8') || '{}') as Record<
    string,
    unknown
  >;
  return problem;
}

const PAGES = [
  '/categories',
  '/products',
  '/products?size=3',
  '/products?size=3&page=2',
  '/products?page=2&size=3',
  '/products?sort=price,desc&sort=name,asc',
  '/products?facet=badge:HIT',
  '/products/soup',
  '/facets',
  '/sitemap',
];
const ODD = [
  '/products?size=0',
  '/products?size=3&unknown=1',
  '/products?size=3&size=4',
  '/products?facet=badge:NONE',
  '/products?category_id=999999',
  '/products/',
  '/products/no-such-dish',
  '/products/soup-before',
  '/products/%73oup',
  '/categories?page=1',
  '/categories?organization_id=nobody',
];
const VARIANTS: { method?: string; headers?: Record<string, string>; body?: string }[] = [
  {},
  { method: 'HEAD' },
  ...[
    'gzip',
    'br',
    'gzip, deflate, br',
    'identity',
    'identity;q=0',
    '*;q=0',
    'br;q=0, *;q=0.1',
    'x-gzip',
    '',
  ].flatMap((encoding) => [
    { headers: { 'accept-encoding': encoding } },
    { method: 'HEAD', headers: { 'accept-encoding': encoding } },
  ]),
  { headers: { 'if-none-match': '"other"' } },
  { headers: { 'if-none-match': '*', 'accept-encoding': 'br' } },
  { method: 'HEAD', headers: { 'if-none-match': '*' } },
  { headers: { origin: ORIGIN } },
  { headers: { origin: ORIGIN, 'if-none-match': '*' } },
  { headers: { origin: 'https://stranger.example' } },
  { headers: { 'x-request-id': 'of-the-client' } },
  { headers: { 'content-type': 'application/json', 'content-length': '10' }, body: '{"size":3}' },
];

describe('stored answers', () => {
  test.each([...PAGES, ...ODD, '/api/v1/organizations', '/api/v1/products?size=2'])(
    '[HTTP-36] answers %s without Koa with the same status, headers and body',
    async (page) => {
      const path = ofPlace(page);
      const last = { koa: await ask(koa, path), fast: await ask(fast, path) };
      const { etag = '' } = last.koa.headers;
      for (const variant of [...VARIANTS, { headers: { 'if-none-match': etag } }]) {
        // At the second request, the answer in this encoding is ready.
        for (const time of [1, 2]) {
          const answers = {
            koa: await ask(koa, path, variant),
            fast: await ask(fast, path, variant),
          };
          const costs = {
            koa: computeCost(last.koa, answers.koa),
            fast: computeCost(last.fast, answers.fast),
          };
          expect({ variant, time, ...comparable(answers.fast) }).toEqual({
            variant,
            time,
            ...comparable(answers.koa),
          });
          expect(costs.fast ?? costs.koa).toBe(costs.koa ?? costs.fast);
          Object.assign(last, answers);
        }
      }
    },
  );

  test.each([...PAGES, '/api/v1/products?size=2'])(
    '[HTTP-36] sends %s from memory after Koa has sent it once',
    async (page) => {
      const path = ofPlace(page);
      const gzip = { headers: { 'accept-encoding': 'gzip' } };
      const { headers, body } = await ask(fast, path, gzip);
      const before = fast.storedAnswers();
      const again = await ask(fast, path, gzip);
      const head = await ask(fast, path, { method: 'HEAD', ...gzip });
      const unchanged = await ask(fast, path, { headers: { 'if-none-match': headers.etag! } });

      expect(fast.storedAnswers()).toBe(before + 3);
      expect(again.body.equals(body)).toBe(true);
      expect([head.body.length, head.headers['content-length']]).toEqual([0, String(body.length)]);
      expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
    },
  );

  test.each(ODD.filter((path) => path !== '/products/%73oup'))(
    '[HTTP-36] passes %s to Koa each time',
    async (page) => {
      const before = fast.storedAnswers();
      for (let time = 0; time < 3; time += 1) await ask(fast, ofPlace(page));

      expect(fast.storedAnswers()).toBe(before);
    },
  );

  test('[HTTP-36] logs and counts a stored answer like an answer of Koa', async () => {
    const path = ofPlace('/products?size=5');
    const readLine = async (id: string) => {
      await ask(fast, path, { headers: { 'x-request-id': id } });
      const {
        time: _time,
        ms: _ms,
        ...line
      } = await eventually('the line', async () =>
        fast.logged.find(({ requestId }) => requestId === id),
      );
      return line;
    };
    const byKoa = await readLine('answered-by-koa');
    const before = fast.storedAnswers();
    const countBefore = await counted();
    const beforeKoa = await readLine('answered-before-koa');

    expect(fast.storedAnswers()).toBe(before + 1);
    expect(beforeKoa).toEqual({ ...byKoa, requestId: 'answered-before-koa' });
    expect(await counted()).toBe(countBefore + 1);
  });

  async function counted(): Promise<number> {
    const { values } = await fast.deps.metrics.httpRequests.get();
    const of = ({ route, status }: Record<string, unknown>) =>
      route === 'GET /products' && status === 200;
    return values.filter(({ labels }) => of(labels)).reduce((sum, { value }) => sum + value, 0);
  }

  test('[HTTP-36] counts stored answers toward the rate limit of the client', async () => {
    const limited = await startStorefront(database, { env: { RATE_LIMIT_PUBLIC: '5' } });
    try {
      const answers: Answer[] = [];
      for (let time = 0; time < 7; time += 1)
        answers.push(await ask(limited, ofPlace('/products')));

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
      expect(answers.map(({ headers }) => /r=(\d+)/.exec(String(headers.ratelimit))?.[1])).toEqual([
        '4',
        '3',
        '2',
        '1',
        '0',
        '0',
        '0',
      ]);
      expect(limited.storedAnswers()).toBe(4);
      expect(answers[6]!.headers['retry-after']).toMatch(/^\d+$/);
    } finally {
      await limited.stop();
    }
  });
});

describe('stored answers after a change', () => {
  test('[SNP-56] contain in the sitemap canonical slugs with the last change, and follow a publication', async () => {
    const sitemap = async () =>
      parseJson(await ask(fast, ofPlace('/sitemap'))) as {
        products: object[];
        categories: object[];
        revision: number;
      };
    const [dish] = dishes;
    const changed = async (table: 'catalog_product' | 'catalog_category', id: number) => {
      const row = await selectRow(database.db, table, ['slug', 'updatedAt'], { id });
      return { id, slug: row.slug, updatedAt: row.updatedAt.toISOString() };
    };
    const before = await sitemap();
    expect(before.products).toHaveLength(dishes.length);
    expect(before.products).toContainEqual({
      ...(await changed('catalog_product', dish!.productId)),
      slug: 'soup',
    });
    expect(before.categories).toEqual([await changed('catalog_category', place.categoryId)]);

    const { version } = await selectRow(database.db, 'catalog_product', ['version'], {
      id: dish!.productId,
    });
    await editProduct(database, STAFF, dish!.productId, { version, subtitle: 'Hot' });
    expect(await sitemap()).toEqual(before);
    await published();

    const after = await sitemap();
    expect(after.revision).toBe(before.revision + 1);
    expect(after.products).toContainEqual(await changed('catalog_product', dish!.productId));
    expect(after.products).not.toEqual(before.products);
  });

  test('[SNP-51] replace every page after a publication', async () => {
    const pages = [
      '/products?size=2',
      '/products/soup',
      '/categories',
      '/facets',
      '/products?facet=badge:HIT',
      '/sitemap',
    ];
    const revisions = async () =>
      Promise.all(pages.map(async (path) => parseJson(await ask(fast, ofPlace(path)))['revision']));
    await revisions();
    const before = fast.storedAnswers();
    const [old] = await revisions();
    expect(fast.storedAnswers()).toBe(before + pages.length);

    await updateRows(
      database.db,
      'catalog_product',
      { name: 'Renamed' },
      { id: dishes[0]!.productId },
    );
    await published();

    expect(await revisions()).toEqual(pages.map(() => (old as number) + 1));
    expect(parseJson(await ask(fast, ofPlace('/products/soup')))).toMatchObject({
      name: 'Renamed',
    });
  });

  test('[SNP-51] replace pages after a change of the stop-list', async () => {
    const path = ofPlace('/products/soup');
    const before = await ask(fast, path);
    expect((await ask(fast, path)).headers.etag).toBe(before.headers.etag);

    await rows.stop(place.organizationId, dishes[0]!.erpId);
    await patchAvailability(fast.deps, place.organizationId);
    await served();

    const after = await ask(fast, path, { headers: { 'if-none-match': before.headers.etag! } });
    expect(after.status).toBe(200);
    expect(parseJson(after)).toMatchObject({ variants: [{ available: false }] });
  });

  test('[SNP-52] update facets after an edit of the catalog without another revision', async () => {
    const { facetCatalogs } = fast.deps;
    const edited = await startStorefront(database, {
      facetCatalogs: createFacetCatalogs(database.db, 50),
    });
    try {
      const names = async () =>
        JSON.stringify(parseJson(await ask(edited, ofPlace('/facets')))['items']);
      await names();
      await updateRows(database.db, 'catalog_badge', { name: 'Best' }, { code: 'HIT' });

      await eventually('the facet is renamed', async () =>
        (await names()).includes('Best') ? true : undefined,
      );
      expect(facetCatalogs.loaded()?.badges).toMatchObject([{ name: 'Hit' }]);
    } finally {
      await edited.stop();
    }
  });

  test('[SNP-52] keep the object of an unchanged catalog that is read again', async () => {
    const catalogs = createFacetCatalogs(database.db, 0);
    const read = await catalogs.current();

    expect(await catalogs.current()).toBe(read);
  });
});

test('[SNP-53] the list of organizations is stored, and rendered again after a clock change', async () => {
  const path = '/api/v1/organizations';
  const sent = await eventually('two requests within a second', async () => {
    await ask(fast, path);
    const before = fast.storedAnswers();
    await ask(fast, path);
    return fast.storedAnswers() > before ? true : undefined;
  });
  expect(sent).toBe(true);

  const name = 'Another name';
  await updateRows(database.db, 'mirror_organization', { name }, { id: place.organizationId });
  await eventually('the name is shown', async () => {
    const { items } = parseJson(await ask(fast, path)) as { items: { name: string }[] };
    return items.some((item) => item.name === name) ? true : undefined;
  });
});
