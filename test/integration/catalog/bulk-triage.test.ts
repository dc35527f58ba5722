import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bulkTriage } from '../../../modules/binding/bulk-triage.ts';
import { listErpItems } from '../../../modules/binding/erp-items.ts';
import { triageItem } from '../../../modules/binding/triage-item.ts';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { buildDish, buildMirror, STAFF, type MirrorDish } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { countRows } from '../../support/rows.ts';
import type { Database } from '../../support/text-database.ts';

let db: Database;
let close: () => Promise<void>;
let mirror: Awaited<ReturnType<typeof buildMirror>>;
let serial = 0;

beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
  mirror = await buildMirror(db);
});
afterAll(() => close());

const dish = (name = `Блюдо ${(serial += 1)}`) => buildDish(db, mirror, { name });
const triage = (request: Parameters<typeof bulkTriage>[2]) => bulkTriage({ db }, STAFF, request);
const sell = ({ sizeIds: [erpItemSizeId] }: MirrorDish) => {
  const variants = [{ erpItemSizeId: erpItemSizeId!, variantOptionCode: null, isDefault: true }];
  const request = {
    name: `Товар ${(serial += 1)}`,
    variantAxisCode: null,
    mainImageId: null,
    categoryIds: [],
    variants,
  };
  return createProductOfItems({ db }, STAFF, request, null);
};
const readState = async ({ erpId }: MirrorDish) => {
  const { items } = await listErpItems(db, { sort: [], limit: 200, offset: 0 });
  return items.find((item) => item.itemId === erpId)?.triage;
};
const audits = () => countRows(db, 'audit_entry', { entityType: 'erp-item', action: 'triage' });
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('[BND-42] a bulk triage', () => {
  test('ignores new dishes and lists bound and unknown dishes with the reason', async () => {
    const [one, two, sold] = [await dish(), await dish(), await dish()];
    await sell(sold);
    const before = await audits();
    const itemIds = [one.erpId, sold.erpId, UNKNOWN, two.erpId.toUpperCase(), one.erpId];
    const result = await triage({ itemIds, status: 'IGNORED', note: 'Для персонала' });

    expect(result).toEqual({
      succeeded: [one.erpId, two.erpId],
      failed: [
        { itemId: sold.erpId, reason: 'LINKED' },
        { itemId: UNKNOWN, reason: 'NOT_FOUND' },
      ],
    });
    expect([await readState(one), await readState(two), await readState(sold)]).toEqual([
      'IGNORED',
      'IGNORED',
      'LINKED',
    ]);
    expect((await audits()) - before).toBe(2);
  });

  test('succeeds for the same dishes when it is repeated, and writes nothing', async () => {
    const one = await dish();
    await triage({ itemIds: [one.erpId], status: 'IGNORED' });
    const before = await audits();

    expect(await triage({ itemIds: [one.erpId], status: 'IGNORED' })).toEqual({
      succeeded: [one.erpId],
      failed: [],
    });
    expect(await audits()).toBe(before);
    expect(await triage({ itemIds: [one.erpId], status: 'NEW' })).toEqual({
      succeeded: [one.erpId],
      failed: [],
    });
    expect(await readState(one)).toBe('NEW');
  });

  test('returns the result of a dry run with a filter and changes nothing', async () => {
    const [one, two] = [await dish('Коробка малая'), await dish('Коробка большая')];
    const before = await audits();
    const filter = { q: 'коробка', triage: 'NEW' as const };
    const planned = await triage({ filter, status: 'IGNORED', dryRun: true });

    expect(planned).toEqual({ succeeded: [one.erpId, two.erpId], failed: [] });
    expect([await readState(one), await audits()]).toEqual(['NEW', before]);
    expect(await triage({ filter, status: 'IGNORED' })).toEqual(planned);
    expect(await readState(two)).toBe('IGNORED');
    expect(await triage({ filter, status: 'IGNORED' })).toEqual({ succeeded: [], failed: [] });
  });

  test.each([
    ['ids and a filter', { itemIds: [UNKNOWN], filter: { q: 'x' } }],
    ['neither ids nor a filter', {}],
    ['a blank filter', { filter: { q: '  ' } }],
  ])('rejects %s', async (_, target) => {
    await expect(triage({ ...target, status: 'IGNORED' })).rejects.toMatchObject({
      kind: 'validation',
      details: { errors: [{ field: 'itemIds', code: 'required' }] },
    });
  });

  test('never ignores a dish that a product binds concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const one = await dish();
      const [ignored] = await Promise.all([
        triage({ itemIds: [one.erpId], status: 'IGNORED' }),
        sell(one),
      ]);

      expect(await readState(one)).toBe('LINKED');
      expect(ignored.succeeded.length + ignored.failed.length).toBe(1);
    }
    await expect(
      triageItem(
        { db },
        STAFF,
        (await listErpItems(db, { bound: true, sort: [], limit: 1, offset: 0 })).items[0]!.itemId,
        {
          status: 'IGNORED',
          note: null,
        },
      ),
    ).rejects.toMatchObject({ kind: 'invalid-transition' });
  });
});
