import { rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import S3rver from '@20minutes/s3rver';
import { s3MediaStore } from '../../../platform/media-store-s3.ts';
import type { MediaStore } from '../../../platform/media-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let server: S3rver;
let store: MediaStore;
beforeAll(async () => {
  folder = await temporaryFolder('s3');
  server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    directory: folder,
    silent: true,
    configureBuckets: [{ name: 'carte-media', configs: [] }],
  });
  const { port } = await server.run();
  store = s3MediaStore({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'carte-media',
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a media store in S3-compatible storage', () => {
  test('gives back the bytes that were put', async () => {
    await store.put('ab/cd/card.webp', Buffer.from('picture'), 'image/webp');

    const found = await store.find('ab/cd/card.webp');

    expect(found?.bytes).toBe(7);
    expect((await buffer(await found!.read())).toString()).toBe('picture');
  });

  test('knows that a key was never put', async () => {
    expect(await store.find('ab/none.webp')).toBeUndefined();
  });

  test('does not write a key again: it names its content', async () => {
    await store.put('once.webp', Buffer.from('first'), 'image/webp');
    await store.put('once.webp', Buffer.from('other'), 'image/webp');

    const found = await store.find('once.webp');

    expect((await buffer(await found!.read())).toString()).toBe('first');
  });
});
