import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { edited } from './edited.ts';

/** One stored file of a rendition; `url` is relative to the public origin. */
export type Rendition = {
  name: string;
  density: 1 | 2 | 3;
  format: 'webp' | 'avif' | 'jpeg';
  width: number;
  height: number;
  bytes: number;
  url: string;
};

export const Media = defineEntity({
  name: 'Media',
  tableName: 'media',
  properties: {
    id: p.bigint('number').primary(),
    sha256: p.text(),
    originalName: p.text(),
    mime: p.text(),
    width: p.integer(),
    height: p.integer(),
    bytes: p.bigint('number'),
    alt: p.text().nullable(),
    focalX: p.double().default(0.5),
    focalY: p.double().default(0.5),
    folder: p.text().default(''),
    renditions: p.json<Rendition[]>(),
    /** Made by the database: the folder of the renditions in the store. */
    renditionSet: p.text().nullable().persist(false),
    createdBy: p.bigint('number').nullable(),
    ...edited,
  },
});
export type Media = InferEntity<typeof Media>;
