import { defineEntity, p } from '@mikro-orm/core';

export const SnapshotRequest = defineEntity({
  name: 'SnapshotRequest',
  tableName: 'snapshot_request',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    dirtySeq: p.bigint('number').default(0),
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

/** Deleted with the build that contains the change. */
export const SnapshotCause = defineEntity({
  name: 'SnapshotCause',
  tableName: 'snapshot_cause',
  properties: {
    organizationId: p.bigint('number').primary().autoincrement(false),
    source: p.text().primary(),
    /** 0 without a user. */
    userId: p.bigint('number').primary().autoincrement(false),
    /** First and last `dirty_seq`. */
    firstSeq: p.bigint('number'),
    lastSeq: p.bigint('number'),
    at: p.datetime().defaultRaw('now()'),
  },
});
