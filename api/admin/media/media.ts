import { Type } from 'typebox';
import { deleteMedia } from '../../../modules/media/delete-media.ts';
import { listFolders, listMedia, MEDIA_SORT_FIELDS } from '../../../modules/media/list-media.ts';
import { getMedia } from '../../../modules/media/media-rows.ts';
import { listUsages } from '../../../modules/media/media-uses.ts';
import { updateMedia } from '../../../modules/media/update-media.ts';
import { uploadMedia } from '../../../modules/media/upload-media.ts';
import { MAX_UPLOAD_BYTES } from '../../../modules/media/rules/accepted.ts';
import {
  Folder,
  ListedMedia,
  Media,
  MediaEdit,
  MediaFolder,
  MediaUsage,
  UploadedMedia,
  UploadFields,
} from '../../../modules/media/schemas/media.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, toPage, sortQuery } from '../../http/schemas.ts';

const tags = ['Media'];

const uploadMediaRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/media',
  operationId: 'uploadMedia',
  summary: 'Upload an image',
  description:
    'The file is a jpeg, png or webp image of at most 10 MB and 50 megapixels; its content counts, not its ' +
    'name. All renditions are ready when the answer comes. When the same image was uploaded before, the answer is ' +
    '200, and the image gets the folder and the text that this upload names.',
  tags,
  permission: 'media.write',
  idempotent: true,
  files: {
    field: 'file',
    maxBytes: MAX_UPLOAD_BYTES,
    example: 'pizza.png',
    types: ['image/jpeg', 'image/png', 'image/webp'],
    description: 'The image.',
  },
  body: UploadFields,
  responses: { 200: UploadedMedia, 201: UploadedMedia },
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
  api: 'admin',
  method: 'GET',
  path: '/media',
  restaurants: 'SHARED',
  operationId: 'listMedia',
  summary: 'Uploaded images',
  description:
    'The newest images come first unless `sort` is given. `folder` keeps the images of that folder; with ' +
    '`subfolders` the folders below it count as well. `q` is a part of the file name or of the alternative text. ' +
    '`usageCount` is the number of places that `GET /media/{id}/usages` lists.',
  tags,
  permission: 'media.read',
  query: Strict({
    ...pageQuery,
    folder: Type.Optional(Folder),
    subfolders: Type.Optional(Type.Boolean({ default: false })),
    q: Type.Optional(Type.String({ maxLength: 200 })),
    unused: Type.Optional(
      Type.Boolean({
        description: 'Keeps images without current uses (true) or with uses (false).',
      }),
    ),
    without_alt: Type.Optional(
      Type.Boolean({
        description: 'Keeps images without alternative text (true) or with one (false).',
      }),
    ),
    ...sortQuery(MEDIA_SORT_FIELDS),
  }),
  responses: { 200: Page(ListedMedia) },
  async handler({ query }, { db, media }) {
    const { folder, subfolders, q, unused, without_alt: withoutAlt } = query;
    const filter = { ...toPage(query), folder, subfolders, q, unused, withoutAlt };
    return { status: 200, body: await listMedia(db, media.uses, filter) };
  },
});

const listFoldersRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/media/folders',
  restaurants: 'SHARED',
  operationId: 'listMediaFolders',
  summary: 'Folders of images',
  description:
    'Folders are sorted by name, each with the number of images directly in it. A folder exists while an image is ' +
    'in it.',
  tags,
  permission: 'media.read',
  query: Strict({ ...pageQuery, ...sortQuery(['folder', 'mediaCount']) }),
  responses: { 200: Page(MediaFolder) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listFolders(db, toPage(query)),
  }),
});

const listUsagesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/media/{id}/usages',
  restaurants: 'SHARED',
  operationId: 'listMediaUsages',
  summary: 'Uses of an image',
  description:
    'Products in any state (main, hover and gallery image), categories and modifiers are listed.',
  tags,
  permission: 'media.read',
  params: IdParams,
  query: Strict({ ...pageQuery, ...sortQuery(['kind', 'name']) }),
  responses: { 200: Page(MediaUsage) },
  problems: ['not-found'],
  async handler({ params, query }, { db, media }) {
    await getMedia(db, params.id);
    return { status: 200, body: await listUsages(db, media.uses, params.id, toPage(query)) };
  },
});

const resourceRoutes = defineResource({
  path: '/media',
  tags,
  permission: { reads: 'media.read', writes: 'media.write' },
  restaurants: 'SHARED',
  item: Media,
  get: {
    operationId: 'getMedia',
    summary: 'One image',
    description: 'The answer shows the image with all its renditions.',
    run: ({ db }, id) => getMedia(db, id),
  },
  edit: {
    operationId: 'updateMedia',
    summary: 'Change an image',
    description:
      'An absent field keeps its value, `null` clears it. Without a focal point, crops keep the center. A new focal ' +
      'point cuts the image again before the answer comes: its renditions get new URLs, and menus that show them are ' +
      'rebuilt.',
    problems: ['busy'],
    body: MediaEdit,
    run: updateMedia,
  },
  remove: {
    operationId: 'deleteMedia',
    summary: 'Delete an image',
    description:
      'The request is rejected while the image is in use; the problem then lists the first `usages` and their ' +
      'number in `usageCount`. The files are kept until the menus that were published with them are deleted.',
    problems: ['media-in-use'],
    run: deleteMedia,
  },
});

export const mediaRoutes = [
  uploadMediaRoute,
  listMediaRoute,
  listFoldersRoute,
  listUsagesRoute,
  ...resourceRoutes,
];
