import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { mediaRoutes } from '../../../api/admin/media/media.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { readProblem, uploader, type UploadedMedia } from '../../support/uploads.ts';
import { selectRow } from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
let upload: Awaited<ReturnType<typeof uploader>>['upload'];

beforeAll(async () => {
  api = await startTestApi({ routes: [...authRoutes, ...mediaRoutes] });
  ({ admin, upload } = await uploader(api));
});
afterAll(() => api.stop());

let shade = 0;
function picture(width: number, height: number): ReturnType<typeof sharp> {
  shade += 1;
  return sharp({ create: { width, height, channels: 3, background: { r: shade, g: 120, b: 40 } } });
}

async function uploaded(
  fields: Record<string, string> = {},
  name = 'picture.png',
): Promise<UploadedMedia> {
  const bytes = await picture(60, 20).png().toBuffer();
  return (await (await upload(bytes, { fields, name })).json()) as UploadedMedia;
}

describe('the media library', () => {
  test('lists by folder and by words, newest first', async () => {
    const fields = { folder: 'зима', alt: 'Горячий шоколад' };
    const first = (await (
      await upload(await picture(20, 21).png().toBuffer(), { name: 'a.png', fields })
    ).json()) as UploadedMedia;
    const second = (await (
      await upload(await picture(20, 22).png().toBuffer(), {
        name: 'b.png',
        fields: { folder: 'зима' },
      })
    ).json()) as UploadedMedia;
    const ids = async (query: string) =>
      (await admin.get<{ items: { id: number }[] }>(`/media?${query}`)).items.map(
        (item) => item.id,
      );

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

  test('rejects an unknown media and the upload of a viewer', async () => {
    expect(await readProblem(await admin.raw('GET', '/media/999999'))).toMatchObject({
      status: 404,
      kind: 'not-found',
    });
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

describe('a change of media', () => {
  test('merges fields, clears null, and rejects an older version with the stored one', async () => {
    const { id } = await uploaded({ alt: 'Суп', folder: ' зима / супы ' });
    expect(await admin.get(`/media/${id}`)).toMatchObject({ alt: 'Суп', folder: 'зима/супы' });

    expect(
      await admin.patch(`/media/${id}`, { version: 1, alt: null, folder: 'лето/' }),
    ).toMatchObject({
      alt: null,
      folder: 'лето',
      version: 2,
    });
    expect(await admin.patch(`/media/${id}`, { version: 2, folder: null })).toMatchObject({
      folder: '',
      version: 3,
    });
    expect(await admin.patch(`/media/${id}`, { version: 3 })).toMatchObject({ version: 3 });

    const refused = await admin.raw('PATCH', `/media/${id}`, { version: 1, alt: 'x' });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      type: '/problems/version-conflict',
      currentVersion: 3,
    });
  });

  test('returns new crops of a focal point, which are served', async () => {
    const { id, renditions } = await uploaded();
    const changed = await admin.patch<UploadedMedia>(`/media/${id}`, {
      version: 1,
      focalPoint: { x: 1, y: 0 },
    });

    expect(changed).toMatchObject({ focalPoint: { x: 1, y: 0 }, version: 2 });
    expect(changed.renditions.map((rendition) => rendition.url)).not.toEqual(
      renditions.map((rendition) => rendition.url),
    );
    for (const { url, bytes } of [...changed.renditions, ...renditions]) {
      const file = await fetch(api.url + url);
      expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, bytes]);
    }
  });

  test.each([
    { focalPoint: { x: 1.1, y: 0 } },
    { focalPoint: { x: 0.5 } },
    { focalPoint: { x: '0', y: 0 } },
    { alt: 'a\u0000b' },
    { folder: 'a\nb' },
    { alt: 'x'.repeat(501) },
    { name: 'x' },
  ])('fails with %j', async (fields) => {
    const { id } = await uploaded();
    const refused = await admin.raw('PATCH', `/media/${id}`, { version: 1, ...fields });
    expect(await readProblem(refused)).toMatchObject({ status: 422, kind: 'validation' });
  });
});

describe('the deletion of media', () => {
  test('fails for a picture in use with a list of its first usages', async () => {
    const { id } = await uploaded();
    const rows = menuRows(api.deps.db);
    for (let at = 0; at < 6; at += 1) await rows.category({ image_id: id, name: `Раздел ${at}` });

    const refused = await admin.raw('DELETE', `/media/${id}`);

    expect(refused.status).toBe(409);
    const body = (await refused.json()) as { type: string; usages: unknown[]; usageCount: number };
    expect(body).toMatchObject({ type: '/problems/media-in-use', usageCount: 6 });
    expect(body.usages).toHaveLength(5);
    expect(await admin.get(`/media/${id}/usages?page=2&size=4`)).toMatchObject({
      items: [
        { kind: 'CATEGORY_IMAGE', entityType: 'category', name: 'Раздел 4' },
        { kind: 'CATEGORY_IMAGE', entityType: 'category', name: 'Раздел 5' },
      ],
      page: 2,
      size: 4,
      total: 6,
    });
  });

  test('removes an unused picture, whose file can be uploaded again', async () => {
    const bytes = await picture(33, 20).png().toBuffer();
    const first = (await (await upload(bytes)).json()) as UploadedMedia;

    expect((await admin.raw('DELETE', `/media/${first.id}`)).status).toBe(204);

    expect((await admin.raw('DELETE', `/media/${first.id}`)).status).toBe(404);
    expect((await admin.raw('GET', `/media/${first.id}/usages`)).status).toBe(404);
    expect((await fetch(api.url + first.url)).status).toBe(200);
    const again = await upload(bytes);
    expect(again.status).toBe(201);
    expect(((await again.json()) as UploadedMedia).id).not.toBe(first.id);
  });
});

describe('the Idempotency-Key of an upload', () => {
  test('returns the first answer again, but not to another file', async () => {
    const bytes = await picture(44, 20).png().toBuffer();
    const headers = { 'idempotency-key': 'picture-1' };
    const first = await upload(bytes, { headers });
    const again = await upload(bytes, { headers });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());

    const other = await upload(await picture(45, 20).png().toBuffer(), { headers });
    expect(await readProblem(other)).toMatchObject({ status: 422, kind: 'idempotency-key-reused' });
  });

  test('[HTTP-6] returns no answer for the same file under another name', async () => {
    const bytes = await picture(46, 20).png().toBuffer();
    const headers = { 'idempotency-key': 'picture-2' };
    const statuses = [];
    for (const name of ['a.png', 'a.png', 'b.png'])
      statuses.push((await upload(bytes, { headers, name })).status);

    expect(statuses).toEqual([201, 201, 422]);
  });
});

test('folders list their own pictures, or those below them', async () => {
  const base = `лес-${shade}`;
  const [inBase, below] = [
    await uploaded({ folder: base }),
    await uploaded({ folder: `${base}/грибы` }),
  ];
  const ids = async (query: string) =>
    (
      await admin.get<{ items: { id: number }[] }>(
        `/media?folder=${encodeURIComponent(base)}${query}`,
      )
    ).items.map((item) => item.id);

  expect(await ids('')).toEqual([inBase.id]);
  expect(await ids('&subfolders=true&sort=id,asc')).toEqual([inBase.id, below.id]);
  const folders = await admin.get<{ items: { folder: string; mediaCount: number }[] }>(
    '/media/folders?size=200',
  );
  expect(folders.items.filter((item) => item.folder.startsWith(base))).toEqual([
    { folder: base, mediaCount: 1 },
    { folder: `${base}/грибы`, mediaCount: 1 },
  ]);
});

test('a list has the requested order', async () => {
  const folder = 'порядок';
  const [b, a] = [await uploaded({ folder }, 'b.png'), await uploaded({ folder }, 'A.png')];
  const ids = async (sort: string) =>
    (
      await admin.get<{ items: { id: number }[] }>(
        `/media?folder=${encodeURIComponent(folder)}&sort=${sort}`,
      )
    ).items.map((item) => item.id);

  expect(await ids('originalName,asc')).toEqual([a.id, b.id]);
  expect(await ids('originalName,desc')).toEqual([b.id, a.id]);
  expect((await admin.raw('GET', '/media?sort=sha256,asc')).status).toBe(422);
});

describe('the files of media', () => {
  test('answer HEAD and If-None-Match without a body', async () => {
    const media = (await (
      await upload(await picture(50, 50).png().toBuffer())
    ).json()) as UploadedMedia;
    const got = await fetch(api.url + media.url);
    const bytes = await got.arrayBuffer();
    const head = await fetch(api.url + media.url, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(bytes.byteLength));
    const again = await fetch(api.url + media.url, {
      headers: { 'if-none-match': got.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
    expect(got.headers.get('x-content-type-options')).toBe('nosniff');
    const part = await fetch(api.url + media.url, { headers: { range: 'bytes=0-9' } });
    expect([part.status, part.headers.get('accept-ranges')]).toEqual([200, 'none']);
    expect((await part.arrayBuffer()).byteLength).toBe(bytes.byteLength);
  });

  test('cannot be reached unless they are renditions', async () => {
    const media = (await (
      await upload(await picture(51, 50).png().toBuffer())
    ).json()) as UploadedMedia;
    const row = await selectRow(api.deps.db, 'media', ['sha256'], { id: media.id });
    for (const path of [
      `/media/../originals/${row.sha256}.png`,
      `/media/%2e%2e/originals/${row.sha256}.png`,
      `/media/${row.sha256}/card.webp`,
      `/media/${'0'.repeat(64)}/card.webp`,
      '/media/',
    ])
      expect((await fetch(api.url + path)).status).toBe(404);
    expect((await fetch(api.url + media.url, { method: 'POST' })).status).toBe(405);
  });
});
