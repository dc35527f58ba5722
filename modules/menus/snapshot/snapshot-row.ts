import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import { advisory } from '../../../platform/db/locks.ts';
import type { StopIndex } from '../rules/snapshot/availability.ts';
import type { Encoded } from './encode.ts';
import type { LeftOut } from '../rules/snapshot/fit-menu.ts';

/** The payload is the organization id. */
export const SNAPSHOT_CHANNEL = 'carte_snapshot';

export type SnapshotRow = {
  revision: number;
  etag: string;
  contentHash: string;
  payload: Buffer;
  availability: Buffer;
  stopIndex: StopIndex;
};

/**
 * Locks a snapshot. A row that is being inserted cannot be locked: without the advisory lock, a
 * patch would lose a stop that the first publication has not read.
 */
export async function lockSnapshot(
  tx: Sql,
  organizationId: number,
): Promise<SnapshotRow | undefined> {
  await advisory.snapshot(tx, organizationId);
  return tx.db
    .selectFrom('snapshot')
    .select(['revision', 'etag', 'contentHash', 'payload', 'availability', 'stopIndex'])
    .where('organizationId', '=', organizationId)
    .forUpdate()
    .executeTakeFirst();
}

/** Numbers are never reused, even after the row was deleted. */
export async function nextRevision({ db }: Sql, organizationId: number): Promise<number> {
  const next = sql<number>`greatest((select revision from snapshot where organization_id = ${organizationId}),
                    (select max(revision) from snapshot_revision where organization_id = ${organizationId}), 0) + 1`;
  return (await db.selectNoFrom(next.as('revision')).executeTakeFirstOrThrow()).revision;
}

/** Notifies API instances on commit. */
export async function notifyInstances(tx: Sql, organizationId: number): Promise<void> {
  await sql`select pg_notify(${SNAPSHOT_CHANNEL}, ${String(organizationId)})`.execute(tx.db);
}

export async function writePatch(
  tx: Sql,
  organizationId: number,
  patch: { encoded: Encoded; availability: string },
): Promise<void> {
  await tx.db
    .updateTable('snapshot')
    .set({
      etag: patch.encoded.etag,
      payload: patch.encoded.identity,
      payloadGzip: patch.encoded.gzip,
      payloadBr: patch.encoded.br,
      availability: Buffer.from(patch.availability),
      patchedAt: sql`now()`,
    })
    .where('organizationId', '=', organizationId)
    .execute();
}

/** Stored as text, because only some readers parse it. */
export function leftOutBytes(leftOut: LeftOut | null): Buffer | null {
  return leftOut === null ? null : Buffer.from(JSON.stringify(leftOut));
}

/** Null for a complete menu. */
export function readLeftOut(bytes: Buffer | null): LeftOut | null {
  return bytes === null ? null : (JSON.parse(bytes.toString('utf8')) as LeftOut);
}
