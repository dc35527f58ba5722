import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createEnsureSnapshot } from '../../../modules/menus/storefront/ensure-snapshot.ts';
import { markDirty } from '../../../modules/menus/rebuilds/mark-dirty.ts';
import {
  buildSnapshot,
  type SnapshotDeps,
} from '../../../modules/menus/snapshot/build-snapshot.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import { createMenuViews } from '../../../modules/menus/storefront/menu-views.ts';
import { readDocuments } from '../../../modules/menus/storefront/documents.ts';
import { getSnapshotStatus } from '../../../modules/menus/snapshot/snapshot-status.ts';
import { MENU_MAX_BYTES, type Menu } from '../../../modules/menus/schemas/menu.ts';
import { createLog } from '../../../platform/log.ts';
import type { MenuRows } from '../../support/menu-rows.ts';
import { oneDish, snapshotTables } from '../../support/one-dish.ts';
import { deleteRows, selectRow, selectRows, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof snapshotTables>>['database'];
let rows: MenuRows;
let deps: SnapshotDeps;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let dish: Awaited<ReturnType<MenuRows['dish']>>;

beforeAll(async () => {
  ({ database, rows, deps } = await snapshotTables());
});
afterAll(async () => database.close());
beforeEach(async () => {
  await deleteRows(database.db, 'outbox');
  ({ place, dish } = await oneDish({ database, rows }));
});

const soldNow = 1;
/** The image details that the menu omits before it becomes too large. */
const imageDetails = ',"width":400,"height":400'.length;
const sum = (parts: Record<string, number>) =>
  Object.values(parts).reduce((total, part) => total + part);

async function rebuild(log = deps.log) {
  await markDirty(database.db, 'menu-import', [place.organizationId]);
  return buildSnapshot({ ...deps, log }, place.organizationId);
}
/** Makes the menu longer by a text that the menu cannot omit. */
const lengthen = (characters: number) =>
  updateRows(
    database.db,
    'catalog_product',
    { subtitle: 'x'.repeat(characters) },
    { id: dish.productId },
  );
const payload = async () =>
  (await selectRow(database.db, 'snapshot', ['payload'], { organizationId: place.organizationId }))
    .payload;
const notifications = () =>
  database.db.db
    .selectFrom('notification')
    .where('kind', '=', 'SNAPSHOT_TOO_LARGE')
    .where('subjectType', '=', 'organization')
    .where('subjectId', '=', String(place.organizationId))
    .select((row) => ['details', 'repeated', row('resolvedAt', 'is', null).as('open')])
    .execute();
const sent = () => selectRows(database.db, 'outbox', '*', { event: 'NotificationRaised' });
async function longestText(): Promise<number> {
  await lengthen(1_000);
  await rebuild();
  return MENU_MAX_BYTES - (await payload()).length - soldNow + imageDetails + 1_000;
}

describe('the limit of 1 MB', () => {
  test('[SNP-12] applies to the exact byte, and no stop exceeds it', async () => {
    const longest = await longestText();
    await lengthen(longest);
    expect(await rebuild()).toMatchObject({ outcome: 'PUBLISHED', revision: 2 });
    await rows.stop(place.organizationId, dish.erpId);
    await patchAvailability(deps, place.organizationId);
    expect((await payload()).length).toBe(MENU_MAX_BYTES);

    await lengthen(longest + 1);
    const served = await payload();
    expect(await rebuild()).toEqual({ outcome: 'TOO_LARGE', revision: null, pending: false });
    expect((await payload()).equals(served)).toBe(true);
    await deleteRows(database.db, 'mirror_stop_list');
    expect(await rebuild()).toMatchObject({ outcome: 'TOO_LARGE' });
  });

  test('[SNP-12] notifies administrators once, and the next valid menu ends the notification', async () => {
    await rebuild();
    await lengthen(MENU_MAX_BYTES);
    await rebuild();
    await rebuild();
    const open = await notifications();
    const status = await getSnapshotStatus(database.db, place.organizationId);
    const sendings = await sent();
    await lengthen(10);
    await rebuild();

    expect(open).toMatchObject([
      {
        open: true,
        repeated: 1,
        details: {
          limitBytes: MENU_MAX_BYTES,
          servedRevision: 1,
          bytes: status.tooLargeBytes,
          parts: status.tooLargeParts,
        },
      },
    ]);
    expect(sendings).toHaveLength(1);
    expect(status).toMatchObject({ revision: 1, pendingSince: null, limitBytes: MENU_MAX_BYTES });
    expect(status.tooLargeParts!.texts).toBeGreaterThan(MENU_MAX_BYTES);
    expect(sum(status.tooLargeParts!)).toBe(status.tooLargeBytes! - soldNow);
    expect(await notifications()).toMatchObject([{ open: false }]);
    expect(await getSnapshotStatus(database.db, place.organizationId)).toMatchObject({
      revision: 2,
      tooLargeBytes: null,
      tooLargeParts: null,
    });
  });

  test('causes a clear error without an earlier menu, and one build until something changes', async () => {
    await lengthen(MENU_MAX_BYTES);
    const ensure = createEnsureSnapshot(deps);
    const refusal = {
      kind: 'unavailable',
      details: { detail: expect.stringContaining('larger than 1 MB') },
    };
    const builds = async () =>
      (await deps.metrics.snapshotBuilds.get()).values.find(
        (value) => value.labels['outcome'] === 'too_large',
      )?.value;
    const before = (await builds()) ?? 0;

    for (let request = 0; request < 3; request += 1)
      await expect(ensure(place.organizationId)).rejects.toMatchObject(refusal);
    expect(((await builds()) ?? 0) - before).toBe(1);

    await lengthen(10);
    await markDirty(database.db, 'menu-import', [place.organizationId]);
    await ensure(place.organizationId);
    expect(await getSnapshotStatus(database.db, place.organizationId)).toMatchObject({
      revision: 1,
      tooLargeBytes: null,
    });
  });

  test('[SNP-12] makes a menu omit fields that other answers keep, and reports it', async () => {
    await updateRows(
      database.db,
      'catalog_product',
      { description: 'x'.repeat(MENU_MAX_BYTES), composition: 'моцарелла', subtitle: 'Острый' },
      { id: dish.productId },
    );
    await updateRows(
      database.db,
      'mirror_item_size',
      { nutrition: { proteins: 10.5, fats: 8, carbs: 27, energy: 231 } },
      { id: dish.sizeId },
    );
    const lines: string[] = [];
    const log = createLog({
      service: 'test',
      level: 'info',
      destination: { write: (line) => void lines.push(line) },
    });
    expect(await rebuild(log)).toMatchObject({ outcome: 'PUBLISHED', revision: 1 });
    const [product] = (JSON.parse((await payload()).toString('utf8')) as Menu).products;
    const documents = await readDocuments(database.db, place.organizationId);
    const { browser, search } = createMenuViews()(documents!);
    const status = await getSnapshotStatus(database.db, place.organizationId);

    expect(product).toMatchObject({ subtitle: 'Острый' });
    expect(product).not.toHaveProperty('description');
    expect(product).not.toHaveProperty('composition');
    expect(product!.variants[0]).not.toHaveProperty('nutritionPer100g');
    expect(Object.keys(product!.images.main)).toEqual(['id', 'url', 'srcset']);
    const full = {
      images: expect.objectContaining({
        main: expect.objectContaining({ width: 400, height: 400 }),
      }),
      composition: 'моцарелла',
      description: expect.stringMatching(/^x{1000000}$/),
      variants: [
        expect.objectContaining({
          nutritionPer100g: { proteins: 10.5, fats: 8, carbs: 27, energy: 231 },
        }),
      ],
    };
    expect(browser.cardOf(dish.productId)).toMatchObject(full);
    expect(browser.products).toMatchObject([full]);
    expect((await search()).search('моцарелла')).toEqual([dish.productId]);
    expect(status).toMatchObject({
      leftOut: ['imageDetails', 'nutritionPer100g', 'composition', 'description'],
      tooLargeBytes: null,
    });
    expect(sum(status.parts!)).toBe(status.bytes);
    expect(lines.join('')).toContain('leaves fields out');

    await updateRows(database.db, 'mirror_item_size', { nutrition: null }, { id: dish.sizeId });
    expect(await rebuild()).toMatchObject({ outcome: 'PUBLISHED', revision: 2 });
    expect(await rebuild()).toMatchObject({ outcome: 'UNCHANGED' });
    await updateRows(database.db, 'catalog_product', { description: 'x' }, { id: dish.productId });
    await rebuild();
    expect(await getSnapshotStatus(database.db, place.organizationId)).toMatchObject({
      revision: 3,
      leftOut: [],
    });
  });

  test('[SNP-12] logs the bytes of each part', async () => {
    await lengthen(MENU_MAX_BYTES);
    const lines: string[] = [];
    await rebuild(
      createLog({
        service: 'test',
        level: 'error',
        destination: { write: (line) => void lines.push(line) },
      }),
    );
    const refusal = JSON.parse(lines[0]!) as {
      bytes: number;
      limitBytes: number;
      parts: Record<string, number>;
    };

    expect(lines).toHaveLength(1);
    expect(refusal).toMatchObject({
      limitBytes: MENU_MAX_BYTES,
      parts: { texts: expect.any(Number) },
    });
    expect(sum(refusal.parts)).toBe(refusal.bytes - soldNow);
  });
});
