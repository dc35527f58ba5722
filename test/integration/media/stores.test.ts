import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import S3rver from '@20minutes/s3rver';
import { localMediaStore } from '../../../platform/media-store-disk.ts';
import { s3MediaStore } from '../../../platform/media-store-s3.ts';
import type { MediaStore } from '../../../platform/media-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BUCKET = 'carte-media';
let folder: string;
let server: S3rver;
let port: number;
const s3 = (endpoint: string, bucket: string) =>
  s3MediaStore({ endpoint, region: 'us-east-1', bucket, accessKey: 'S3RVER', secretKey: 'S3RVER' });

beforeAll(async () => {
  folder = await temporaryFolder('stores');
  server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    directory: join(folder, 's3'),
    silent: true,
    // It signs the address of a bucket without its last slash, unlike the SDK.
    allowMismatchedSignatures: true,
    configureBuckets: [BUCKET, 'listed', 'emptied'].map((name) => ({ name, configs: [] })),
  });
  ({ port } = await server.run());
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Each kind of store: an empty one of this name, and one that does not answer. */
const STORES: readonly [string, (name: string) => MediaStore, () => Promise<MediaStore>][] = [
  [
    'a folder',
    (name) => localMediaStore(join(folder, name)),
    async () => {
      await writeFile(join(folder, 'no-folder'), '');
      return localMediaStore(join(folder, 'no-folder'));
    },
  ],
  [
    'S3-compatible storage',
    (name) => s3(`http://127.0.0.1:${port}`, name),
    async () => s3('http://127.0.0.1:9', BUCKET),
  ],
];
const put = (store: MediaStore, key: string, text = 'picture') => store.put(key, Buffer.from(text), 'image/webp');
/** Keys of the whole store, page by page. */
async function keys(store: MediaStore, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let after: string | null = null;
  do {
    const page = await store.list({ after, limit });
    pages.push(page.files.map((file) => file.key));
    after = page.next;
  } while (after !== null);
  return pages;
}

describe.each(STORES)('a media store in %s', (_, open, away) => {
  test('gives back the bytes that were put', async () => {
    const store = open(BUCKET);
    await put(store, 'ab/cd/card.webp');

    const found = await store.find('ab/cd/card.webp');

    expect(found?.bytes).toBe(7);
    expect((await buffer(await found!.read())).toString()).toBe('picture');
  });

  test('knows that a key was never put', async () => {
    expect(await open(BUCKET).find('ab/none.webp')).toBeUndefined();
  });

  test('does not write a key again: it names its content', async () => {
    const store = open(BUCKET);
    await put(store, 'once.webp', 'first');
    await put(store, 'once.webp', 'other');

    const found = await store.find('once.webp');

    expect((await buffer(await found!.read())).toString()).toBe('first');
  });

  test('shows a key that many put at once whole, once', async () => {
    const store = open(BUCKET);
    const text = 'x'.repeat(200_000);
    await Promise.all(Array.from({ length: 5 }, () => put(store, 'many/at-once.webp', text)));

    const found = await store.find('many/at-once.webp');

    expect((await buffer(await found!.read())).toString()).toBe(text);
  });

  test('lists every file once in pages, also when files go between them', async () => {
    const store = open('listed');
    const all = [
      'originals/1.png',
      'originals/2.png',
      'renditions/a/x.webp',
      'renditions/a/y.webp',
      'renditions/b/x.webp',
    ];
    for (const key of all) await put(store, key);
    const before = Date.now() - 60_000;

    expect((await keys(store, 100)).flat()).toEqual(all);
    const pages = await keys(store, 2);
    expect(pages.flat()).toEqual(all);
    expect(Math.max(...pages.map((page) => page.length))).toBe(2);
    const [first] = (await store.list({ after: null, limit: 1 })).files;
    expect(first).toMatchObject({ key: 'originals/1.png', bytes: 7, isDraft: false });
    expect(first!.writtenAt.getTime()).toBeGreaterThan(before);

    const { next } = await store.list({ after: null, limit: 3 });
    for (const key of all.slice(0, 4)) await store.remove(key);
    expect((await store.list({ after: next, limit: 100 })).files.map((file) => file.key)).toEqual(all.slice(4));
  });

  test('removes a file, and what is not there as well; the key can be put again', async () => {
    const store = open('emptied');
    await put(store, 'renditions/a/x.webp', 'first');

    await store.remove('renditions/a/x.webp');
    await store.remove('renditions/a/x.webp');

    expect(await store.find('renditions/a/x.webp')).toBeUndefined();
    expect((await keys(store, 10)).flat()).toEqual([]);
    await put(store, 'renditions/a/x.webp', 'again');
    expect((await store.find('renditions/a/x.webp'))?.bytes).toBe(5);
  });

  test.each<[string, (store: MediaStore) => Promise<unknown>]>([
    ['put', (store) => put(store, 'a/b.webp')],
    ['remove', (store) => store.remove('a/b.webp')],
    ['list', (store) => store.list({ after: null, limit: 10 })],
  ])('that does not answer says so: %s', async (_name, call) => {
    await expect(call(await away())).rejects.toMatchObject({ code: 'MEDIA_STORE' });
  });
});
