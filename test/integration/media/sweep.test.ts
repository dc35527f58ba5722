import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deleteMedia } from '../../../modules/media/delete-media.ts';
import { toStoredFile } from '../../../modules/media/media-urls.ts';
import type { MediaView } from '../../../modules/media/media-rows.ts';
import { sweepMedia, type SweepDeps } from '../../../modules/media/sweep-media.ts';
import { updateMedia } from '../../../modules/media/update-media.ts';
import { uploadMedia } from '../../../modules/media/upload-media.ts';
import { createFailpoints } from '../../../platform/failpoint.ts';
import type { MediaStore } from '../../../platform/media-store.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { parseSamples } from '../../support/metrics-text.ts';
import { newPicture, pictureFixture, type Pictures } from '../../support/pictures.ts';
import { holdTable } from '../../support/races.ts';
import { countRows, deleteRows, plus, selectRow, updateRows } from '../../support/rows.ts';

const HOUR = 3_600_000;
const FILES = 9;
let database: Awaited<ReturnType<typeof migratedDatabase>>;
let pictures: Pictures;
let deps: SweepDeps & { metrics: ReturnType<typeof createMetrics> };
let logged: { msg: string }[];

beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of ['media_claim', 'media_retired', 'media'] as const)
    await deleteRows(database.db, table);
  pictures = await pictureFixture(database.db);
  logged = [];
  deps = {
    db: database.db,
    mediaStore: async () => pictures.deps.media.store,
    orphanGraceMs: 24 * HOUR,
    metrics: createMetrics('test'),
    failpoint: createFailpoints(null),
    log: createLog({
      service: 'test',
      level: 'info',
      destination: {
        write: (line: string) => void logged.push(JSON.parse(line) as { msg: string }),
      },
    }),
  };
});
afterEach(() => pictures.close());

const files = async () =>
  (await readdir(pictures.folder, { recursive: true, withFileTypes: true }))
    .filter((dirent) => dirent.isFile())
    .map((dirent) => join(dirent.parentPath, dirent.name).slice(pictures.folder.length + 1))
    .toSorted();
/** Simulates hours that pass: files are older, and claims have expired. */
async function pass(hours: number): Promise<void> {
  const then = new Date(Date.now() - hours * HOUR);
  for (const file of await files()) await utimes(join(pictures.folder, file), then, then);
  await updateRows(database.db, 'media_claim', { until: plus('until', `-${hours} hours`) });
}
const place = async (key: string) => {
  await mkdir(dirname(join(pictures.folder, key)), { recursive: true });
  await writeFile(join(pictures.folder, key), 'x');
};
async function sweep(limit = 500, over: Partial<SweepDeps> = {}): Promise<number> {
  let [after, removed]: [string | null, number] = [null, 0];
  do {
    const swept = await sweepMedia({ ...deps, ...over }, { after, limit });
    after = swept.next;
    removed += swept.removed;
  } while (after !== null);
  return removed;
}
function pausing(store: MediaStore) {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const paused: MediaStore = {
    ...store,
    async remove(key) {
      begun.resolve();
      await goOn.promise;
      await store.remove(key);
    },
  };
  return { store: async () => paused, begun: begun.promise, goOn: goOn.resolve };
}
const removeRow = (id: number) => deleteRows(database.db, 'media', { id });
const upload = (bytes: Buffer) =>
  uploadMedia(pictures.deps, STAFF, { originalName: 'soup.png', bytes }, null);
const allServed = async (media: MediaView) =>
  Promise.all(media.renditions.map(async ({ url }) => (await pictures.file(url)) !== undefined));

