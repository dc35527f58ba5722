import { Type } from 'typebox';
import { deleteMedia } from '../../../app/media/delete-media.ts';
import { listFolders, listMedia, MEDIA_SORT_FIELDS } from '../../../app/media/list-media.ts';
import { getMedia } from '../../../app/media/media-rows.ts';
import { listUsages } from '../../../app/media/picture-uses.ts';
import { updateMedia } from '../../../app/media/update-media.ts';
import { uploadMedia } from '../../../app/media/upload-media.ts';
import { MAX_UPLOAD_BYTES } from '../../../domain/media/accepted.ts';
import { defineRoute } from '../../http/route.ts';
import {
  Id,
  IdParams,
  Nullable,
  Page,
  pageOf,
  pageQuery,
  sortOf,
  sortQuery,
  Strict,
  Timestamp,
  Version,
  Words,
} from '../../http/schemas.ts';

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
const Part = Type.Number({ minimum: 0, maximum: 1 });
const FocalPoint = Type.Object(
  { x: Part, y: Part },
  { additionalProperties: false, description: 'What crops keep in sight: 0 … 1 from the left and from the top' },
);
const Media = Type.Object({
  ...Created.properties,
  originalName: Type.String(),
  mime: Type.String(),
  bytes: Type.Integer(),
  alt: Nullable(Type.String()),
  focalPoint: FocalPoint,
  folder: Type.String(),
  createdAt: Timestamp,
  version: Type.Integer(),
});

const Usage = Type.Object({
  kind: Type.String({
    description: 'PRODUCT_MAIN_IMAGE, PRODUCT_HOVER_IMAGE, PRODUCT_GALLERY, CATEGORY_IMAGE or MODIFIER_IMAGE',
  }),
  entityType: Type.String({ description: 'product, category or modifier' }),
  entityId: Type.String({ description: 'Our id, or the uuid of the external system' }),
  name: Type.String(),
});
const FolderEntry = Type.Object({
  folder: Type.String({ description: 'Empty for the root' }),
  mediaCount: Type.Integer(),
});

const Folder = Type.String({
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'Parts divided by /; empty for the root',
});
const Alt = Type.String({ maxLength: 500 });
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
  idempotent: true,
  files: {
    field: 'file',
    maxBytes: MAX_UPLOAD_BYTES,
    types: ['image/jpeg', 'image/png', 'image/webp'],
    description: 'The picture',
  },
  body: Strict({ folder: Type.Optional(Folder), alt: Type.Optional(Alt) }),
  responses: { 200: Created, 201: Created },
  problems: ['media-unreadable', 'busy'],
  async handler({ files: [file], body, actor, idempotency }, deps) {
    if (file === undefined) throw new Error('The form has no file although the route demands one');
    const upload = { originalName: file.originalName, bytes: file.bytes, ...body };
    const { media, reused } = await uploadMedia(deps, actor, upload, idempotency);
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
  description:
    'Newest first unless `sort` says otherwise. `folder` is exact, with `subfolders` those below it count as well. ' +
    '`q` is a part of the file name or of the alternative text.',
  tags,
  permission: 'media.read',
  query: Strict({
    ...pageQuery,
    folder: Type.Optional(Folder),
    subfolders: Type.Optional(Type.Boolean({ default: false })),
    q: Type.Optional(Type.String({ maxLength: 200 })),
    ...sortQuery(MEDIA_SORT_FIELDS),
  }),
  responses: { 200: Page(Media) },
  async handler({ query }, { db }) {
    const { folder, subfolders, q, sort } = query;
    const filter = { ...pageOf(query), folder, subfolders, q, sort: sortOf(sort) };
    return { status: 200, body: await listMedia(db, filter) };
  },
});

const listFoldersRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/media/folders',
  operationId: 'listMediaFolders',
  summary: 'Folders that hold pictures',
  description: 'By name, each with the number of its own pictures. A folder exists while a picture is in it.',
  tags,
  permission: 'media.read',
  query: Strict(pageQuery),
  responses: { 200: Page(FolderEntry) },
  handler: async ({ query }, { db }) => ({ status: 200, body: await listFolders(db, pageOf(query)) }),
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

const listUsagesRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/media/{id}/usages',
  operationId: 'listMediaUsages',
  summary: 'What shows a picture',
  description: 'Products in any state with their main, hover and gallery pictures, categories, modifiers.',
  tags,
  permission: 'media.read',
  params: IdParams,
  query: Strict(pageQuery),
  responses: { 200: Page(Usage) },
  problems: ['not-found'],
  async handler({ params, query }, { db, media }) {
    await getMedia(db, params.id);
    return { status: 200, body: await listUsages(db, media.uses, params.id, pageOf(query)) };
  },
});

const updateMediaRoute = defineRoute({
  contour: 'admin',
  method: 'PATCH',
  path: '/media/{id}',
  operationId: 'updateMedia',
  summary: 'Change a picture',
  description:
    'Merges: an absent field stays, null clears; without a focal point crops keep the centre. Another focal point cuts the picture anew ' +
    'before the answer: renditions get new addresses, and menus that show them are built again.',
  tags,
  permission: 'media.write',
  params: IdParams,
  body: Strict({
    version: Version,
    alt: Type.Optional(Nullable(Alt)),
    focalPoint: Type.Optional(Nullable(FocalPoint)),
    folder: Type.Optional(Nullable(Folder)),
  }),
  responses: { 200: Media },
  problems: ['not-found', 'version-conflict', 'busy'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await updateMedia(deps, actor, params.id, body),
  }),
});

const deleteMediaRoute = defineRoute({
  contour: 'admin',
  method: 'DELETE',
  path: '/media/{id}',
  operationId: 'deleteMedia',
  summary: 'Delete a picture',
  description:
    'Only while nothing shows it; otherwise the problem names the first `usages` and their number `usageCount`. ' +
    'Menus published earlier keep its files for as long as they are kept.',
  tags,
  permission: 'media.write',
  params: IdParams,
  responses: { 204: null },
  problems: ['not-found', 'media-in-use'],
  async handler({ params, actor }, deps) {
    await deleteMedia(deps, actor, params.id);
    return { status: 204 };
  },
});

export const mediaRoutes = [
  uploadMediaRoute,
  listMediaRoute,
  listFoldersRoute,
  getMediaRoute,
  listUsagesRoute,
  updateMediaRoute,
  deleteMediaRoute,
];
