import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdminApi, type NewProductOfItems } from '../../../packages/client/src/admin.ts';
import { PublicApi, type Menu } from '../../../packages/client/src/storefront.ts';
import { isProblem } from '../../../packages/client/src/transport.ts';
import { seedConnection } from '../../../packages/demo/seed/seed.ts';
import { eventually } from '../../support/processes.ts';
import { prepareProduct, type Product } from '../../support/product.ts';

// A working day of an editor: a new dish is published, lost, bound to its replacement and sold
// again as the same product.

const MENU = '9500';
const SMALL = randomUUID();
const LARGE = randomUUID();
const CATEGORY = randomUUID();
const SALADS = Array.from({ length: 8 }, () => randomUUID());

let product: Product;
let admin: AdminApi;
let storefront: PublicApi;
let organizationId: string;

beforeAll(async () => {
  product = await prepareProduct({ size: 'small', env: { SNAPSHOT_POLL: '100ms' } });
  const [, api] = await Promise.all([product.startWorker(), product.startApi()]);
  const credentials = product.administrator;
  await seedConnection({
    baseUrl: api.url,
    ...credentials,
    apiLogin: product.emulator.apiLogin,
    log: () => undefined,
  });
  const { data } = await new AdminApi({ baseUrl: api.url }).login(credentials);
  admin = new AdminApi({ baseUrl: api.url, accessToken: data.accessToken });
  storefront = new PublicApi({ baseUrl: api.url });
  organizationId = (await storefront.listOrganizations()).data.items[0]!.id;
});
afterAll(async () => product?.stop());

/**
 * Serves the small pizza, the large one under this id, and enough other dishes that a loss is not
 * suspicious.
 */
function cook(largeId: string | null): Promise<unknown> {
  const dishes = [
    dish(SMALL, 'Вулкан 25 см', 'VUL-25', 490),
    ...(largeId === null ? [] : [dish(largeId, 'Вулкан 30 см', 'VUL-30', 690)]),
    ...SALADS.map((id, at) => dish(id, `Салат ${at + 1}`, `SAL-${at + 1}`, 250)),
  ];
  const categories = [{ id: CATEGORY, name: 'Пицца', dishIds: dishes.map((entry) => entry.id) }];
  return product.emulator.control('put-menu', {
    menuId: MENU,
    name: 'Пиццерия',
    modifiers: [],
    dishes,
    categories,
  });
}
const dish = (id: string, name: string, sku: string, price: number) => ({
  id,
  name,
  sku,
  sizes: [{ sku, prices: { [organizationId]: price } }],
  groups: [],
});

async function runImport(job: 'MENU' | 'MENU_LIST', scope: string, mode?: 'FULL'): Promise<void> {
  const { data } = await admin.startSyncRun({
    job,
    scope,
    ...(mode === undefined ? {} : { mode }),
  });
  const run = await eventually(`the import ${job} ends`, async () => {
    const { data: found } = await admin.getSyncRun({ id: data.runId });
    return found.status === 'RUNNING' ? undefined : found;
  });
  expect(run).toMatchObject({ status: 'SUCCESS' });
}
const importMenu = () => runImport('MENU', MENU, 'FULL');

const onTheMenu = (id: number, is: (shown: Shown | undefined) => boolean, what: string) =>
  eventually(what, async () => {
    const { products } = (await storefront.getMenu({ organization_id: organizationId })).data;
    const shown = products.find((entry) => entry.id === id);
    return is(shown) ? { shown } : undefined;
  });
type Shown = Menu['products'][number];

const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (isProblem(error) ? error.problem : error),
  );

