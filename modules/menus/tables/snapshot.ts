import { defineEntity, p } from '@mikro-orm/core';
import type { StopIndex } from '../rules/snapshot/availability.ts';
import type { CardTexts } from '../rules/snapshot/menu-parts.ts';

export const Snapshot = defineEntity({
  name: 'Snapshot',
  tableName: 'snapshot',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    organizationErpId: p.uuid(),
    revision: p.bigint('number'),
    generatedAt: p.datetime(),
    patchedAt: p.datetime().nullable(),
    etag: p.text(),
    contentHash: p.text(),
    payload: p.blob().$type<Buffer>(),
    payloadGzip: p.blob().$type<Buffer>(),
    payloadBr: p.blob().$type<Buffer>(),
    availability: p.blob().$type<Buffer>(),
    stopIndex: p.json<StopIndex>(),
    productCount: p.integer(),
    cardTexts: p.json<Readonly<Record<number, CardTexts>>>().defaultRaw(`'{}'::jsonb`),
    leftOut: p.blob().$type<Buffer>().nullable(),
    hoursDueAt: p.datetime().nullable(),
  },
});

export const SnapshotPin = defineEntity({
  name: 'SnapshotPin',
  tableName: 'snapshot_pin',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    organizationId: p.bigint('number'),
    revision: p.bigint('number'),
    reason: p.text(),
    until: p.datetime(),
    pinnedAt: p.datetime().defaultRaw('now()'),
    pinnedBy: p.bigint('number').nullable(),
  },
});

export const SnapshotRevision = defineEntity({
  name: 'SnapshotRevision',
  tableName: 'snapshot_revision',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    revision: p.bigint('number').primary().autoincrement(false),
    publishedAt: p.datetime().defaultRaw('now()'),
    supersededAt: p.datetime().nullable(),
    restoredFrom: p.bigint('number').nullable(),
    contentHash: p.text(),
    productCount: p.integer(),
    bytes: p.integer(),
    menuBr: p.blob().$type<Buffer>(),
    storefront: p.blob().$type<Buffer>(),
    mediaIds: p
      .array((text) => Number(text))
      .columnType('bigint[]')
      .nullable(),
    /** Latest first; empty for earlier releases. */
    causes: p
      .json<readonly { source: string; userId: number | null; at: string }[]>()
      .defaultRaw(`'[]'::jsonb`),
    /** Version of image references; null for earlier builders. */
    referenceVersion: p.integer().nullable(),
  },
});
