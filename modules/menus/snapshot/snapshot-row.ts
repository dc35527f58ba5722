import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import { advisory } from '../../../platform/db/locks.ts';
import type { StopIndex } from '../rules/snapshot/availability.ts';
import type { Encoded } from './encode.ts';
import type { LeftOut } from '../rules/snapshot/fit-menu.ts';

/** Channel on which every publish and patch is announced; the payload is our organization id. */
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
 * Locks the snapshot of one organization until the transaction ends and returns its row, undefined
 * when there is none. The advisory lock comes first, because other transactions cannot lock a row
 * that is being inserted: without it a patch would find no row and lose a stop that the first
 * publication has not seen.
 */
export async function lockSnapshot(tx: Sql, organizationId: number): Promise<SnapshotRow | undefined> {
  await advisory.snapshot(tx, organizationId);
  return tx.db
    .selectFrom('snapshot')
    .select(['revision', 'etag', 'contentHash', 'payload', 'availability', 'stopIndex'])
    .where('organizationId', '=', organizationId)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * The number of the next publication. A number is never used twice, even if the row was deleted.
 */
export async function nextRevision({ db }: Sql, organizationId: number): Promise<number> {
  const next = sql<number>`greatest((select revision from snapshot where organization_id = ${organizationId}),
                    (select max(revision) from snapshot_revision where organization_id = ${organizationId}), 0) + 1`;
  return (await db.selectNoFrom(next.as('revision')).executeTakeFirstOrThrow()).revision;
}

/** Notifies every API instance, when the transaction commits, to read this snapshot again. */
export async function notifyInstances(tx: Sql, organizationId: number): Promise<void> {
  await sql`select pg_notify(${SNAPSHOT_CHANNEL}, ${String(organizationId)})`.execute(tx.db);
}

/**
 * Writes the effects of a stop: the bytes, their digest and the availability; revision and content
 * stay.
 */
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

/**
 * The parts that a menu leaves out, as the column `snapshot.left_out` keeps it: a text, because
 * only some readers of a menu need it.
 */
export function leftOutBytes(leftOut: LeftOut | null): Buffer | null {
  return leftOut === null ? null : Buffer.from(JSON.stringify(leftOut));
}

/** Reads the omitted parts of a stored menu; null when it is complete. */
export function readLeftOut(stored: Buffer | null): LeftOut | null {
  return stored === null ? null : (JSON.parse(stored.toString('utf8')) as LeftOut);
}
