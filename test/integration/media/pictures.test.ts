import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { editProduct } from '../../../modules/catalog/products/edit-product.ts';
import { editModifier } from '../../../modules/catalog/modifiers/modifiers.ts';
import { updateCategory } from '../../../modules/catalog/categories/update-category.ts';
import { deleteMedia } from '../../../modules/media/delete-media.ts';
import { listMedia, type MediaFilter } from '../../../modules/media/list-media.ts';
import { getMedia, type MediaView } from '../../../modules/media/media-rows.ts';
import { listUsages } from '../../../modules/media/media-uses.ts';
import { recordMediaBase } from '../../../modules/media/media-base.ts';
import { uploadMedia } from '../../../modules/media/upload-media.ts';
import { updateMedia } from '../../../modules/media/update-media.ts';
import { MEDIA_USES } from '../../../modules/media-uses.ts';
import {
  buildSnapshot,
  type SnapshotDeps,
} from '../../../modules/menus/snapshot/build-snapshot.ts';
import { forgetRetiredMedia } from '../../../modules/menus/snapshot/kept-media.ts';
import {
  prepareSnapshot,
  type PreparedSnapshot,
} from '../../../modules/menus/snapshot/prepare-snapshot.ts';
import { publishSnapshot } from '../../../modules/menus/snapshot/publish-snapshot.ts';
import type { Menu } from '../../../modules/menus/schemas/menu.ts';
import { pinRevision } from '../../../modules/menus/snapshot/pin-revision.ts';
import { shortUrl } from '../../../modules/media/rules/short-url.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import type { MenuRows } from '../../support/menu-rows.ts';
import { oneDish, snapshotTables } from '../../support/one-dish.ts';
import { newPicture, pictureFixture, type Pictures } from '../../support/pictures.ts';
import { holdRow, holdTable } from '../../support/races.ts';
import {
  above,
  column,
  countRows,
  deleteRows,
  not,
  plus,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof snapshotTables>>['database'];
let rows: MenuRows;
let deps: SnapshotDeps;
let pictures: Pictures;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let dish: Awaited<ReturnType<MenuRows['dish']>>;
let version: number;

beforeAll(async () => {
  ({ database, rows, deps } = await snapshotTables());
  pictures = await pictureFixture(database.db);
});
afterAll(async () => {
  await pictures.close();
  await database.close();
});
beforeEach(async () => {
  ({ place, dish } = await oneDish({ database, rows }));
  version = 1;
  await deleteRows(database.db, 'media_retired');
  await deleteRows(database.db, 'snapshot_pin');
  await deleteRows(database.db, 'snapshot_revision');
});

const build = () => buildSnapshot(deps, place.organizationId);
async function show(fields: {
  mainImageId?: number;
  hoverImageId?: number | null;
  gallery?: number[];
}): Promise<void> {
  ({ version } = await editProduct(deps, STAFF, dish.productId, { version, ...fields }));
}
const remove = (id: number) => deleteMedia(pictures.deps, STAFF, id);
const focus = (media: MediaView, x: number) =>
  updateMedia(pictures.deps, STAFF, media.id, {
    version: media.version,
    focalPoint: { x, y: 0.5 },
  });
const usages = async (id: number) =>
  (await listUsages(database.db, MEDIA_USES, id, { page: 1, size: 50 })).items.map(
    (item) => item.kind,
  );
const IN_USE = { kind: 'media-in-use' };
async function servedAddresses(): Promise<string[]> {
  const row = await selectRow(database.db, 'snapshot', ['payload'], {
    organizationId: place.organizationId,
  });
  return [...row.payload.toString('utf8').matchAll(/"url":"([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  );
}
const card = (media: MediaView) =>
  media.renditions.find((rendition) => rendition.name === 'card' && rendition.format === 'webp')!
    .url;
const dirty = async () =>
  (await countRows(database.db, 'snapshot_request', { dirtySeq: above(column('builtSeq')) })) > 0;
const forget = async (days: number) => {
  await updateRows(database.db, 'media_retired', { retiredAt: plus('retiredAt', `-${days} days`) });
  await updateRows(database.db, 'snapshot_revision', {
    publishedAt: plus('publishedAt', `-${days} days`),
  });
  return forgetRetiredMedia(database.db, 1000);
};

describe('a picture in use', () => {
  test('[MED-5] survives a deletion, and the rejection lists its uses', async () => {
    const { id } = await pictures.upload();
    const other = await pictures.upload();
    const categoryId = await rows.category();
    const modifier = await rows.item({ role: 'MODIFIER', name: 'Сметана' });
    const uses: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      [
        'PRODUCT_MAIN_IMAGE',
        () => show({ mainImageId: id }),
        () => show({ mainImageId: other.id }),
      ],
      ['PRODUCT_HOVER_IMAGE', () => show({ hoverImageId: id }), () => show({ hoverImageId: null })],
      ['PRODUCT_GALLERY', () => show({ gallery: [other.id, id] }), () => show({ gallery: [] })],
      [
        'CATEGORY_IMAGE',
        () => updateCategory(deps, STAFF, categoryId, { version: 1, imageId: id }),
        () => updateCategory(deps, STAFF, categoryId, { version: 2, imageId: null }),
      ],
      [
        'MODIFIER_IMAGE',
        () => editModifier(deps, STAFF, modifier.erpId, { version: 0, imageId: id }),
        () => editModifier(deps, STAFF, modifier.erpId, { version: 1, imageId: null }),
      ],
      [
        'REWARD_IMAGE',
        () =>
          rows.insert('reward', {
            code: 'tart',
            name: 'Тарт',
            erp_item_id: modifier.erpId,
            image_id: id,
          }),
        () => updateRows(database.db, 'reward', { imageId: null }),
      ],
    ];
    expect(uses.map(([kind]) => kind)).toEqual(MEDIA_USES.kinds.map(({ kind }) => kind));
    for (const [kind, begin, end] of uses) {
      await begin();
      expect(await usages(id)).toEqual([kind]);
      await expect(remove(id)).rejects.toMatchObject({
        ...IN_USE,
        details: { extra: { usageCount: 1 } },
      });
      await end();
    }

    await remove(id);

    await expect(getMedia(database.db, id)).rejects.toMatchObject({ kind: 'not-found' });
    expect(
      await selectRows(
        database.db,
        'audit_entry',
        ['action'],
        { entityType: 'media', entityId: String(id) },
        { orderBy: 'id' },
      ),
    ).toEqual([{ action: 'create' }, { action: 'delete' }]);
  });

  test('[MED-17] counts as used in the list, which also finds pictures without uses or without text', async () => {
    const [used, free] = [await pictures.upload(), await pictures.upload()];
    await show({ mainImageId: used.id, gallery: [used.id] });
    await updateMedia(pictures.deps, STAFF, free.id, {
      version: free.version,
      alt: 'Борщ в тарелке',
    });
    const list = async (filter: Partial<MediaFilter>) => {
      const { items, total } = await listMedia(database.db, MEDIA_USES, {
        page: 1,
        size: 200,
        sort: [],
        ...filter,
      });
      expect(total).toBe(items.length);
      return new Map(items.map((item) => [item.id, item.usageCount]));
    };
    const [all, unused, inUse] = [
      await list({}),
      await list({ unused: true }),
      await list({ unused: false }),
    ];
    const [without, withText] = [
      await list({ withoutAlt: true }),
      await list({ withoutAlt: false }),
    ];

    expect([all.get(used.id), all.get(free.id)]).toEqual([2, 0]);
    expect([unused.has(used.id), unused.has(free.id)]).toEqual([false, true]);
    expect([inUse.has(used.id), inUse.has(free.id)]).toEqual([true, false]);
    expect([without.has(used.id), without.has(free.id)]).toEqual([true, false]);
    expect([withText.has(used.id), withText.has(free.id)]).toEqual([false, true]);
    expect(await list({ unused: true, withoutAlt: true, q: 'борщ' })).toEqual(new Map());
  });

  test('counts as used through every foreign key to a picture', async () => {
    const keys = await database.db.query<{ column: string }>(
      `select conrelid::regclass || '.' || (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as column
         from pg_constraint where contype = 'f' and confrelid = 'media'::regclass`,
    );
    const texts = MEDIA_USES.kinds.map(({ of }) => of(1).compile(database.db.db).sql);
    const unregistered = keys.filter(({ column }) => {
      const [table = '', name = ''] = column.split('.');
      return !texts.some((text) => text.includes(table) && text.includes(`${name} = $1`));
    });
    expect(keys.length).toBeGreaterThanOrEqual(5);
    expect(unregistered).toEqual([]);
  });

  test('survives if a product begins to show it before the deletion', async () => {
    const { id } = await pictures.upload();
    const held = await holdTable(database.db, 'audit_entry');
    const shown = show({ hoverImageId: id });
    await held.waits(1);
    const removed = remove(id).catch((error: unknown) => error);
    await held.waits(2);
    await held.release();

    await shown;

    expect(await removed).toMatchObject(IN_USE);
    expect(await usages(id)).toEqual(['PRODUCT_HOVER_IMAGE']);
  });

  test('disappears from a product if the deletion was first', async () => {
    const { id } = await pictures.upload();
    const held = await holdTable(database.db, 'audit_entry');
    const removed = remove(id);
    await held.waits(1);
    const shown = show({ gallery: [id] }).catch((error: unknown) => error);
    await held.waits(2);
    await held.release();

    await removed;

    expect(await shown).toMatchObject({
      kind: 'validation',
      details: { errors: [{ field: 'gallery.0', code: 'not_found' }] },
    });
  });
});

describe('a new focal point', () => {
  test('[MED-6] crops the picture before the answer, menus follow, and old files stay for old menus', async () => {
    const before = await pictures.upload(300, 100);
    await show({ mainImageId: before.id });
    await build();
    expect(await servedAddresses()).toContain(shortUrl(card(before)));

    const after = await focus(before, 0);

    expect(after).toMatchObject({ focalPoint: { x: 0, y: 0.5 }, version: 2 });
    expect(card(after)).not.toBe(card(before));
    expect(await readColor(card(before))).toBe('both');
    expect(await readColor(card(after))).toBe('left');
    expect(await dirty()).toBe(true);
    await build();
    expect(await servedAddresses()).toContain(shortUrl(card(after)));
    // The previous revision is kept, so its pictures stay.
    expect(await forget(2)).toBe(0);
    expect(await pictures.file(card(before))).toBeDefined();
    await deleteRows(database.db, 'snapshot_revision', { supersededAt: not(null) });
    expect(await forget(0)).toBe(0);
    // A build from before the change may be published within an hour.
    await updateRows(database.db, 'snapshot_revision', {
      publishedAt: plus('publishedAt', '1 hour'),
    });
    expect(await forget(0)).toBe(1);
  });

  test('changes no menu if none shows the picture', async () => {
    const media = await pictures.upload();
    await updateRows(database.db, 'snapshot_request', { builtSeq: column('dirtySeq') });

    await focus(media, 1);

    expect(await dirty()).toBe(false);
  });

  test('returns to the original URLs if it is the center, and null is the center', async () => {
    const first = await pictures.upload();
    const moved = await focus(first, 0.1);

    const back = await updateMedia(pictures.deps, STAFF, first.id, {
      version: moved.version,
      focalPoint: null,
    });

    expect(back.renditions).toEqual(first.renditions);
    expect(await pictures.file(back.url)).toBeDefined();
  });

  test('succeeds in one of two concurrent edits, and the other receives the version', async () => {
    const media = await pictures.upload();
    const held = await holdRow(database.db, 'media', media.id);
    const both = Promise.allSettled([focus(media, 0), focus(media, 1)]);
    await held.waits(2);
    await held.release();

    const results = await both;

    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map((result) => result.reason as unknown)).toMatchObject([
      { kind: 'version-conflict', details: { extra: { currentVersion: 2 } } },
    ]);
    expect(await getMedia(database.db, media.id)).toMatchObject({ version: 2 });
  });

  test('changes nothing if its row is not written, and the next attempt succeeds', async () => {
    const media = await pictures.upload();
    const outdated = { ...media, version: media.version };
    await updateMedia(pictures.deps, STAFF, media.id, { version: 1, alt: 'Суп' });
    await expect(focus(outdated, 0)).rejects.toMatchObject({ kind: 'version-conflict' });

    const now = await getMedia(database.db, media.id);
    expect(now.renditions).toEqual(media.renditions);
    expect(await focus(now, 0)).toMatchObject({ version: 3, alt: 'Суп' });
  });
});

describe('a published menu with a picture that was deleted later', () => {
  test('can be shown again with the picture, whose files stay as long as the menu is kept', async () => {
    const [old, present] = [await pictures.upload(), await pictures.upload()];
    await show({ mainImageId: old.id });
    const { revision } = await build();
    await show({ mainImageId: present.id });
    await build();
    await remove(old.id);

    expect(await forget(30)).toBe(0);
    await pinRevision(deps, STAFF, place.organizationId, {
      revision: revision ?? 0,
      reason: 'Сбой',
      until: new Date(Date.now() + 3_600_000),
    });
    await build();

    expect(await servedAddresses()).toContain(shortUrl(card(old)));
    expect(await pictures.file(card(old))).toBeDefined();
  });

  test('releases the files when no kept revision shows them', async () => {
    const [old, present] = [await pictures.upload(), await pictures.upload()];
    await show({ mainImageId: old.id });
    await build();
    await show({ mainImageId: present.id });
    await build();
    await remove(old.id);
    expect(await forget(0)).toBe(0);
    await deleteRows(database.db, 'snapshot_revision', { supersededAt: not(null) });

    expect(await forget(0)).toBe(0);
    expect(await forget(2)).toBe(1);
  });
});

describe('the base URL of images', () => {
  const BASE = 'https://cdn.example/shop';
  afterEach(() => deleteRows(database.db, 'media_base'));

  test('[SNP-54, MED-11] rebuilds every menu once after a change, for any number of starting processes', async () => {
    const media = await pictures.upload();
    await show({ mainImageId: media.id });
    await recordMediaBase(deps, null);
    await build();
    await updateRows(database.db, 'snapshot_request', { builtSeq: column('dirtySeq') });

    const changes = await Promise.all([recordMediaBase(deps, BASE), recordMediaBase(deps, BASE)]);

    expect(changes.filter(Boolean)).toEqual([true]);
    expect(await dirty()).toBe(true);
    expect(await build()).toMatchObject({ outcome: 'PUBLISHED', pending: false });
    expect(await servedAddresses()).toEqual([`${BASE}${shortUrl(card(media))}`]);
    expect(await recordMediaBase(deps, BASE)).toBe(false);

    expect(await recordMediaBase(deps, null)).toBe(true);
    await build();
    expect(await servedAddresses()).toEqual([shortUrl(card(media))]);
  });

  test('[SNP-55] rebuilds a menu that was read before the change and published after it', async () => {
    await recordMediaBase(deps, null);
    await build();
    const prepared = await prepareSnapshot(database.db, place.organizationId, new Date());
    await recordMediaBase(deps, BASE);

    expect(prepared).toMatchObject({ kind: 'READY' });
    expect(await publishSnapshot(database.db, prepared as PreparedSnapshot)).toMatchObject({
      pending: true,
    });
  });
});

describe('the data of a picture in a menu', () => {
  const shownImage = async () => {
    await build();
    const row = await selectRow(database.db, 'snapshot', ['payload'], {
      organizationId: place.organizationId,
    });
    return (JSON.parse(row.payload.toString('utf8')) as Menu).products[0]!.images.main;
  };

  test('[MED-14] follow a new text of staff by a rebuild, and null removes the text', async () => {
    const media = await pictures.upload();
    await show({ mainImageId: media.id });
    expect(await shownImage()).not.toHaveProperty('alt');

    const described = await updateMedia(pictures.deps, STAFF, media.id, {
      version: media.version,
      alt: 'Borscht',
    });

    expect(await dirty()).toBe(true);
    expect(await shownImage()).toMatchObject({ alt: 'Borscht' });
    await updateMedia(pictures.deps, STAFF, media.id, { version: described.version, alt: null });
    expect(await shownImage()).not.toHaveProperty('alt');
  });

  test('[MED-14] follow a text that is set together with the same picture', async () => {
    const bytes = await newPicture(300, 100);
    const upload = (alt?: string) =>
      uploadMedia(
        pictures.deps,
        STAFF,
        { originalName: 'soup.png', bytes, ...(alt === undefined ? {} : { alt }) },
        null,
      );
    const { media } = await upload();
    await show({ mainImageId: media.id });
    await shownImage();
    await upload('Borscht');

    expect(await dirty()).toBe(true);
    expect(await shownImage()).toMatchObject({ alt: 'Borscht' });
  });

  test('[MED-15] omit AVIF for a picture of a former release until its focal point changes', async () => {
    const media = await pictures.upload();
    await show({ mainImageId: media.id });
    const renditions = media.renditions.filter(({ format }) => format !== 'avif');
    await updateRows(database.db, 'media', { renditions }, { id: media.id });
    expect(await shownImage()).toEqual({
      id: media.id,
      url: shortUrl(card(media)),
      srcset: `${shortUrl(card(media))} 1x`,
      width: 100,
      height: 100,
    });

    const moved = await focus(media, 0);

    expect(await shownImage()).toMatchObject({ url: shortUrl(card(moved)), avif: true });
    expect(await pictures.file(card(moved).replace('.webp', '.avif'))).toBeDefined();
  });
});

/** The part of `newPicture` that a crop shows. */
async function readColor(url: string): Promise<'left' | 'both'> {
  const { data, info } = await sharp(await pictures.file(url))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const last = [
    ...data.subarray((info.width - 2) * info.channels, (info.width - 1) * info.channels),
  ];
  return (last[2] ?? 0) > 200 ? 'left' : 'both';
}