describe('the sweep of files without a picture', () => {
  test('keeps files of pictures and kept menus, young and unrelated files, in batches of any size', async () => {
    const shown = await pictures.upload();
    const deleted = await pictures.upload();
    const focused = await pictures.upload();
    await updateMedia(pictures.deps, STAFF, focused.id, { version: 1, focalPoint: { x: 0, y: 0 } });
    await deleteMedia(pictures.deps, STAFF, deleted.id);
    await place('readme.txt');
    await place('originals/readme.txt');
    await pass(48);
    const before = await files();
    const young = await pictures.upload();
    await removeRow(young.id);

    // The original of a deleted picture is not needed for crops.
    expect(await sweep(7)).toBe(1);

    expect((await files()).length).toBe(before.length - 1 + young.renditions.length + 1);
    expect(await allServed(shown)).not.toContain(false);
    expect(await allServed(deleted)).not.toContain(false);
    expect(await allServed(focused)).not.toContain(false);
    expect(
      await updateMedia(pictures.deps, STAFF, shown.id, { version: 1, focalPoint: { x: 1, y: 1 } }),
    ).toMatchObject({ version: 2 });
  });

  test('[MED-8] removes crashed uploads, unused crops, deleted pictures and drafts, with their folders', async () => {
    const shown = await pictures.upload();
    const lost = await files();
    const [crashed, deleted] = [await pictures.upload(), await pictures.upload()];
    await removeRow(crashed.id);
    await deleteMedia(pictures.deps, STAFF, deleted.id);
    const moved = await updateMedia(pictures.deps, STAFF, shown.id, {
      version: 1,
      focalPoint: { x: 0, y: 0 },
    });
    await deleteRows(database.db, 'media_retired');
    await place(`originals/${'a'.repeat(64)}.png.1.part`);
    const [original = ''] = lost;
    await place(`${original}.2.part`);
    await pass(25);

    const removed = await sweep(5);

    expect(removed).toBe(3 * shown.renditions.length + 2 + 2);
    expect(await files()).toEqual(
      [original, ...moved.renditions.map(({ url }) => toStoredFile(url)?.key ?? '')].toSorted(),
    );
    expect(await readdir(join(pictures.folder, 'renditions'))).toHaveLength(1);
    expect(await countRows(database.db, 'media_claim', { purpose: 'SWEEP' })).toBe(0);
    expect(await sweep()).toBe(0);
    const counted = parseSamples(await deps.metrics.registry.metrics())
      .filter(({ name }) => name === 'carte_media_files_removed_total')
      .map(({ labels, value }) => [labels['what'], value]);
    expect(Object.fromEntries(counted)).toEqual({
      original: 4,
      rendition: 3 * shown.renditions.length,
    });
    expect(logged.map((line) => line.msg)).toContain('files without media removed');
  });

  test('deletes nothing if the database has no picture at all', async () => {
    const { id } = await pictures.upload();
    await removeRow(id);
    await pass(48);

    expect(await sweep()).toBe(0);

    expect(logged).toMatchObject([{ level: 40, files: FILES }]);
  });

  test('keeps its lease after an interruption until it expires, and then removes the remaining files', async () => {
    await pictures.upload();
    const bytes = await newPicture(300, 100);
    const { media } = await upload(bytes);
    await removeRow(media.id);
    await pass(48);
    const { store } = pictures.deps.media;
    let removals = 0;
    const failing: MediaStore = {
      ...store,
      remove: async (key) =>
        (removals += 1) > 3 ? Promise.reject(new Error('gone')) : store.remove(key),
    };

    await expect(sweep(500, { mediaStore: async () => failing })).rejects.toThrow('gone');
    // A removal without an answer may still be executed.
    await expect(upload(bytes)).rejects.toMatchObject({ kind: 'busy' });
    expect(await sweep()).toBe(0);
    await pass(48);

    expect(await sweep()).toBe(media.renditions.length + 1 - 3);
    expect(await allServed((await upload(bytes)).media)).not.toContain(false);
  });
});

describe('an upload of a picture that a sweep removes', () => {
  let bytes: Buffer;
  beforeEach(async () => {
    await pictures.upload();
    bytes = await newPicture(300, 100);
    await removeRow((await upload(bytes)).media.id);
    await pass(48);
  });

  test('keeps its files if it began first, although no row has them yet', async () => {
    const held = await holdTable(database.db, 'media');
    const uploaded = upload(bytes);
    await held.waits(1);

    expect(await sweep()).toBe(0);

    await held.release();
    expect(await allServed((await uploaded).media)).not.toContain(false);
  });

  test('fails as busy while the sweep removes the files, and writes them again later', async () => {
    const pause = pausing(pictures.deps.media.store);
    const swept = sweep(500, { mediaStore: pause.store });
    await pause.begun;

    const refused = await upload(bytes).catch((error: unknown) => error);
    pause.goOn();

    expect(refused).toMatchObject({ kind: 'busy', details: { headers: { 'Retry-After': '2' } } });
    expect(await swept).toBe(FILES);
    expect(await allServed((await upload(bytes)).media)).not.toContain(false);
  });

  test('remains unaffected by a second sweep, which does not end the lease of the first', async () => {
    const pause = pausing(pictures.deps.media.store);
    const swept = sweep(500, { mediaStore: pause.store });
    await pause.begun;

    expect(await sweep()).toBe(0);
    const refused = await upload(bytes).catch((error: unknown) => error);
    pause.goOn();

    expect(refused).toMatchObject({ kind: 'busy' });
    expect(await swept).toBe(FILES);
  });

  test('keeps a file whose row appears between the selection and the lease', async () => {
    const { id, renditions } = await pictures.upload();
    const hidden = '0'.repeat(64);
    const row = await selectRow(database.db, 'media', ['sha256'], { id });
    const show = (sha256: string, shown: typeof renditions) =>
      updateRows(database.db, 'media', { sha256, renditions: shown }, { id });
    await show(hidden, []);
    await pass(48);
    const held = await holdTable(database.db, 'media_claim');
    const swept = sweep();
    await held.waits(1);
    await show(row.sha256, renditions);
    await held.release();

    expect(await swept).toBe(FILES);

    expect(await Promise.all(renditions.map(({ url }) => pictures.file(url)))).not.toContain(
      undefined,
    );
  });
});
