import type { Rendition as AnsweredRendition } from '../schemas/media.ts';
import { defineEntity, p } from '@mikro-orm/core';
import { edited } from '../../../kernel/tables/kernel.ts';

/** `url` is relative to the public origin. */
export type Rendition = AnsweredRendition;

export const Media = defineEntity({
  name: 'Media',
  tableName: 'media',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    sha256: p.text(),
    originalName: p.text(),
    mime: p.text(),
    width: p.integer(),
    height: p.integer(),
    bytes: p.bigint('number'),
    alt: p.text().nullable(),
    focalX: p.double().$type<number>().default(0.5),
    focalY: p.double().$type<number>().default(0.5),
    folder: p.text().default(''),
    renditions: p.json<Rendition[]>(),
    createdBy: p.bigint('number').nullable(),
    renditionSet: p
      .text()
      .generated("split_part(((renditions -> 0) ->> 'url'::text), '/'::text, 3)")
      .nullable(),
    ...edited,
  },
});

export const MediaClaim = defineEntity({
  name: 'MediaClaim',
  tableName: 'media_claim',
  properties: {
    files: p.text().primary(),
    purpose: p.text(),
    until: p.datetime(),
  },
});

/** Has one row. */
export const MediaBase = defineEntity({
  name: 'MediaBase',
  tableName: 'media_base',
  properties: {
    id: p.smallint().primary(),
    url: p.text().nullable(),
    referenceVersion: p.integer(),
  },
});

export const MediaRetired = defineEntity({
  name: 'MediaRetired',
  tableName: 'media_retired',
  properties: {
    mediaId: p.bigint('number').primary().autoincrement(false),
    renditionSet: p.text().primary(),
    renditions: p.json<Rendition[]>(),
    isDeleted: p.boolean(),
    retiredAt: p.datetime().defaultRaw('now()'),
  },
});
