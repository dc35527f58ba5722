import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { s3MediaStore, type S3Settings } from '../../../platform/media-store-s3.ts';
import { prepareMediaBucket } from '../../../platform/prepare-media-bucket.ts';
import { S3_ACCESS, startS3 } from '../../support/s3-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let server: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  folder = await temporaryFolder('bucket');
  server = await startS3(join(folder, 's3'), []);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = (bucket: string, endpoint = server.url): S3Settings => ({
  endpoint,
  region: 'us-east-1',
  bucket,
  accessKey: S3_ACCESS,
  secretKey: S3_ACCESS,
});

test('[OPS-31] a bucket is created once, in concurrent and repeated calls', async () => {
  const put = () =>
    s3MediaStore(settings('made')).put('a/b.webp', Buffer.from('picture'), 'image/webp');
  await expect(put()).rejects.toThrow('Media store');

  expect(await prepareMediaBucket(settings('made'))).toBe('created');
  expect(await prepareMediaBucket(settings('made'))).toBe('found');
  await put();
  const atOnce = await Promise.all([1, 2, 3, 4].map(() => prepareMediaBucket(settings('at-once'))));
  expect(new Set(atOnce)).toEqual(
    new Set(atOnce.includes('found') ? ['created', 'found'] : ['created']),
  );
});

test('a storage that does not answer is reported in one sentence with the name of the bucket', async () => {
  await expect(prepareMediaBucket(settings('made', 'http://127.0.0.1:9'))).rejects.toThrow(
    /^The storage at http:\/\/127\.0\.0\.1:9 does not give the bucket "made" \(.+\); check the settings MEDIA_S3_….$/,
  );
});
