import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BulkRequest } from '../../../modules/catalog/schemas/catalog-requests.ts';
import { createBadge } from '../../../modules/catalog/badges.ts';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import { createProduct } from '../../../modules/catalog/products/create-product.ts';
import { getProduct } from '../../../modules/catalog/products/product-views.ts';
import type { Database } from '../../support/text-database.ts';
import { BULK_ACTION_NAMES, BULK_ACTIONS } from '../../../modules/catalog/rules/bulk-actions.ts';
import { bulk } from '../../support/bulk.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { holdRow } from '../../support/races.ts';
import { asOwner } from '../../support/database-roles.ts';
import { above, column, countRows, selectRows, updateRows } from '../../support/rows.ts';

let db: Database;
let close: () => Promise<void>;
let rows: MenuRows;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
  rows = menuRows(db);
  place = await rows.restaurant();
});
afterAll(() => close());

let serial = 0;
const aCategory = async () =>
  (await createCategory({ db }, STAFF, { name: `Раздел ${(serial += 1)}`, parentId: null }, null))
    .id;
const aBadge = async () =>
  (await createBadge({ db }, STAFF, { code: `B${(serial += 1)}`, name: 'Значок' }, null)).id;
const aDraft = async (categoryIds: number[] = []) =>
  (await createProduct({ db }, STAFF, { name: `Продукт ${(serial += 1)}`, categoryIds }, null)).id;
const aDish = async () =>
  (await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } })).productId;
const act = (
  productIds: number[],
  action: BulkRequest['action'],
  payload?: BulkRequest['payload'],
) => bulk(db, { productIds, action, payload: payload ?? null });
const readEntries = (id: number) =>
  selectRows(
    db,
    'audit_entry',
    ['action', 'before', 'after'],
    { entityType: 'product', entityId: String(id) },
    { orderBy: 'id desc' },
  );
const eventsAndMarks = async () => {
  const events = await countRows(db, 'outbox', { event: 'CatalogChanged' });
  const requests = await selectRows(db, 'snapshot_request', ['dirtySeq']);
  return { events, marks: requests.reduce((sum, { dirtySeq }) => sum + dirtySeq, 0) };
};

describe('a filter of a bulk action', () => {
  test('[CAT-23] selects the products, and a dry run gives the same result and changes nothing', async () => {
    const categoryId = await aCategory();
    const [ready, draft] = [await aDish(), await aDraft([categoryId])];
    await act([ready], 'ADD_TO_CATEGORY', { categoryId });
    await act([ready], 'UNPUBLISH');
    const request = { filter: { categoryId }, action: 'PUBLISH' } as const;
    const readStatus = async () => (await getProduct(db, ready)).status;
    const audited = (await readEntries(ready)).length;
    const before = await eventsAndMarks();
    const dry = await bulk(db, { ...request, dryRun: true });
    const left = [await readStatus(), (await readEntries(ready)).length, await eventsAndMarks()];
    const done = await bulk(db, request);

    expect(dry).toMatchObject({ succeeded: [ready], failed: [{ id: draft }] });
    expect(left).toEqual(['UNPUBLISHED', audited, before]);
    expect(done).toEqual(dry);
    expect(await readStatus()).toBe('PUBLISHED');
  });

  test('[CAT-23] fails together with ids, and if it is empty', async () => {
    const id = await aDraft();
    const readKind = (request: Partial<BulkRequest>) =>
      bulk(db, { action: 'ARCHIVE', ...request }).then(
        () => 'done',
        (error: unknown) => (error as { kind?: string }).kind,
      );
    const kinds = [
      await readKind({}),
      await readKind({ filter: {} }),
      await readKind({ productIds: [id], filter: { status: 'DRAFT' } }),
    ];

    expect(kinds).toEqual(['validation', 'validation', 'validation']);
    expect((await getProduct(db, id)).status).toBe('DRAFT');
  });

  test('[CAT-35] fails for a blank text alone, which would match every product', async () => {
    const [id, other] = [await aDraft(), await aDraft()];
    const archive = (filter: NonNullable<BulkRequest['filter']>) =>
      bulk(db, { action: 'ARCHIVE', filter, dryRun: true });
    const blank = await Promise.allSettled([archive({ q: '' }), archive({ q: ' \t ' })]);
    const beside = await bulk(db, {
      action: 'PUBLISH',
      filter: { q: ' ' },
      productIds: [id],
      dryRun: true,
    });

    expect(blank).toMatchObject([
      { status: 'rejected', reason: { kind: 'validation' } },
      { status: 'rejected', reason: { kind: 'validation' } },
    ]);
    expect([...beside.succeeded, ...beside.failed.map((entry) => entry.id)]).toEqual([id]);
    expect((await getProduct(db, other)).status).toBe('DRAFT');
  });

  test('[CAT-24] finds products that were changed since a time', async () => {
    const categoryId = await aCategory();
    const [old, changed] = [await aDraft([categoryId]), await aDraft([categoryId])];
    await updateRows(
      db,
      'catalog_product',
      { updatedAt: new Date('2020-01-01T00:00:00Z') },
      { id: old },
    );
    const filter = { categoryId, updatedSince: '2020-01-01T00:00:01Z' };
    const result = await bulk(db, { filter, action: 'ARCHIVE', dryRun: true });

    expect(result.succeeded).toEqual([changed]);
  });
});

