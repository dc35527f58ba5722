import { Type } from 'typebox';
import { getMedia, listMedia } from '../../../app/media/media-rows.ts';
import { uploadMedia } from '../../../app/media/upload-media.ts';
import { MAX_UPLOAD_BYTES } from '../../../domain/media/accepted.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, IdParams, Nullable, Page, pageOf, pageQuery, Strict, Timestamp, Words } from '../../http/schemas.ts';

const Url = Type.String({ description: 'Relative to the public origin; its content never changes' });
const Rendition = Type.Object({
  name: Type.String({ description: 'card, thumb or full' }),
  density: Type.Integer({ description: '1, 2 or 3' }),
  format: Words(['webp', 'avif', 'jpeg']),
  width: Type.Integer(),
  height: Type.Integer(),
  bytes: Type.Integer(),
  url: Url,
});
const Created = Type.Object({
  id: Id,
  url: Url,
  width: Type.Integer(),
  height: Type.Integer(),
  renditions: Type.Array(Rendition),
});
const Media = Type.Object({
  ...Created.properties,
  originalName: Type.String(),
  mime: Type.String(),
  bytes: Type.Integer(),
  alt: Nullable(Type.String()),
  focalPoint: Type.Object({ x: Type.Number(), y: Type.Number() }),
  folder: Type.String(),
  createdAt: Timestamp,
  version: Type.Integer(),
});

const Folder = Type.String({ maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' });
const tags = ['Media'];

const uploadMediaRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/media',
  operationId: 'uploadMedia',
  summary: 'Upload a picture',
  description:
    'jpeg, png or webp by content, up to 10 MB and 50 megapixels. Renditions are ready with the answer. ' +
    'A picture that was uploaded before is answered with 200 and keeps its folder and text.',
  tags,
  permission: 'media.write',
  files: {
    field: 'file',
    maxBytes: MAX_UPLOAD_BYTES,
    description: 'The picture',
    types: ['image/jpeg', 'image/png', 'image/webp'],
  },
  body: Strict({ folder: Type.Optional(Folder), alt: Type.Optional(Type.String({ maxLength: 500 })) }),
  responses: { 200: Created, 201: Created },
  problems: ['media-unreadable', 'busy'],
  async handler({ files: [file], body, actor }, deps) {
    if (file === undefined) throw new Error('The form has no file although the route demands one');
    const { media, reused } = await uploadMedia(deps, actor, {
      originalName: file.originalName,
      bytes: file.bytes,
      ...body,
    });
    const { id, url, width, height, renditions } = media;
    return { status: reused ? 200 : 201, body: { id, url, width, height, renditions } };
  },
});

const listMediaRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/media',
  operationId: 'listMedia',
  summary: 'Uploaded pictures',
  description: 'Newest first. `q` is a part of the file name or of the alternative text.',
  tags,
  permission: 'media.read',
  query: Strict({
    ...pageQuery,
    folder: Type.Optional(Folder),
    q: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  responses: { 200: Page(Media) },
  async handler({ query }, { db }) {
    const { folder, q } = query;
    return { status: 200, body: await listMedia(db, { ...pageOf(query), folder, q }) };
  },
});

const getMediaRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/media/{id}',
  operationId: 'getMedia',
  summary: 'One picture',
  description: 'With all its renditions.',
  tags,
  permission: 'media.read',
  params: IdParams,
  responses: { 200: Media },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getMedia(db, params.id) }),
});

export const mediaRoutes = [uploadMediaRoute, listMediaRoute, getMediaRoute];
