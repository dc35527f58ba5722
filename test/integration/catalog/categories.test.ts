import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  categoryTree,
  getCategory,
  listCategories,
} from '../../../modules/catalog/categories/category-views.ts';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import {
  createVariantAxis,
  listVariantAxes,
} from '../../../modules/catalog/variants/variant-axes.ts';
import type { Database } from '../../support/text-database.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { databaseNow, updateRows } from '../../support/rows.ts';

let db: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
});
afterAll(() => close());

const create = (name: string, parentId: number | null = null, position?: number) =>
  createCategory(
    { db },
    STAFF,
    { name, parentId, ...(position === undefined ? {} : { position }) },
    null,
  );

describe('categories', () => {
  test('receive a slug from their name, with a suffix if it is used, also concurrently', async () => {
    const made = await Promise.all([
      create('Горячие блюда'),
      create('Горячие блюда'),
      create('Горячие  блюда!'),
    ]);
    expect(made.map((entry) => entry.slug).toSorted()).toEqual([
      'goryachie-blyuda',
      'goryachie-blyuda-2',
      'goryachie-blyuda-3',
    ]);
  });

  test('[CAT-12] appear last under their parent, and nest to the fourth level and no deeper', async () => {
    const first = await create('Первый');
    const second = await create('Второй', first.id);
    const sibling = await create('Сосед', first.id);
    const third = await create('Третий', second.id);
    const fourth = await create('Четвёртый', third.id);

    expect([second.position, sibling.position]).toEqual([0, 1]);
    await expect(create('Пятый', fourth.id)).rejects.toMatchObject({
      kind: 'validation',
      details: { errors: [{ field: 'parentId', code: 'too_deep' }] },
    });
    const { items: tree } = await categoryTree(db);
    expect(tree.find((node) => node.id === first.id)).toMatchObject({
      children: [
        { id: second.id, children: [{ id: third.id, children: [{ id: fourth.id }] }] },
        { id: sibling.id },
      ],
    });
  });

  test('reject an unknown or archived parent and an empty name', async () => {
    const archived = await create('Архив');
    await updateRows(db, 'catalog_category', { archivedAt: databaseNow() }, { id: archived.id });
    const unknown = {
      kind: 'validation',
      details: { errors: [{ field: 'parentId', code: 'not_found' }] },
    };
    await expect(create('Дитя', archived.id)).rejects.toMatchObject(unknown);
    await expect(create('Дитя', 999_999)).rejects.toMatchObject(unknown);
    await expect(create('   ')).rejects.toMatchObject({ details: { errors: [{ field: 'name' }] } });
    expect((await getCategory(db, archived.id)).archivedAt).toBeInstanceOf(Date);
    await expect(getCategory(db, 999_999)).rejects.toMatchObject({ kind: 'not-found' });
    expect(
      (await listCategories(db, false, { page: 1, size: 200 })).items.map((item) => item.id),
    ).not.toContain(archived.id);
  });
});

describe('variant axes', () => {
  const size = {
    code: 'SIZE',
    name: 'Размер',
    uiType: 'SEGMENTED' as const,
    options: [
      { code: 'S', name: 'Маленькая', shortName: '25' },
      { code: 'L', name: 'Большая' },
    ],
  };

  test('[CAT-16] keep the order of their options, and have unique names', async () => {
    const axis = await createVariantAxis({ db }, STAFF, size, null);
    expect(axis).toMatchObject({
      code: 'SIZE',
      options: [
        { code: 'S', shortName: '25', position: 0 },
        { code: 'L', shortName: null, position: 1 },
      ],
    });
    expect(await listVariantAxes(db, { page: 1, size: 50 })).toEqual({
      page: 1,
      size: 50,
      total: 1,
      items: [axis],
    });
    await expect(createVariantAxis({ db }, STAFF, size, null)).rejects.toMatchObject({
      kind: 'duplicate',
      details: { errors: [{ field: 'code', code: 'duplicate' }] },
    });
  });

  test('reject a duplicate option code', async () => {
    const options = [...size.options, { code: 'S', name: 'Ещё раз' }];
    await expect(
      createVariantAxis({ db }, STAFF, { ...size, code: 'TWICE', options }, null),
    ).rejects.toMatchObject({
      details: { errors: [{ field: 'options.2.code', code: 'duplicate' }] },
    });
  });
});