describe('bulk actions', () => {
  test('add a product last to a category and remove it, and a repetition changes nothing', async () => {
    const id = await aDish();
    const [first, second] = [place.categoryId, await aCategory()];
    await aDraft([second]);

    expect(await act([id, id], 'ADD_TO_CATEGORY', { categoryId: second })).toEqual({
      succeeded: [id],
      failed: [],
    });
    await act([id], 'ADD_TO_CATEGORY', { categoryId: second });
    const placed = await getProduct(db, id);
    expect(placed.categories).toMatchObject([
      { id: first, isPrimary: true },
      { id: second, isPrimary: false },
    ]);
    expect(placed.version).toBe(2);
    expect(
      await selectRows(db, 'catalog_product_category', ['position'], {
        productId: id,
        categoryId: second,
      }),
    ).toEqual([{ position: 1 }]);
    expect((await readEntries(id))[0]).toEqual({
      action: 'add-to-category',
      before: { categoryIds: [first] },
      after: { categoryIds: [first, second] },
    });

    await act([id], 'REMOVE_FROM_CATEGORY', { categoryId: first });
    expect((await getProduct(db, id)).categories).toMatchObject([{ id: second, isPrimary: true }]);
    expect(await act([id], 'REMOVE_FROM_CATEGORY', { categoryId: first })).toMatchObject({
      succeeded: [id],
    });
    expect(await act([id], 'REMOVE_FROM_CATEGORY', { categoryId: second })).toEqual({
      succeeded: [],
      failed: [{ id, reason: 'NO_PLACEMENT' }],
    });
    const draft = await aDraft([second]);
    expect(await act([draft], 'REMOVE_FROM_CATEGORY', { categoryId: second })).toMatchObject({
      succeeded: [draft],
    });
  });

  test('set the visibility everywhere or in organizations, and mark only those menus as outdated', async () => {
    const id = await aDish();
    const { organizationId } = place;
    const other = (await rows.organization(place.connectionId)).id;
    const dirty = () =>
      selectRows(
        db,
        'snapshot_request',
        ['organizationId as id'],
        { dirtySeq: above(column('builtSeq')) },
        { orderBy: 'organizationId' },
      );
    await updateRows(db, 'snapshot_request', { builtSeq: column('dirtySeq') });

    await act([id], 'SET_VISIBILITY', { isVisible: false, organizationIds: [other] });
    expect(await getProduct(db, id)).toMatchObject({
      isVisible: true,
      organizationVisibility: [{ organizationId: other, isVisible: false }],
    });
    expect(await dirty()).toEqual([{ id: other }]);
    await act([id], 'SET_VISIBILITY', { isVisible: true, organizationIds: [organizationId] });
    expect(await dirty()).toEqual([{ id: other }]);
    await act([id], 'SET_VISIBILITY', { isVisible: false });
    expect(await getProduct(db, id)).toMatchObject({
      isVisible: false,
      organizationVisibility: [],
    });
    expect(await dirty()).toEqual([{ id: organizationId }, { id: other }]);
  });

  test.each(BULK_ACTION_NAMES)(
    'treat every product separately in %s, with one audit entry each and one event',
    async (action) => {
      const ids = [await aDish(), await aDish()];
      const [categoryId, badgeId] = [await aCategory(), await aBadge()];
      await bulk(db, { productIds: ids, action: 'ADD_TO_CATEGORY', payload: { categoryId } });
      if (action === 'PUBLISH') await act(ids, 'UNPUBLISH');
      const payloads: Partial<Record<typeof action, NonNullable<BulkRequest['payload']>>> = {
        ADD_TO_CATEGORY: { categoryId: await aCategory() },
        REMOVE_FROM_CATEGORY: { categoryId },
        SET_BADGES: { badgeIds: [badgeId] },
        SET_VISIBILITY: { isVisible: false },
      };
      const [before, audits] = [await eventsAndMarks(), await Promise.all(ids.map(readEntries))];

      expect(await act([...ids, 999_999], action, payloads[action])).toEqual({
        succeeded: ids,
        failed: [{ id: 999_999, reason: 'NOT_FOUND' }],
      });
      expect(await eventsAndMarks()).toMatchObject({
        events: before.events + 1,
        marks: before.marks + 2,
      });
      for (const [at, id] of ids.entries())
        expect(await readEntries(id)).toHaveLength(audits[at]!.length + 1);

      // A repetition changes nothing and sends no notification.
      expect(await act(ids, action, payloads[action])).toEqual({ succeeded: ids, failed: [] });
      expect((await eventsAndMarks()).events).toBe(before.events + 1);
    },
  );

  test('[CAT-7] reject the whole request if the payload of the action is invalid', async () => {
    const id = await aDish();
    const before = await readEntries(id);
    const refused: [BulkRequest['action'], BulkRequest['payload'], string][] = [
      ['ADD_TO_CATEGORY', null, 'payload.categoryId required'],
      [
        'REMOVE_FROM_CATEGORY',
        { badgeIds: [] },
        'payload.categoryId required, payload.badgeIds unknown_field',
      ],
      ['SET_BADGES', {}, 'payload.badgeIds required'],
      ['SET_VISIBILITY', { organizationIds: [1] }, 'payload.isVisible required'],
      ['PUBLISH', { categoryId: 1 }, 'payload.categoryId unknown_field'],
      ['ADD_TO_CATEGORY', { categoryId: 999_999 }, 'payload.categoryId not_found'],
      [
        'SET_BADGES',
        { badgeIds: [999_999, 999_999] },
        'payload.badgeIds.0 not_found, payload.badgeIds.1 duplicate',
      ],
      [
        'SET_VISIBILITY',
        { isVisible: true, organizationIds: [999_999] },
        'payload.organizationIds.0 not_found',
      ],
    ];
    for (const [action, payload, codes] of refused) {
      const error = await act([id], action, payload).catch((thrown: unknown) => thrown);
      const { errors } = (error as { details: { errors: { field: string; code: string }[] } })
        .details;
      expect(errors.map((entry) => `${entry.field} ${entry.code}`).join(', ')).toBe(codes);
    }
    expect(await readEntries(id)).toEqual(before);
  });
});

