import { request as httpRequest } from 'node:http';
import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import sharp from 'sharp';
import { mediaRoutes } from '../../../api/admin/media/media.ts';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { createHttpServer } from '../../../api/http/server.ts';
import { createMedia } from '../../../modules/media/media-uses.ts';
import { MEDIA_USES } from '../../../modules/media-uses.ts';
import { MAX_UPLOAD_BYTES } from '../../../modules/media/rules/accepted.ts';
import { shortUrl } from '../../../modules/media/rules/short-url.ts';
import type { AdminClient } from '../../support/admin-client.ts';
import { readImageHeader } from '../../../modules/media/images.ts';
import { localMediaStore } from '../../../platform/media-store-disk.ts';
import { s3MediaStore } from '../../../platform/media-store-s3.ts';
import { MediaStoreFailure, type MediaStore } from '../../../platform/media-store.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { readProblem, uploader, type UploadedMedia } from '../../support/uploads.ts';
import { selectRows } from '../../support/rows.ts';

/** Pictures that are processed, plus pictures in the queue. */
const PLACES = 2 + 8;

let api: TestApi;
let admin: AdminClient;
let upload: Awaited<ReturnType<typeof uploader>>['upload'];
let send: Awaited<ReturnType<typeof uploader>>['send'];

beforeAll(async () => {
  api = await startTestApi({ routes: [...authRoutes, ...mediaRoutes] });
  ({ admin, upload, send } = await uploader(api));
});
afterAll(() => api.stop());

let shade = 0;
function picture(width: number, height: number): ReturnType<typeof sharp> {
  shade += 1;
  return sharp({ create: { width, height, channels: 3, background: { r: shade, g: 120, b: 40 } } });
}

