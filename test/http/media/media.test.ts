import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { mediaRoutes } from '../../../api/admin/media/media.ts';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { createMedia } from '../../../app/media/media-deps.ts';
import { PICTURE_USES } from '../../../app/picture-uses.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { localMediaStore } from '../../../platform/media-store.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';

type Rendition = {
  name: string;
  density: number;
  format: string;
  width: number;
  height: number;
  bytes: number;
  url: string;
};
type Created = { id: number; url: string; width: number; height: number; renditions: Rendition[] };

let api: TestApi;
let admin: AdminClient;

beforeAll(async () => {
  api = await startTestApi({ routes: [...authRoutes, ...mediaRoutes] });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

let shade = 0;
/** A picture nobody has uploaded before. */
function picture(width: number, height: number): ReturnType<typeof sharp> {
  shade += 1;
  return sharp({ create: { width, height, channels: 3, background: { r: shade, g: 120, b: 40 } } });
}

async function upload(bytes: Buffer, options: { name?: string; type?: string; fields?: Record<string, string> } = {}) {
  const form = new FormData();
  for (const [field, value] of Object.entries(options.fields ?? {})) form.set(field, value);
  form.set(
    'file',
    new Blob([new Uint8Array(bytes)], { type: options.type ?? 'image/jpeg' }),
    options.name ?? 'picture.jpg',
  );
  return fetch(`${api.url}/api/admin/v1/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.accessToken}` },
    body: form,
  });
}

async function problem(response: Response) {
  const body = (await response.json()) as { type: string; detail?: string; errors?: { field: string; code: string }[] };
  return { status: response.status, kind: body.type.split('/').at(-1), codes: body.errors?.map((each) => each.code) };
}

