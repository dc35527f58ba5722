import { Type, type Static } from 'typebox';
import {
  Count,
  Id,
  Named,
  Nullable,
  NullableText,
  Strict,
  Timestamp,
  Version,
  Words,
} from '../../../kernel/pure/schemas.ts';

export const Image = Named(
  'Image',
  Type.Object({
    id: Id,
    url: Type.String({
      minLength: 1,
      description:
        'URL of density 1: relative to the public origin, or absolute if the installation has a CDN.',
    }),
    srcset: Type.String({ description: 'Comma-separated entries of the form `<url> <density>x`.' }),
    width: Type.Optional(
      Type.Integer({
        description:
          'Width of `url` in pixels. An entry of `srcset` is as many times as wide as its density.',
      }),
    ),
    height: Type.Optional(
      Type.Integer({ description: 'Height of `url` in pixels; like `width` for other densities.' }),
    ),
    avif: Type.Optional(
      Type.Boolean({
        description:
          'True if every URL exists as AVIF too: with `.avif` in the place of `.webp` at its end. Otherwise absent.',
      }),
    ),
    alt: Type.Optional(
      Type.String({
        description:
          'Alternative text that staff have set. Absent without one: use the name of the product, category, modifier or gift.',
      }),
    ),
  }),
);

export type Image = Static<typeof Image>;

const Url = Type.String({
  description: 'URL relative to the public origin. Its content never changes.',
});

export const Rendition = Named(
  'Rendition',
  Type.Object({
    name: Type.String({ description: 'Use of the rendition: card, thumb or full.' }),
    density: Type.Unsafe<1 | 2 | 3>({ type: 'integer', description: 'Pixel density: 1, 2 or 3.' }),
    format: Words(['webp', 'avif', 'jpeg']),
    width: Type.Integer(),
    height: Type.Integer(),
    bytes: Type.Integer(),
    url: Url,
  }),
);

export type Rendition = Static<typeof Rendition>;

export const UploadedMedia = Named(
  'UploadedMedia',
  Type.Object({
    id: Id,
    url: Url,
    width: Type.Integer(),
    height: Type.Integer(),
    renditions: Type.Array(Rendition),
  }),
);

const Part = Type.Number({ minimum: 0, maximum: 1 });

/** Strict, because requests also contain it. */
const FocalPoint = Named(
  'FocalPoint',
  Type.Object(
    { x: Part, y: Part },
    {
      additionalProperties: false,
      description: 'Point that crops keep in view: 0 to 1 from the left and from the top.',
    },
  ),
);

export const Media = Named(
  'Media',
  Type.Object({
    ...UploadedMedia.properties,
    originalName: Type.String(),
    mime: Type.String(),
    bytes: Type.Integer(),
    alt: NullableText,
    focalPoint: FocalPoint,
    folder: Type.String(),
    createdAt: Timestamp,
    version: Type.Integer(),
  }),
);

export type Media = Static<typeof Media>;

export const ListedMedia = Named(
  'ListedMedia',
  Type.Object({
    ...Media.properties,
    usageCount: Type.Integer({ description: 'Number of current uses.' }),
  }),
);

export type ListedMedia = Static<typeof ListedMedia>;

export const Folder = Type.String({
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'Path of the folder, its parts divided by /; empty for the root.',
});

const Alt = Type.String({ maxLength: 500 });

/** Unnamed, because the description adds the file to its fields. */
export const UploadFields = Strict({ folder: Type.Optional(Folder), alt: Type.Optional(Alt) });
export type UploadFields = Static<typeof UploadFields>;

/** Null clears the text, or resets the folder or focal point. */
export const MediaEdit = Named(
  'MediaEdit',
  Strict({
    version: Version,
    alt: Type.Optional(Nullable(Alt)),
    focalPoint: Type.Optional(Nullable(FocalPoint)),
    folder: Type.Optional(Nullable(Folder)),
  }),
);

export type MediaEdit = Static<typeof MediaEdit>;

export const MediaUsage = Named(
  'MediaUsage',
  Type.Object({
    kind: Type.String({
      description:
        'Use of the image: PRODUCT_MAIN_IMAGE, PRODUCT_HOVER_IMAGE, PRODUCT_GALLERY, CATEGORY_IMAGE or ' +
        'MODIFIER_IMAGE, REWARD_IMAGE.',
    }),
    entityType: Type.String({
      description: 'Object that uses the image: product, category or modifier.',
    }),
    entityId: Type.String({ description: 'Our id, or the UUID of the ERP.' }),
    name: Type.String(),
  }),
);

export type MediaUsage = Static<typeof MediaUsage>;

export const MediaFolder = Named(
  'MediaFolder',
  Type.Object({
    folder: Type.String({ description: 'Path of the folder; empty for the root.' }),
    mediaCount: Count,
  }),
);

export type MediaFolder = Static<typeof MediaFolder>;
