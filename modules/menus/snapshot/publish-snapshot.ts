import { MENU_MAX_BYTES } from '../schemas/menu.ts';
import { json, type Database, type Sql } from '../../../platform/db/database.ts';
import { reportProgress } from '../../../platform/progress.ts';
import { raiseNotification, resolveNotification } from '../../notifications/raise-notification.ts';
import { isOpenAt, nextDue } from '../rules/offers/hours.ts';
import {
  evaluateAvailability,
  type Availability,
  type StopIndex,
} from '../rules/snapshot/availability.ts';
import { availabilityText, menuText, withAvailability } from '../rules/snapshot/payload.ts';
import { currentStops } from '../offers/read-stops.ts';
import { takeCauses } from '../rebuilds/causes.ts';
import { forgetTooLarge, markBuilt, recordTooLarge } from '../rebuilds/build-result.ts';
import { encode, type Encoded } from './encode.ts';
import {
  leftOutBytes,
  notifyInstances,
  lockSnapshot,
  nextRevision,
  writePatch,
  type SnapshotRow,
} from './snapshot-row.ts';
import { confirmRevision, keepRevision, recordCauses } from './keep-revision.ts';
import { readPin } from './pin-row.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { OversizedSnapshot, PreparedSnapshot } from './prepare-snapshot.ts';

export type Publication = {
  outcome: 'PUBLISHED' | 'PATCHED' | 'UNCHANGED' | 'SUPERSEDED';
  revision: number;
  /** True if newer reasons for a rebuild exist. */
  pending: boolean;
};

/**
 * Publishes a menu (SNP-14); stops are read again under the lock. Equal content keeps the revision
 * and becomes a patch if stops differ. Drops builds with older facts or another pin. Idempotent.
 */
export async function publishSnapshot(
  db: Database,
  prepared: PreparedSnapshot,
): Promise<Publication> {
  reportProgress({ step: 'publication' });
  return db.transaction(async (tx) => {
    const { organizationId } = prepared;
    const snapshot = await lockSnapshot(tx, organizationId);
    if (await isStale(tx, prepared))
      return settle(tx, prepared, 'SUPERSEDED', snapshot?.revision ?? 0);
    await forgetOversize(tx, organizationId);
    const { balance } = await currentStops(tx, organizationId);
    const at = Date.now();
    const availability = evaluateAvailability(
      prepared.index,
      balance,
      isOpenAt(at, prepared.timeZone),
    );

    const hoursDueAt = findDue(prepared.index, at, prepared.timeZone);
    if (snapshot !== undefined && snapshot.contentHash === prepared.contentHash) {
      await tx.db
        .updateTable('snapshot')
        .set({ stopIndex: json(prepared.index), hoursDueAt })
        .where('organizationId', '=', organizationId)
        .execute();

      await confirmRevision(tx, organizationId, snapshot.revision);
      const patched = await patchStored(tx, organizationId, snapshot, availability);

      return settle(tx, prepared, patched ? 'PATCHED' : 'UNCHANGED', snapshot.revision);
    }

    const revision = await nextRevision(tx, organizationId);
    const encoded = await finalBytes(prepared, revision, availability);
    await replace(tx, prepared, { revision, encoded, availability, hoursDueAt });
    await keepRevision(tx, prepared, revision, encoded);
    await notifyInstances(tx, organizationId);
    await recordEvents(tx, 'menu.published', [
      { id: organizationId, organizationId, data: { revision } },
    ]);

    return settle(tx, prepared, 'PUBLISHED', revision);
  });
}

/** Returns when hours require the next patch, or null. */
export function findDue(
  { hours = [] }: StopIndex,
  at: number,
  timeZone: string | null,
): Date | null {
  const due = nextDue(hours, at, timeZone);
  return due === null ? null : new Date(due);
}

/** Returns false if nothing changes. The caller has locked the snapshot. */
export async function patchStored(
  tx: Sql,
  organizationId: number,
  snapshot: Pick<SnapshotRow, 'revision' | 'payload' | 'availability'>,
  availability: Availability,
): Promise<boolean> {
  const before = snapshot.payload.toString('utf8');
  const text = withAvailability(before, availability.flags);
  const lists = availabilityText(snapshot.revision, availability);
  if (text === before && lists === snapshot.availability.toString('utf8')) return false;
  await writePatch(tx, organizationId, { encoded: await encode(text), availability: lists });
  await notifyInstances(tx, organizationId);
  const data = { revision: snapshot.revision };
  await recordEvents(tx, 'availability.changed', [{ id: organizationId, organizationId, data }]);

  return true;
}