describe('an upload', () => {
  test('answers every rendition, and each is served as it is described', async () => {
    const response = await upload(await picture(1400, 1300).jpeg().toBuffer());
    expect(response.status).toBe(201);
    const media = (await response.json()) as Created;

    expect(Object.keys(media).toSorted()).toEqual(['height', 'id', 'renditions', 'url', 'width']);
    expect(media).toMatchObject({ width: 1400, height: 1300 });
    expect(media.renditions.map((each) => `${each.name}@${each.density}.${each.format}`).toSorted()).toEqual([
      'card@1.jpeg',
      'card@1.webp',
      'card@2.jpeg',
      'card@2.webp',
      'card@3.jpeg',
      'card@3.webp',
      'full@1.jpeg',
      'full@1.webp',
      'thumb@1.jpeg',
      'thumb@1.webp',
      'thumb@2.jpeg',
      'thumb@2.webp',
    ]);
    for (const rendition of media.renditions) {
      const file = await fetch(api.url + rendition.url);
      const bytes = Buffer.from(await file.arrayBuffer());
      expect(file.status).toBe(200);
      expect(file.headers.get('content-type')).toBe(`image/${rendition.format}`);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(bytes).toHaveLength(rendition.bytes);
      const { width, height, format } = await sharp(bytes).metadata();
      expect({ width, height, format }).toEqual({
        width: rendition.width,
        height: rendition.height,
        format: rendition.format,
      });
    }
  });

  test.each(['png', 'webp', 'jpeg'] as const)('takes %s by its content, whatever it is called', async (format) => {
    const bytes = await picture(40, 30).toFormat(format).toBuffer();
    const response = await upload(bytes, { name: 'notes.txt', type: 'text/plain' });
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as Created;
    expect(await admin.get(`/media/${id}`)).toMatchObject({ mime: `image/${format}`, originalName: 'notes.txt' });
  });

  test('turns the picture upright and leaves its metadata behind', async () => {
    const bytes = await picture(300, 200)
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(bytes).metadata()).orientation).toBe(6);

    const media = (await (await upload(bytes)).json()) as Created;

    expect(media).toMatchObject({ width: 200, height: 300 });
    const file = Buffer.from(await (await fetch(api.url + media.url)).arrayBuffer());
    const metadata = await sharp(file).metadata();
    expect(metadata).toMatchObject({ width: 200, height: 300 });
    expect(metadata.exif).toBeUndefined();
    expect(metadata.orientation).toBeUndefined();
  });

  test('of a transparent picture keeps the transparency where the format can, else shows it on white', async () => {
    const bytes = await sharp({
      create: { width: 60, height: 60, channels: 4, background: { r: 0, g: 0, b: shade, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const media = (await (await upload(bytes)).json()) as Created;
    const corner = async (format: string) => {
      const { url } = media.renditions.find((each) => each.name === 'full' && each.format === format)!;
      const file = Buffer.from(await (await fetch(api.url + url)).arrayBuffer());
      return [...(await sharp(file).raw().toBuffer()).subarray(0, (await sharp(file).metadata()).channels)];
    };
    expect((await corner('webp'))[3]).toBe(0);
    expect(await corner('jpeg')).toEqual([255, 255, 255]);
  });

  test('of the same content is the same media, also when many arrive at once', async () => {
    const bytes = await picture(500, 400).jpeg().toBuffer();
    const answers = await Promise.all(Array.from({ length: 4 }, (_, at) => upload(bytes, { name: `copy-${at}.jpg` })));
    const media = (await Promise.all(answers.map((each) => each.json()))) as Created[];

    expect(answers.map((each) => String(each.status)).toSorted()).toEqual(['200', '200', '200', '201']);
    expect(new Set(media.map((each) => each.id)).size).toBe(1);
    expect((await upload(bytes)).status).toBe(200);
    const rows = await api.deps.db.query('select id from media where id = $1', [media[0]!.id]);
    expect(rows).toHaveLength(1);
    const audit = await api.deps.db.query(`select 1 from audit_entry where entity_type = 'media' and entity_id = $1`, [
      String(media[0]!.id),
    ]);
    expect(audit).toHaveLength(1);
  });
});

describe('what is no usable picture', () => {
  test.each([
    ['text', Buffer.from('not a picture at all'), 'unsupported_format'],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'unsupported_format'],
    ['an empty file', Buffer.alloc(0), 'unsupported_format'],
  ])('%s is refused', async (_, bytes, code) => {
    expect(await problem(await upload(bytes))).toEqual({ status: 422, kind: 'media-unreadable', codes: [code] });
  });

  test('a gif is refused although it can be read', async () => {
    const bytes = await picture(20, 20).gif().toBuffer();
    expect(await problem(await upload(bytes))).toMatchObject({
      kind: 'media-unreadable',
      codes: ['unsupported_format'],
    });
  });

  test('a picture cut in the middle is refused and leaves no row', async () => {
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
    expect(await problem(await upload(cut))).toEqual({ status: 422, kind: 'media-unreadable', codes: ['damaged'] });
    expect((await admin.get<{ total: number }>('/media')).total).toBe(before.total);
  });

  test('a flood of pixels is refused by its header, without being decoded', async () => {
    const flood = pngHeader(60_000, 60_000);
    // There is nothing behind the header: whoever decoded it would call it damaged.
    expect(await problem(await upload(flood))).toEqual({
      status: 422,
      kind: 'media-unreadable',
      codes: ['too_many_pixels'],
    });
  });

  test('more than 10 MB, another field and a body without a file are refused', async () => {
    expect(await problem(await upload(Buffer.alloc(10 * 1024 * 1024 + 1)))).toMatchObject({
      kind: 'payload-too-large',
    });
    expect(
      await problem(await upload(await picture(9, 9).png().toBuffer(), { fields: { owner: 'me' } })),
    ).toMatchObject({
      kind: 'validation',
      codes: ['unknown_field'],
    });
    const empty = await fetch(`${api.url}/api/admin/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.accessToken}` },
      body: new FormData(),
    });
    expect((await problem(empty)).status).toBeGreaterThanOrEqual(400);
  });
});

