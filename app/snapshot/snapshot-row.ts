import type { Sql } from '../../db/database.ts';
import type { StopIndex } from '../../domain/snapshot/availability.ts';
import { stopRule, type IsStopped } from '../../domain/snapshot/stops.ts';
import type { Encoded } from './encode.ts';
import { readStops, readStopSettings, type StopSettings } from './read-stops.ts';

/** Channel on which every publish and patch is announced; the payload is our organization id. */
export const SNAPSHOT_CHANNEL = 'carte_snapshot';

/** First key of the advisory locks of snapshots; the second is the organization id. */
const SNAPSHOT_LOCK = 4_201_003;

export type SnapshotRow = {
  revision: number;
  etag: string;
  contentHash: string;
  payload: Buffer;
  availability: Buffer;
  stopIndex: StopIndex;
};

/**
 * Locks the snapshot of one organization until the transaction ends and returns its row, undefined when there is none.
 * The advisory lock comes first, because a row that is being inserted cannot be locked by anybody else yet: without it
 * a patch would find no row and lose a stop that the first publication has not seen.
 */
export async function lockSnapshot(tx: Sql, organizationId: number): Promise<SnapshotRow | undefined> {
  await tx.query('select pg_advisory_xact_lock($1::int, $2::int)', [SNAPSHOT_LOCK, organizationId]);
  const [row] = await tx.query<SnapshotRow>(
    `select revision, etag, content_hash as "contentHash", payload, availability, stop_index as "stopIndex"
       from snapshot where organization_id = $1 for update`,
    [organizationId],
  );
  return row;
}

/** The number of the next publication. A number is never used twice, whatever became of the row. */
export async function nextRevision(sql: Sql, organizationId: number): Promise<number> {
  const [row] = await sql.query<{ revision: number }>(
    `select greatest((select revision from snapshot where organization_id = $1),
                     (select max(revision) from snapshot_revision where organization_id = $1), 0) + 1 as revision`,
    [organizationId],
  );
  return row?.revision ?? 1;
}

/** Tells every API instance, when the transaction commits, to read this snapshot again. */
export async function announce(tx: Sql, organizationId: number): Promise<void> {
  await tx.query('select pg_notify($1, $2)', [SNAPSHOT_CHANNEL, String(organizationId)]);
}

/** Writes what a stop changes: the bytes, their digest and the availability; revision and content stay. */
export async function writePatch(
  tx: Sql,
  organizationId: number,
  patch: { encoded: Encoded; availability: string },
): Promise<void> {
  await tx.query(
    `update snapshot set etag = $2, payload = $3, payload_gzip = $4, payload_br = $5, availability = $6, patched_at = now()
      where organization_id = $1`,
    [
      organizationId,
      patch.encoded.etag,
      patch.encoded.identity,
      patch.encoded.gzip,
      patch.encoded.br,
      Buffer.from(patch.availability),
    ],
  );
}

/** The stop rule as the tables stand now, with the settings it was read under. */
export async function currentStops(
  tx: Sql,
  organizationId: number,
): Promise<{ isStopped: IsStopped; settings: StopSettings }> {
  const settings = await readStopSettings(tx);
  return { isStopped: stopRule(await readStops(tx, organizationId, settings)), settings };
}