describe('an upload of a picture', () => {
  test('[MED-2, MED-13] returns every rendition, and serves each as described', async () => {
    const response = await upload(await picture(1400, 1300).jpeg().toBuffer());
    expect(response.status).toBe(201);
    const media = (await response.json()) as UploadedMedia;

    expect(Object.keys(media).toSorted()).toEqual(['height', 'id', 'renditions', 'url', 'width']);
    expect(media).toMatchObject({ width: 1400, height: 1300 });
    expect(
      media.renditions
        .map((rendition) => `${rendition.name}@${rendition.density}.${rendition.format}`)
        .toSorted(),
    ).toEqual([
      'card@1.avif',
      'card@1.jpeg',
      'card@1.webp',
      'card@2.avif',
      'card@2.jpeg',
      'card@2.webp',
      'card@3.jpeg',
      'card@3.webp',
      'full@1.jpeg',
      'full@1.webp',
      'thumb@1.avif',
      'thumb@1.jpeg',
      'thumb@1.webp',
      'thumb@2.avif',
      'thumb@2.jpeg',
      'thumb@2.webp',
    ]);
    for (const rendition of media.renditions) {
      const file = await fetch(api.url + rendition.url);
      const bytes = Buffer.from(await file.arrayBuffer());
      // Menus have a shorter URL for the same file.
      const short = await fetch(api.url + shortUrl(rendition.url));
      expect(shortUrl(rendition.url).length).toBeLessThan(rendition.url.length);
      expect(short.headers.get('etag')).toBe(file.headers.get('etag'));
      expect(Buffer.from(await short.arrayBuffer()).equals(bytes)).toBe(true);
      expect(file.status).toBe(200);
      expect(file.headers.get('content-type')).toBe(`image/${rendition.format}`);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(bytes).toHaveLength(rendition.bytes);
      const { width, height, format, compression } = await sharp(bytes).metadata();
      expect({ width, height, format: compression === 'av1' ? 'avif' : format }).toEqual({
        width: rendition.width,
        height: rendition.height,
        format: rendition.format,
      });
    }
  });

  test('[MED-16] creates AVIF files that are smaller than the webp files of a real picture', async () => {
    const response = await upload(await readFile('docs/images/shop.webp'));
    const { renditions } = (await response.json()) as UploadedMedia;
    const listSizes = (wanted: string) =>
      Object.fromEntries(
        renditions
          .filter(({ format }) => format === wanted)
          .map((rendition) => [`${rendition.name}@${rendition.density}`, rendition.bytes]),
      );
    const [avif, webp] = [listSizes('avif'), listSizes('webp')];

    expect(Object.keys(avif)).toEqual(expect.arrayContaining(['card@1', 'thumb@1', 'thumb@2']));
    for (const [name, bytes] of Object.entries(avif))
      expect(bytes).toBeLessThan(0.85 * webp[name]!);
  });

  test.each(['png', 'webp', 'jpeg'] as const)(
    '[MED-1] accepts %s by its content, with any name',
    async (format) => {
      const bytes = await picture(40, 30).toFormat(format).toBuffer();
      const response = await upload(bytes, { name: 'notes.txt', type: 'text/plain' });
      expect(response.status).toBe(201);
      const { id } = (await response.json()) as UploadedMedia;
      expect(await admin.get(`/media/${id}`)).toMatchObject({
        mime: `image/${format}`,
        originalName: 'notes.txt',
      });
    },
  );

  test('[MED-2] rotates the picture upright and removes its metadata', async () => {
    const bytes = await picture(300, 200)
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(bytes).metadata()).orientation).toBe(6);

    const media = (await (await upload(bytes)).json()) as UploadedMedia;

    expect(media).toMatchObject({ width: 200, height: 300 });
    const file = Buffer.from(await (await fetch(api.url + media.url)).arrayBuffer());
    const metadata = await sharp(file).metadata();
    expect(metadata).toMatchObject({ width: 200, height: 300 });
    expect(metadata.exif).toBeUndefined();
    expect(metadata.orientation).toBeUndefined();
  });

  test('keeps transparency if the format supports it, and adds a white background otherwise', async () => {
    const bytes = await sharp({
      create: {
        width: 60,
        height: 60,
        channels: 4,
        background: { r: 0, g: 0, b: shade, alpha: 0 },
      },
    })
      .png()
      .toBuffer();
    const media = (await (await upload(bytes)).json()) as UploadedMedia;
    const corner = async (format: string) => {
      const { url } = media.renditions.find(
        (rendition) => rendition.name === 'full' && rendition.format === format,
      )!;
      const file = Buffer.from(await (await fetch(api.url + url)).arrayBuffer());
      return [
        ...(await sharp(file).raw().toBuffer()).subarray(
          0,
          (await sharp(file).metadata()).channels,
        ),
      ];
    };
    expect((await corner('webp'))[3]).toBe(0);
    expect(await corner('jpeg')).toEqual([255, 255, 255]);
  });

  test('[MED-9] sets the given folder and text of stored content, and keeps other values', async () => {
    const bytes = await picture(41, 43).png().toBuffer();
    const { id } = (await (
      await upload(bytes, { fields: { folder: 'Пицца', alt: 'Старый' } })
    ).json()) as UploadedMedia;
    const seen = async () =>
      await admin.get<{ folder: string; alt: string | null; version: number }>(`/media/${id}`);
    const again = async (fields: Record<string, string>) =>
      (await upload(bytes, { fields })).status;

    expect(await again({ folder: ' Супы/Борщ/ ', alt: 'Новый' })).toBe(200);
    expect(await seen()).toMatchObject({ folder: 'Супы/Борщ', alt: 'Новый', version: 2 });
    expect(await again({})).toBe(200);
    expect(await again({ folder: 'Супы/Борщ', alt: 'Новый' })).toBe(200);
    expect(await seen()).toMatchObject({ folder: 'Супы/Борщ', alt: 'Новый', version: 2 });
    expect(await again({ alt: 'Борщ' })).toBe(200);
    expect(await seen()).toMatchObject({ folder: 'Супы/Борщ', alt: 'Борщ', version: 3 });
    expect(await again({ folder: '' })).toBe(200);
    expect(await seen()).toMatchObject({ folder: '', alt: 'Борщ', version: 4 });
    const audit = await selectRows(api.deps.db, 'audit_entry', ['action'], {
      entityType: 'media',
      entityId: String(id),
    });
    expect(audit.map(({ action }) => action).toSorted()).toEqual([
      'create',
      'update',
      'update',
      'update',
    ]);
  });

  test('[MED-3] creates one media for equal content, also in concurrent uploads', async () => {
    const bytes = await picture(500, 400).jpeg().toBuffer();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, at) => upload(bytes, { name: `copy-${at}.jpg` })),
    );
    const media = (await Promise.all(answers.map((answer) => answer.json()))) as UploadedMedia[];

    expect(answers.map((answer) => String(answer.status)).toSorted()).toEqual([
      '200',
      '200',
      '200',
      '201',
    ]);
    expect(new Set(media.map((entry) => entry.id)).size).toBe(1);
    expect((await upload(bytes)).status).toBe(200);
    const rows = await selectRows(api.deps.db, 'media', ['id'], { id: media[0]!.id });
    expect(rows).toHaveLength(1);
    const audit = await selectRows(api.deps.db, 'audit_entry', '*', {
      entityType: 'media',
      entityId: String(media[0]!.id),
    });
    expect(audit).toHaveLength(1);
  });
});

