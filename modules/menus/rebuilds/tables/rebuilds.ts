import { defineEntity, p } from '@mikro-orm/core';

export const SnapshotRequest = defineEntity({
  name: 'SnapshotRequest',
  tableName: 'snapshot_request',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    dirtySeq: p.bigint('number').default(0),
    /** The reason of the last rebuild request. */
    askedSeq: p.bigint('number').default(0),
    builtSeq: p.bigint('number').default(0),
    dirtyAt: p.datetime().nullable(),
    reason: p.text().nullable(),
    failedSeq: p.bigint('number').nullable(),
    failedAt: p.datetime().nullable(),
    failure: p.text().nullable(),
    tooLargeBytes: p.integer().nullable(),
    tooLargeParts: p.json<Readonly<Record<string, number>>>().nullable(),
  },
});