describe('concurrent bulk actions', () => {
  test('leave other products unaffected by a locked product and by one that fails', async () => {
    const ids = [await aDish(), await aDish(), await aDish(), await aDish()] as const;
    const [first, held, broken, last] = ids;
    await asOwner(
      db,
      `create function refuse_one() returns trigger language plpgsql as $$
      begin raise exception 'broken on purpose'; end $$`,
    );
    await asOwner(
      db,
      `create trigger refuse_one before update on catalog_product for each row
      when (old.id = ${broken}) execute function refuse_one()`,
    );
    const holding = await holdRow(db, 'catalog_product', held);

    const result = await bulk(db, { productIds: [...ids], action: 'UNPUBLISH' }, 100);
    await holding.release();
    await asOwner(db, 'drop trigger refuse_one on catalog_product');

    expect(result).toEqual({
      succeeded: [first, last],
      failed: [
        { id: held, reason: 'BUSY' },
        { id: broken, reason: 'FAULT' },
      ],
    });
    const states = await selectRows(
      db,
      'catalog_product',
      ['id', 'status'],
      { id: [...ids] },
      { orderBy: 'id' },
    );
    expect(states).toEqual([
      { id: first, status: 'UNPUBLISHED' },
      { id: held, status: 'PUBLISHED' },
      { id: broken, status: 'PUBLISHED' },
      { id: last, status: 'UNPUBLISHED' },
    ]);
    expect((await readEntries(broken)).map((entry) => entry.action)).toEqual([]);
  });

  test('lose no change of each other', async () => {
    const ids = [await aDish(), await aDish(), await aDish()];
    const categories = [await aCategory(), await aCategory(), await aCategory(), await aCategory()];

    const results = await Promise.all(
      categories.map((categoryId, at) =>
        act(at % 2 === 0 ? ids : ids.toReversed(), 'ADD_TO_CATEGORY', { categoryId }),
      ),
    );

    for (const result of results) expect(result.failed).toEqual([]);
    for (const id of ids) {
      const { categories: placed, version } = await getProduct(db, id);
      expect(placed.map((entry) => entry.id).toSorted((a, b) => a - b)).toEqual([
        place.categoryId,
        ...categories,
      ]);
      expect(placed.filter((entry) => entry.isPrimary)).toHaveLength(1);
      expect(version).toBe(5);
    }
  });
});

test('every action declares its payload', () => {
  for (const action of BULK_ACTION_NAMES) expect(BULK_ACTIONS[action]).toHaveProperty('needs');
  expect(BULK_ACTION_NAMES).toHaveLength(7);
});