describe('an unusual picture', () => {
  const noisy = (width: number, height: number) =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#999',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    });
  const shown = async (response: Response, format = 'jpeg') => {
    expect(response.status).toBe(201);
    const media = (await response.json()) as UploadedMedia;
    const { url } = media.renditions.find(
      (rendition) => rendition.name === 'full' && rendition.format === format,
    )!;
    return { media, bytes: Buffer.from(await (await fetch(api.url + url)).arrayBuffer()) };
  };

  test.each<[string, () => Promise<Buffer>]>([
    ['with 16 bits a channel', () => noisy(40, 30).toColourspace('rgb16').png().toBuffer()],
    ['for print (CMYK)', () => noisy(40, 30).toColourspace('cmyk').jpeg().toBuffer()],
    ['in grey', () => noisy(40, 30).greyscale().toColourspace('b-w').png().toBuffer()],
    ['with a palette', () => noisy(40, 30).png({ palette: true }).toBuffer()],
    ['that loads progressively', () => noisy(40, 30).jpeg({ progressive: true }).toBuffer()],
    ['with interlaced lines', () => noisy(40, 30).png({ progressive: true }).toBuffer()],
    ['with another colour profile', () => noisy(40, 30).withIccProfile('p3').jpeg().toBuffer()],
    [
      'with an archive behind it',
      async () =>
        Buffer.concat([await noisy(40, 30).jpeg().toBuffer(), Buffer.from('PK\u0003\u0004secret')]),
    ],
  ])('appears as plain sRGB without metadata: %s', async (_, make) => {
    const { media, bytes } = await shown(await upload(await make()));
    expect(media).toMatchObject({ width: 40, height: 30 });
    const metadata = await sharp(bytes).metadata();
    expect(metadata).toMatchObject({
      format: 'jpeg',
      space: 'srgb',
      channels: 3,
      depth: 'uchar',
      hasProfile: false,
    });
    expect(bytes.includes('secret')).toBe(false);
  });

  test('appears as its first frame if it is animated', async () => {
    const frames = [await noisy(40, 30).png().toBuffer(), await noisy(40, 30).png().toBuffer()];
    const moving = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(moving).metadata()).pages).toBe(2);

    const { media, bytes } = await shown(await upload(moving), 'webp');

    expect(media).toMatchObject({ width: 40, height: 30 });
    expect((await sharp(bytes).metadata()).pages).toBeUndefined();
  });

  test.each([
    [1, 1],
    [10_000, 1],
    [1, 10_000],
  ])('can have %i × %i pixels', async (width, height) => {
    const { media } = await shown(await upload(await picture(width, height).png().toBuffer()));
    expect(media).toMatchObject({ width, height });
  });

  test('loses location, camera, profile and comments in every rendition', async () => {
    const bytes = await noisy(500, 400)
      .withExif({
        IFD0: { Copyright: 'hidden-owner' },
        IFD3: { GPSLatitude: '59/1 56/1 0/1', GPSMapDatum: 'hidden-place' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">hidden-remark</x:xmpmeta>')
      .jpeg()
      .toBuffer();
    expect(bytes.includes('hidden-owner')).toBe(true);

    const { media } = await shown(await upload(bytes));

    for (const { url } of media.renditions) {
      const file = Buffer.from(await (await fetch(api.url + url)).arrayBuffer());
      const { exif, icc, xmp, iptc } = await sharp(file).metadata();
      expect([exif, icc, xmp, iptc, file.includes('hidden')]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
        false,
      ]);
    }
  });
});