test('a new dish of the ERP reaches guests, and returns after it was recreated', async () => {
  // Morning: the kitchen's new dish is in the list of undecided dishes.
  await cook(LARGE);
  const connectionId = (await admin.listConnections()).data.items[0]!.id;
  await runImport('MENU_LIST', String(connectionId));
  await importMenu();
  const { data: fresh } = await admin.listErpItems({
    triage: 'NEW',
    bound: false,
    type: 'DISH',
    q: 'Вулкан',
  });
  expect(fresh.items.map((item) => item.name)).toEqual(['Вулкан 25 см', 'Вулкан 30 см']);

  const { data: suggested } = await admin.getVariantSuggestions({ item_id: SMALL });
  expect(suggested).toMatchObject({
    baseName: 'Вулкан',
    candidates: [{ bound: false }, { bound: false }],
  });
  const axis = suggested.detectedAxis!;
  const options = suggested.candidates.map((candidate) => candidate.detectedOption!);
  await admin.createVariantAxis({
    code: axis.code,
    name: axis.name,
    options: options.map(({ code, name }) => ({ code, name })),
  });
  const { data: category } = await admin.createCategory({ name: 'Пицца' });
  const wanted: NewProductOfItems = {
    name: suggested.baseName,
    variantAxisCode: axis.code,
    categoryIds: [],
    variants: suggested.candidates.map((candidate) => ({
      erpItemSizeId: candidate.itemSizeId,
      variantOptionCode: candidate.detectedOption!.code,
    })),
  };
  const idempotencyKey = randomUUID();
  const { status, data: draft } = await admin.createProductOfItems(wanted, { idempotencyKey });
  const { data: again } = await admin.createProductOfItems(wanted, { idempotencyKey });
  expect({ status, draft, again }).toEqual({
    status: 201,
    draft: { id: draft.id, slug: 'vulkan', status: 'DRAFT' },
    again: draft,
  });
  const { id } = draft;

  // The product cannot be published yet: the answer names everything that is missing.
  expect(await refusal(admin.publishProduct({ id }))).toMatchObject({
    type: '/problems/publish-blocked',
    status: 422,
    violations: [{ code: 'NO_MAIN_IMAGE' }, { code: 'NO_PLACEMENT' }],
  });

  // Adds picture, category and texts. A colleague with an old version gets a conflict.
  const picture = await sharp({
    create: { width: 900, height: 700, channels: 3, background: '#c33' },
  })
    .jpeg()
    .toBuffer();
  const { data: media } = await admin.uploadMedia({
    file: new File([picture], 'вулкан.jpg', { type: 'image/jpeg' }),
  });
  const { data: before } = await admin.getProduct({ id });
  const { data: edited } = await admin.editProduct(
    { id },
    {
      version: before.version,
      mainImageId: media.id,
      categoryIds: [category.id],
      composition: 'Тесто, томаты, моцарелла, колбаса',
    },
  );
  expect(
    await refusal(admin.editProduct({ id }, { version: before.version, name: 'Маргарита' })),
  ).toMatchObject({
    type: '/problems/version-conflict',
    currentVersion: edited.version,
  });

  // Publishing creates a revision with both sizes and the ERP's prices.
  const { data: earlier } = await storefront.getMenuRevision({ organization_id: organizationId });
  await admin.publishProduct({ id });
  const { shown } = await onTheMenu(
    id,
    (entry) => entry !== undefined,
    'the product is on the menu',
  );
  expect(shown).toMatchObject({
    slug: 'vulkan',
    categoryIds: [category.id],
    images: { main: { id: media.id } },
  });
  expect(shown!.variants.map(({ price, available }) => ({ price, available }))).toEqual([
    { price: 490, available: true },
    { price: 690, available: true },
  ]);
  expect(
    (await storefront.getMenuRevision({ organization_id: organizationId })).data.revision,
  ).toBeGreaterThan(earlier.revision);
  expect((await admin.listErpItems({ triage: 'NEW', q: 'Вулкан' })).data.total).toBe(0);
  const { data: answer } = await storefront.searchProducts({
    organization_id: organizationId,
    q: 'dekrfy',
  });
  expect(answer.items[0]).toMatchObject({ id });

  // Afternoon: the kitchen deletes the large pizza. After the grace time guests cannot order it.
  await cook(null);
  for (let round = 0; round < 3; round += 1) await importMenu();
  const incident = await eventually('an incident is open', async () => {
    const { data } = await admin.listBindingIncidents({ product_id: id, status: 'OPEN' });
    return data.items.find((item) => item.type === 'ITEM_MISSING');
  });
  expect(incident).toMatchObject({
    severity: 'CRITICAL',
    product: { id },
    lastKnown: { erpItemId: LARGE, sku: 'VUL-30' },
  });
  await onTheMenu(
    id,
    (entry) => entry?.variants.filter((variant) => variant.available).length === 1,
    'one size is left',
  );

  // The variant is bound to the new item, and all work of staff remains.
  const replacement = randomUUID();
  await cook(replacement);
  await importMenu();
  const { data: candidates } = await admin.listRebindCandidates({ id: incident.variant.id });
  expect(candidates.items[0]).toMatchObject({
    erpItemId: replacement,
    matchedBy: 'SKU',
    sku: 'VUL-30',
  });
  await admin.rebindVariant(
    { id: incident.variant.id },
    { erpItemSizeId: candidates.items[0]!.erpItemSizeId },
  );

  expect((await admin.getBindingIncident({ id: incident.id })).data).toMatchObject({
    status: 'CLOSED',
    resolution: 'REBOUND',
  });
  const { shown: live } = await onTheMenu(
    id,
    (entry) =>
      entry?.variants.every((variant) => variant.available) === true && entry.variants.length === 2,
    'both sizes are sold again',
  );
  expect(live).toMatchObject({
    slug: 'vulkan',
    composition: edited.composition,
    images: { main: { id: media.id } },
  });
  expect(live!.variants.map((variant) => variant.erpItemId)).toEqual([SMALL, replacement]);
  const { data: history } = await admin.listAudit({
    entity_type: 'product',
    entity_id: String(id),
  });
  expect(history.items.map((item) => item.action)).toEqual(
    expect.arrayContaining(['create', 'update', 'publish']),
  );
});
