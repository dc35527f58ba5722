import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { CATALOG_ISSUES, listProducts } from '../../../modules/catalog/products/list-products.ts';
import { getIncident } from '../../../modules/binding/incident-views.ts';
import { rebindCandidates } from '../../../modules/binding/rebind-candidates.ts';
import { publishFacts } from '../../../modules/catalog/publish-facts.ts';
import { bindings, bindingFixture, MENU } from '../../support/bindings.ts';
import { buildMedia, STAFF } from '../../support/catalog-fixtures.ts';
import { aTwin } from '../../support/two-menus.ts';
import {
  addRow,
  deleteRows,
  not,
  plus,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

const ENDPOINT = '/api/menu/v3/by_id';

let fixture: Awaited<ReturnType<typeof bindingFixture>>;
let use: ReturnType<typeof bindings>;
let dish: { id: number; erpId: string; name: string };
let sizes: { id: number; erpSizeId: string; sku: string | null }[];
beforeAll(async () => {
  fixture = await bindingFixture();
  use = bindings(fixture);
  [dish] = (await fixture.db.query<typeof dish>(
    `select item.id, item.erp_id as "erpId", item.name from mirror_item item join mirror_item_size size on size.item_id = item.id
      where item.role = 'DISH' group by item.id having count(*) > 1 order by item.id limit 1`,
  )) as [typeof dish];
  sizes = await selectRows(
    fixture.db,
    'mirror_item_size',
    ['id', 'erpSizeId', 'sku'],
    { itemId: dish.id },
    { orderBy: 'id' },
  );
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await use.cleared();
  await use.grace(2, 30);
});
afterEach(() => fixture.emulator.control('answer', { endpoint: ENDPOINT }));

type Size = { sizeId?: string | null; sku?: string | null };
type Dish = { productId?: string | null; sizePrices?: Size[] | null };

async function answerSizes(change: (sizes: Size[]) => Size[]): Promise<void> {
  await fixture.emulator.control('answer', { endpoint: ENDPOINT });
  await use.bump();
  const organizationIds = (await selectRows(fixture.db, 'mirror_organization', ['erpId'], {})).map(
    (row) => row.erpId,
  );
  const { data } = await fixture.deps.erp.menu(fixture.connectionId, {
    externalMenuId: MENU,
    organizationIds,
    asyncMode: false,
  });
  if (data.kind !== 'menu') throw new Error('the emulator answers asynchronously');
  const body = JSON.parse(JSON.stringify(data.menu), (key, value: unknown) =>
    key === 'items' && Array.isArray(value)
      ? value.map((item: Dish) =>
          item.productId === dish.erpId
            ? { ...item, sizePrices: change(item.sizePrices ?? []) }
            : item,
        )
      : value,
  ) as object;
  await fixture.emulator.control('answer', { endpoint: ENDPOINT, body });
}
const dropSizes = (...dropped: { erpSizeId: string }[]) =>
  answerSizes((all) =>
    all.filter(({ sizeId }) => !dropped.some(({ erpSizeId }) => erpSizeId === (sizeId ?? ''))),
  );

async function aProduct(
  bound: { id: number }[],
): Promise<{ productId: number; variantIds: number[] }> {
  const codes = bound.map((_, at) => `S${at}`);
  await fixture.db.query(
    `insert into catalog_variant_option (axis_id, code, name)
     select axis.id, wanted.name, wanted.name from catalog_variant_axis axis, unnest($1::text[]) as wanted (name) where axis.code = 'KIND'
     on conflict do nothing`,
    [codes],
  );
  const { id } = await createProductOfItems(
    { db: fixture.db },
    STAFF,
    {
      name: dish.name,
      variantAxisCode: 'KIND',
      mainImageId: await buildMedia(fixture.db),
      categoryIds: [],
      variants: bound.map((size, at) => ({
        erpItemSizeId: size.id,
        variantOptionCode: codes[at]!,
        isDefault: at === 0,
      })),
    },
    null,
  );
  await updateRows(fixture.db, 'catalog_product', { status: 'PUBLISHED' }, { id });
  const variants = await selectRows(
    fixture.db,
    'catalog_variant',
    ['id'],
    { productId: id },
    { orderBy: 'position' },
  );
  return { productId: id, variantIds: variants.map((row) => row.id) };
}
const issues = async () =>
  (
    await listProducts(
      fixture.db,
      { sort: [], limit: 50, offset: 0, erpIssue: true },
      CATALOG_ISSUES,
    )
  ).items.map(({ id }) => id);

describe('[BND-25] a size that the ERP drops', () => {
  test('causes an incident that names the size, but only after the grace window', async () => {
    const { productId, variantIds } = await aProduct(sizes.slice(0, 2));
    const [kept = 0, lost = 0] = variantIds;
    await use.imported();
    await dropSizes(sizes[1]!);

    const { evaluated: first } = await use.imported();
    expect(first).toMatchObject({ missing: 0, incidents: 0, graceEndsInMs: expect.any(Number) });
    expect(await issues()).toEqual([productId]);

    await use.bump();
    await dropSizes(sizes[1]!);
    await use.imported();
    await dropSizes(sizes[1]!);
    const { evaluated } = await use.imported();

    const incidents = await use.incidents(lost);
    expect([first.missing, evaluated.missing]).toContain(0);
    expect(incidents).toMatchObject([
      { type: 'ITEM_MISSING', severity: 'CRITICAL', lastKnown: { erpItemId: dish.erpId } },
    ]);
    expect(await getIncident(fixture.db, incidents[0]!.id)).toMatchObject({ lost: 'SIZE' });
    expect(await use.variant(lost)).toMatchObject({ state: 'MISSING' });
    expect(await use.variant(kept)).toMatchObject({ state: 'OK' });
    expect(await use.product(productId)).toMatchObject({ status: 'PUBLISHED' });
    expect((await publishFacts(fixture.db, [productId])).get(productId)).toMatchObject({
      variants: 2,
      liveVariants: 1,
    });
  });

  test('unpublishes a product without another live size, and revives its binding when it returns', async () => {
    const { productId, variantIds } = await aProduct([sizes[1]!]);
    const [lost = 0] = variantIds;
    await use.imported();
    await dropSizes(sizes[1]!);
    await use.imported();
    await updateRows(
      fixture.db,
      'mirror_item_size',
      { deletedAt: plus('deletedAt', '-31 minutes') },
      { id: sizes[1]!.id },
    );

    expect(await use.evaluate()).toMatchObject({ missing: 1, unpublished: 1 });
    expect(await use.product(productId)).toMatchObject({ statusReason: 'NO_LIVE_VARIANT' });

    await fixture.emulator.control('answer', { endpoint: ENDPOINT });
    await use.bump();
    expect((await use.imported('INCREMENTAL')).evaluated).toMatchObject({ returned: 1 });
    expect(await use.variant(lost)).toMatchObject({ state: 'OK', missingSince: null });
    expect(await use.incidents(lost)).toMatchObject([
      { status: 'CLOSED', resolution: 'ITEM_RETURNED' },
    ]);
  });

  test('survives an incremental import', async () => {
    await dropSizes(sizes[1]!);
    await use.imported('INCREMENTAL');

    expect(
      await selectRow(fixture.db, 'mirror_item_size', ['deletedAt'], { id: sizes[1]!.id }),
    ).toEqual({
      deletedAt: null,
    });
  });

  test('[BND-26] allows its variant to bind a new size of the same dish, and cannot be bound again', async () => {
    const { variantIds } = await aProduct([sizes[1]!]);
    const [lost = 0] = variantIds;
    await use.imported();
    await answerSizes((all) =>
      all.map((size) =>
        (size.sizeId ?? '') === sizes[1]!.erpSizeId ? { ...size, sizeId: 'another-size' } : size,
      ),
    );
    await use.imported();
    await updateRows(
      fixture.db,
      'mirror_item_size',
      { deletedAt: plus('deletedAt', '-31 minutes') },
      { id: sizes[1]!.id },
    );
    await use.evaluate();

    const fresh = await selectRow(fixture.db, 'mirror_item_size', ['id'], {
      itemId: dish.id,
      erpSizeId: 'another-size',
    });
    const offer = (await use.incidents(lost)).find(({ type }) => type === 'POSSIBLE_REPLACEMENT');
    expect(offer?.candidates).toMatchObject([
      { erpItemSizeId: fresh.id, confidence: expect.any(Number) },
    ]);
    const { items } = await rebindCandidates(fixture.db, lost, { page: 1, size: 50 });
    expect(items.map(({ erpItemSizeId }) => erpItemSizeId)).toContain(fresh.id);
    expect(items.map(({ erpItemSizeId }) => erpItemSizeId)).not.toContain(sizes[1]!.id);
    await expect(aProduct([sizes[1]!])).rejects.toMatchObject({ kind: 'validation' });
  });
});

test('[BND-25] a dish dropped by the ERP is an incident that names the dish', async () => {
  const { variantIds } = await aProduct([sizes[0]!]);
  const [lost = 0] = variantIds;
  await use.imported();
  await use.vanish(dish.erpId);
  await use.imported();
  await use.deletedEarlier(dish.id, 31);
  await use.evaluate();

  const [incident] = await use.incidents(lost);
  expect(await getIncident(fixture.db, incident!.id)).toMatchObject({
    type: 'ITEM_MISSING',
    lost: 'ITEM',
  });
});

describe('[BND-25] a size that one menu drops', () => {
  test('remains bound while another live menu lists it', async () => {
    const { externalMenuId } = await aTwin(fixture, 200);
    const { variantIds } = await aProduct([sizes[1]!]);
    await use.imported();
    await addRow(fixture.db, 'mirror_size_menu', {
      externalMenuId,
      itemSizeId: sizes[1]!.id,
      synchronizedRun: 1,
    });
    await dropSizes(sizes[1]!);
    await use.imported();

    expect(
      await selectRow(fixture.db, 'mirror_item_size', ['deletedAt'], { id: sizes[1]!.id }),
    ).toEqual({
      deletedAt: null,
    });
    expect(await use.variant(variantIds[0]!)).toMatchObject({ state: 'OK' });
    await deleteRows(fixture.db, 'mirror_size_menu', { externalMenuId, itemSizeId: sizes[1]!.id });
  });

  test('hides its product once if all other sizes are lost with it', async () => {
    const { productId, variantIds } = await aProduct(sizes.slice(0, 2));
    await use.imported();
    await answerSizes((all) =>
      all.map((size) => ({ ...size, sizeId: `new-${size.sizeId}`, sku: null })),
    );
    await use.imported();
    await updateRows(
      fixture.db,
      'mirror_item_size',
      { deletedAt: plus('deletedAt', '-31 minutes') },
      { itemId: dish.id, deletedAt: not(null) },
    );

    expect(await use.evaluate()).toMatchObject({ missing: 2, unpublished: 1 });
    expect(await use.product(productId)).toMatchObject({ statusReason: 'NO_LIVE_VARIANT' });
    for (const id of variantIds)
      expect(await use.incidents(id)).toMatchObject([{ type: 'ITEM_MISSING' }, {}]);
  });

  test('keeps one incident if its whole dish is lost afterwards', async () => {
    const { variantIds } = await aProduct([sizes[1]!]);
    await use.imported();
    await dropSizes(sizes[1]!);
    await use.imported();
    await updateRows(
      fixture.db,
      'mirror_item_size',
      { deletedAt: plus('deletedAt', '-31 minutes') },
      { id: sizes[1]!.id },
    );
    await use.evaluate();
    await fixture.emulator.control('answer', { endpoint: ENDPOINT });
    await use.vanish(dish.erpId);
    await use.imported();
    await use.evaluate();

    expect(await use.incidents(variantIds[0]!)).toMatchObject([
      { type: 'ITEM_MISSING', status: 'OPEN' },
    ]);
  });
});