test('the largest picture can be uploaded over a line of 1 Mbit/s', () => {
  const { requestTimeout } = createHttpServer({ hot: () => false, app: new Koa() });

  expect(requestTimeout / 1000).toBeGreaterThan((MAX_UPLOAD_BYTES * 8) / 1_000_000);
});

test('[HTTP-20] requests for missing files reach the store only a few times, and existing ones cost little', async () => {
  let asked = 0;
  const limited = await startTestApi({
    routes: [...authRoutes, ...mediaRoutes],
    deps: {
      media: createMedia({
        store: {
          ...api.deps.media.store,
          find: (key) => ((asked += 1), api.deps.media.store.find(key)),
        },
        uses: MEDIA_USES,
      }),
    },
    env: { TRUST_PROXY: 'on' },
  });
  const uploaded = (await (
    await upload(await picture(40, 40).png().toBuffer())
  ).json()) as UploadedMedia;
  const url = limited.url + uploaded.renditions[0]!.url;
  const readStatus = async (address: string, client: string) =>
    (await fetch(address, { headers: { 'x-forwarded-for': client } })).status;

  const statuses = new Map<number, number>();
  for (let at = 0; at < 1_000; at += 1) {
    const missing = `${limited.url}/media/${at.toString(16).padStart(24, '0')}/card.webp`;
    const status = await readStatus(missing, '203.0.113.7');
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const [askedForMissing, theirs] = [asked, await readStatus(url, '203.0.113.7')];
  const seen: number[] = [];
  for (let at = 0; at < 100; at += 1) seen.push(await readStatus(url, '203.0.113.8'));
  await limited.stop();

  expect(askedForMissing).toBeLessThan(50);
  expect([...statuses.keys()]).toEqual([404, 429]);
  expect(theirs).toBe(429);
  expect(seen).toEqual(Array.from({ length: 100 }, () => 200));
});

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\photos\\soup.png', 'soup.png'],
  ['суп 🍲.png', 'суп 🍲.png'],
  ['a\u202egnp.exe', 'agnp.exe'],
  ['  ', 'picture'],
  ['x'.repeat(400), 'x'.repeat(255)],
])('a file named %j appears as %j', async (name, shown) => {
  const response = await upload(await picture(9, 9).png().toBuffer(), { name });
  expect(response.status).toBe(201);
  const { id } = (await response.json()) as UploadedMedia;
  expect(await admin.get(`/media/${id}`)).toMatchObject({ originalName: shown });
});