async function finalBytes(
  prepared: PreparedSnapshot,
  revision: number,
  availability: Availability,
): Promise<Encoded> {
  const { guess, organizationErpId, generatedAt, template } = prepared;
  const isSame =
    guess.revision === revision && guess.flags.every((flag, at) => flag === availability.flags[at]);

  return isSame
    ? guess.encoded
    : encode(menuText({ revision, organizationErpId, generatedAt }, template, availability.flags));
}

async function replace(
  tx: Sql,
  prepared: PreparedSnapshot,
  {
    revision,
    encoded,
    availability,
    hoursDueAt,
  }: { revision: number; encoded: Encoded; availability: Availability; hoursDueAt: Date | null },
): Promise<void> {
  const row = {
    organizationErpId: prepared.organizationErpId,
    revision,
    generatedAt: prepared.generatedAt,
    patchedAt: null,
    etag: encoded.etag,
    contentHash: prepared.contentHash,
    payload: encoded.identity,
    payloadGzip: encoded.gzip,
    payloadBr: encoded.br,
    availability: Buffer.from(availabilityText(revision, availability)),
    stopIndex: json(prepared.index),
    productCount: prepared.productCount,
    cardTexts: json(prepared.cardTexts),
    leftOut: leftOutBytes(prepared.leftOut),
    hoursDueAt,
  };

  // Updates refer to the excluded row, so that the bytes are sent only once.
  const columns = Object.keys(row) as (keyof typeof row)[];
  await tx.db
    .insertInto('snapshot')
    .values({ organizationId: prepared.organizationId, ...row })
    .onConflict((conflict) =>
      conflict
        .column('organizationId')
        .doUpdateSet((eb) =>
          Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)])),
        ),
    )
    .execute();
}

/** Returns true if another process has published newer facts, or the pin has changed. */
async function isStale(tx: Sql, prepared: PreparedSnapshot | OversizedSnapshot): Promise<boolean> {
  const request = await tx.db
    .selectFrom('snapshot_request')
    .select('builtSeq')
    .where('organizationId', '=', prepared.organizationId)
    .executeTakeFirst();
  if (request !== undefined && request.builtSeq > prepared.dirtySeq) return true;

  return (await readPin(tx, prepared.organizationId))?.id !== prepared.pin?.id;
}

async function settle(
  tx: Sql,
  prepared: PreparedSnapshot,
  outcome: Publication['outcome'],
  revision: number,
): Promise<Publication> {
  const { organizationId, dirtySeq } = prepared;
  const pending = await markBuilt(tx, organizationId, dirtySeq);
  // A superseded build publishes no changes.
  const causes = outcome === 'SUPERSEDED' ? [] : await takeCauses(tx, organizationId, dirtySeq);
  if (outcome === 'PUBLISHED') await recordCauses(tx, organizationId, revision, causes);

  return { outcome, revision, pending };
}

/**
 * Keeps the published menu, notifies administrators, and marks the reasons as handled, because
 * another build would be as large. Returns true if newer reasons exist. Idempotent.
 */
export async function refuseOversized(
  db: Database,
  oversized: OversizedSnapshot,
): Promise<boolean> {
  const { organizationId, dirtySeq, bytes, parts } = oversized;
  return db.transaction(async (tx) => {
    const snapshot = await lockSnapshot(tx, organizationId);
    if (!(await isStale(tx, oversized))) {
      await recordTooLarge(tx, organizationId, { bytes, parts });
      await raiseNotification(tx, {
        kind: 'SNAPSHOT_TOO_LARGE',
        subjectType: 'organization',
        subjectId: organizationId,
        details: {
          organizationId,
          bytes,
          limitBytes: MENU_MAX_BYTES,
          parts,
          servedRevision: snapshot?.revision ?? null,
        },
      });
    }

    return markBuilt(tx, organizationId, dirtySeq);
  });
}

async function forgetOversize(tx: Sql, organizationId: number): Promise<void> {
  await forgetTooLarge(tx, organizationId);
  await resolveNotification(tx, 'SNAPSHOT_TOO_LARGE', 'organization', organizationId);
}
