import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { ExplanationOverview } from '../../../modules/menus/schemas/snapshot.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { awaitRefusal } from '../../support/refusal.ts';

let api: TestApi;
let admin: AdminClient;
let rows: MenuRows;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  rows = menuRows(api.deps.db);
});
afterAll(() => api.stop());

test('[CAT-30] the explanation covers all restaurants or one, and rejects a request for neither', async () => {
  const place = await rows.restaurant();
  const dish = await rows.dish({ ...place, prices: { [place.organizationId]: 25_050 } });
  const path = `/products/${dish.productId}/explain`;
  const overview = await admin.get<ExplanationOverview>(`${path}?all=true&size=10`);
  const one = await admin.get(`${path}?organization_id=${place.organizationId}`);

  expect(overview).toMatchObject({
    kind: 'OVERVIEW',
    product: { id: dish.productId },
    items: [
      {
        organization: { id: place.organizationId },
        inMenu: true,
        available: true,
        reason: 'AVAILABLE',
      },
    ],
    page: 1,
    size: 10,
    total: 1,
  });
  expect(one).toMatchObject({ inMenu: true, variants: [{ price: 250.5, reason: 'AVAILABLE' }] });
  expect(await awaitRefusal(admin.raw('GET', path))).toMatchObject({
    status: 422,
    errors: [{ field: 'organization_id', code: 'required' }],
  });
});

test('[CAT-65, SNP-77] missing products and a preview are returned over HTTP with money and filters', async () => {
  const place = await rows.restaurant();
  const dish = await rows.dish({ ...place, prices: { [place.organizationId]: 25_050 } });
  const missing = `/organizations/${place.organizationId}/missing-products`;
  const found = async (query: string) =>
    (await admin.get<{ items: { product: { id: number } }[] }>(`${missing}?${query}`)).items.map(
      ({ product }) => product.id,
    );

  expect(await found('size=200')).not.toContain(dish.productId);
  await admin.post(`/products/${dish.productId}/unpublish`);
  expect(await found('size=200&reason=PUBLISHED&reason=PRICED')).toContain(dish.productId);
  expect(await found('size=200&reason=PRICED')).not.toContain(dish.productId);
  expect((await admin.raw('GET', `${missing}?reason=AVAILABLE`)).status).toBe(422);
  const preview = await admin.raw(
    'GET',
    `/products/${dish.productId}/preview?organization_id=${place.organizationErpId}`,
  );
  const text = await preview.text();
  expect(text).toContain('"price":250.50');
  expect(JSON.parse(text)).toMatchObject({
    product: { status: 'UNPUBLISHED' },
    card: { id: dish.productId },
  });
});

test('[HTTP-3] the explanation for all restaurants is sorted as requested', async () => {
  const places = [await rows.restaurant(), await rows.restaurant(), await rows.restaurant()];
  const dish = await rows.dish({ ...places[0]!, prices: { [places[0]!.organizationId]: 25_050 } });
  const readIds = async (sort: string) => {
    const path = `/products/${dish.productId}/explain?all=true&sort=${sort}`;
    return (await admin.get<ExplanationOverview>(path)).items.map(
      ({ organization }) => organization.id,
    );
  };
  const ids = await readIds('id,asc');

  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  expect(await readIds('id,desc')).toEqual(ids.toReversed());
  expect(await readIds('name,desc&sort=id,desc')).toHaveLength(ids.length);
  expect(
    (await admin.raw('GET', `/products/${dish.productId}/explain?all=true&sort=reason,asc`)).status,
  ).toBe(422);
});