describe('an unusable upload', () => {
  test.each([
    ['text', Buffer.from('not a picture at all'), 'unsupported_format'],
    [
      'a drawing',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      'unsupported_format',
    ],
    ['an empty file', Buffer.alloc(0), 'unsupported_format'],
    ['an archive', Buffer.from('504b0304140000000800', 'hex'), 'unsupported_format'],
    ['a page', Buffer.from('<html><script>alert(1)</script></html>'), 'unsupported_format'],
    ['the start of a jpeg', Buffer.from('ffd8ffe000104a464946', 'hex'), 'unsupported_format'],
    ['the start of a png', Buffer.from('89504e470d0a1a0a', 'hex'), 'unsupported_format'],
  ])('cannot be %s', async (_, bytes, code) => {
    expect(await readProblem(await upload(bytes))).toEqual({
      status: 422,
      kind: 'media-unreadable',
      codes: [code],
    });
  });

  test.each(['gif', 'tiff', 'avif'] as const)(
    'cannot be %s, and not even its header is read',
    async (format) => {
      const bytes = await picture(20, 20).toFormat(format).toBuffer();
      expect(await readImageHeader(bytes)).toBeUndefined();
      expect(await readProblem(await upload(bytes))).toMatchObject({
        kind: 'media-unreadable',
        codes: ['unsupported_format'],
      });
    },
  );

  test('creates no row if the picture is truncated', async () => {
    const noise = await sharp({
      create: {
        width: 800,
        height: 800,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer();
    const before = await admin.get<{ total: number }>('/media');
    const cut = noise.subarray(0, Math.floor(noise.length / 2));
    expect(await readProblem(await upload(cut))).toEqual({
      status: 422,
      kind: 'media-unreadable',
      codes: ['damaged'],
    });
    expect((await admin.get<{ total: number }>('/media')).total).toBe(before.total);
  });

  test('ends by its header if it has too many pixels, without being decoded', async () => {
    const flood = pngHeader(60_000, 60_000);
    // Nothing follows the header, so decoding would fail.
    expect(await readProblem(await upload(flood))).toEqual({
      status: 422,
      kind: 'media-unreadable',
      codes: ['too_many_pixels'],
    });
  });

  test('[MED-1] cannot have more than 10 MB, another field or no file', async () => {
    expect(await readProblem(await upload(Buffer.alloc(10 * 1024 * 1024 + 1)))).toMatchObject({
      kind: 'payload-too-large',
    });
    expect(
      await readProblem(
        await upload(await picture(9, 9).png().toBuffer(), { fields: { owner: 'me' } }),
      ),
    ).toMatchObject({
      kind: 'validation',
      codes: ['unknown_field'],
    });
    expect((await readProblem(await send(new FormData()))).status).toBeGreaterThanOrEqual(400);
  });

  test('cannot be a broken form, or one without the file, with two of them or with another field', async () => {
    const form = (...fields: [string, string | Blob][]) => {
      const made = new FormData();
      for (const [name, value] of fields) made.append(name, value);
      return made;
    };
    const file = new Blob([new Uint8Array(await picture(9, 9).png().toBuffer())]);
    expect(await readProblem(await send(form(['file', 'text'])))).toMatchObject({
      status: 422,
      codes: ['required'],
    });
    expect(await readProblem(await send(form(['file', file], ['file', file])))).toMatchObject({
      codes: ['max_items'],
    });
    expect(await readProblem(await send(form(['picture', file])))).toMatchObject({
      codes: ['unknown_field'],
    });
    const type = 'multipart/form-data; boundary=x';
    const broken =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf';
    expect(await readProblem(await send(broken, { 'content-type': type }))).toMatchObject({
      kind: 'malformed-body',
    });
    expect(
      await readProblem(await send('{}', { 'content-type': 'application/json' })),
    ).toMatchObject({ status: 415 });
  });

  async function upTo(most: number) {
    const { hostname, port } = new URL(api.url);
    const request = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/api/admin/v1/media',
      headers: {
        authorization: `Bearer ${admin.accessToken}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
    });
    const answered = Promise.withResolvers<number | undefined>();
    request.on('response', (response) => {
      response.resume();
      answered.resolve(response.statusCode);
    });
    let isOpen = true;
    request.on('close', () => (isOpen = false)).on('error', () => (isOpen = false));
    request.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n');
    let megabytes = 0;
    for (; isOpen && megabytes < most; megabytes += 1)
      await new Promise((next) => request.write(Buffer.alloc(1_048_576), next));
    const wasOpen = isOpen;
    request.destroy();
    return { megabytes, wasOpen, status: await answered.promise };
  }

  test('receives an answer and no reset if the file is four times too large', async () => {
    expect(await upTo(40)).toEqual({ megabytes: 40, wasOpen: true, status: 413 });
  });

  test('stops at the limit if it is endless', async () => {
    const { megabytes, wasOpen, status } = await upTo(500);
    expect({ wasOpen, status }).toEqual({ wasOpen: false, status: 413 });
    expect(megabytes).toBeLessThan(500);
  });
});

function fullAfter(files: number, store: MediaStore): MediaStore {
  let puts = 0;
  const full = () => Promise.reject(new MediaStoreFailure('cannot write'));
  return { ...store, put: (...file) => ((puts += 1) > files ? full() : store.put(...file)) };
}

test.each<[string, (usual: MediaStore) => MediaStore]>([
  ['in a folder that cannot be written', () => localMediaStore('/dev/null/store')],
  [
    'in a bucket that does not answer',
    () =>
      s3MediaStore({
        endpoint: 'http://127.0.0.1:9',
        region: 'x',
        bucket: 'b',
        accessKey: 'k',
        secretKey: 's',
      }),
  ],
  ['that is full after three files', (usual) => fullAfter(3, usual)],
])('an upload to a store %s logs an error and creates no row', async (_, broken) => {
  const usual = api.deps.media.store;
  const { total } = await admin.get<{ total: number }>('/media');
  const bytes = await picture(71, 31).png().toBuffer();
  api.logged.length = 0;
  api.deps.media.store = broken(usual);

  const refused = await upload(bytes);
  api.deps.media.store = usual;

  expect(await readProblem(refused)).toMatchObject({ status: 503, kind: 'unavailable' });
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(JSON.stringify(api.logged.filter((line) => line['level'] === 50))).toContain(
    'Media store: cannot',
  );
  expect((await admin.get<{ total: number }>('/media')).total).toBe(total);
  const again = await upload(bytes);
  expect(again.status).toBe(201);
  for (const { url } of ((await again.json()) as UploadedMedia).renditions)
    expect((await fetch(api.url + url)).status).toBe(200);
});

test('uploads beyond the capacity are rejected immediately and not stored', async () => {
  const usual = api.deps.media.store;
  const files = await Promise.all(
    Array.from({ length: 16 }, () => picture(40, 30).png().toBuffer()),
  );
  const { total } = await admin.get<{ total: number }>('/media');
  // The store stays full until all rejected requests have an answer.
  const [refusals, isFull] = [[] as Response[], Promise.withResolvers<void>()];
  const written = new Set<string>();
  api.deps.media.store = {
    ...usual,
    async put(...file) {
      await isFull.promise;
      written.add(file[0]);
      await usual.put(...file);
    },
  };

  const answers = await Promise.all(
    files.map(async (bytes) => {
      const answer = await upload(bytes);
      if (answer.status === 503 && refusals.push(answer) === files.length - PLACES)
        isFull.resolve();
      return answer;
    }),
  );
  api.deps.media.store = usual;

  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(PLACES);
  expect(refusals).toHaveLength(files.length - PLACES);
  for (const refused of refusals) {
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await readProblem(refused)).toMatchObject({ status: 503, kind: 'busy' });
  }
  expect([...written].filter((key) => key.startsWith('originals/'))).toHaveLength(PLACES);
  expect((await admin.get<{ total: number }>('/media')).total).toBe(total + PLACES);
  const refusedFiles = files.filter((_, at) => answers[at]?.status === 503);
  const again = await Promise.all(refusedFiles.map((bytes) => upload(bytes)));
  expect(again.map((response) => response.status)).toEqual(again.map(() => 201));
});

test('[MED-7] a full pool rejects new pictures with Retry-After and still answers for stored ones', async () => {
  const existing = await picture(30, 30).png().toBuffer();
  expect((await upload(existing)).status).toBe(201);
  const room = createMedia(
    { store: localMediaStore('unused'), uses: MEDIA_USES },
    { slots: 1, waiting: 0 },
  );
  const inside = Promise.withResolvers<void>();
  const occupied = room.pool.execute(() => inside.promise);
  const usual = api.deps.media.pool;
  api.deps.media.pool = room.pool;

  const refused = await upload(await picture(31, 31).png().toBuffer());
  expect(refused.headers.get('retry-after')).toBe('2');
  expect(await readProblem(refused)).toMatchObject({ status: 503, kind: 'busy' });
  expect((await upload(existing)).status).toBe(200);

  inside.resolve();
  await occupied;
  expect((await upload(await picture(31, 31).png().toBuffer())).status).toBe(201);
  api.deps.media.pool = usual;
});

/** The first bytes of a valid PNG: signature, header chunk with its checksum, start of data. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