test('when the room for pictures is full the answer is busy with Retry-After, and a known picture still is answered', async () => {
  const known = await picture(30, 30).png().toBuffer();
  expect((await upload(known)).status).toBe(201);
  const room = createMedia({ store: localMediaStore('unused'), uses: PICTURE_USES }, { slots: 1, waiting: 0 });
  const inside = Promise.withResolvers<void>();
  const occupied = room.pool.run(() => inside.promise);
  const usual = api.deps.media.pool;
  api.deps.media.pool = room.pool;

  const refused = await upload(await picture(31, 31).png().toBuffer());
  expect(refused.headers.get('retry-after')).toBe('2');
  expect(await problem(refused)).toMatchObject({ status: 503, kind: 'busy' });
  expect((await upload(known)).status).toBe(200);

  inside.resolve();
  await occupied;
  expect((await upload(await picture(31, 31).png().toBuffer())).status).toBe(201);
  api.deps.media.pool = usual;
});

describe('the library', () => {
  test('lists by folder and by words, newest first', async () => {
    const fields = { folder: 'зима', alt: 'Горячий шоколад' };
    const first = (await (
      await upload(await picture(20, 21).png().toBuffer(), { name: 'a.png', fields })
    ).json()) as Created;
    const second = (await (
      await upload(await picture(20, 22).png().toBuffer(), { name: 'b.png', fields: { folder: 'зима' } })
    ).json()) as Created;
    const ids = async (query: string) =>
      (await admin.get<{ items: { id: number }[] }>(`/media?${query}`)).items.map((each) => each.id);

    expect(await ids(`folder=${encodeURIComponent('зима')}`)).toEqual([second.id, first.id]);
    expect(await ids(`q=${encodeURIComponent('шОКОлад')}`)).toEqual([first.id]);
    expect(await ids('folder=nowhere')).toEqual([]);
    expect(await admin.get(`/media/${first.id}`)).toMatchObject({
      alt: 'Горячий шоколад',
      folder: 'зима',
      focalPoint: { x: 0.5, y: 0.5 },
      version: 1,
    });
  });

  test('an unknown media is not found, and a viewer may not upload', async () => {
    expect(await problem(await admin.raw('GET', '/media/999999'))).toMatchObject({ status: 404, kind: 'not-found' });
    const viewer = await api.user('VIEWER');
    const { accessToken } = await adminClient(api.url, viewer.email, viewer.password);
    const form = new FormData();
    form.set('file', new Blob(['x']), 'x.png');
    const refused = await fetch(`${api.url}/api/admin/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
      body: form,
    });
    expect(refused.status).toBe(403);
  });
});

describe('files', () => {
  test('answer HEAD and If-None-Match without a body', async () => {
    const media = (await (await upload(await picture(50, 50).png().toBuffer())).json()) as Created;
    const got = await fetch(api.url + media.url);
    const bytes = await got.arrayBuffer();
    const head = await fetch(api.url + media.url, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(bytes.byteLength));
    const again = await fetch(api.url + media.url, { headers: { 'if-none-match': got.headers.get('etag')! } });
    expect(again.status).toBe(304);
  });

  test('nothing but renditions is reachable', async () => {
    const media = (await (await upload(await picture(51, 50).png().toBuffer())).json()) as Created;
    const [row] = await api.deps.db.query<{ sha256: string }>('select sha256 from media where id = $1', [media.id]);
    for (const path of [
      `/media/../originals/${row!.sha256}.png`,
      `/media/%2e%2e/originals/${row!.sha256}.png`,
      `/media/${row!.sha256}/card.webp`,
      `/media/${'0'.repeat(64)}/card.webp`,
      '/media/',
    ])
      expect((await fetch(api.url + path)).status).toBe(404);
    expect((await fetch(api.url + media.url, { method: 'POST' })).status).toBe(405);
  });
});

/** The first bytes of a valid PNG of this size: signature, header chunk with its checksum, and the start of data. */
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
