import type { Sql } from '../../../platform/db/database.ts';
import { appendOutbox } from '../../../kernel/outbox.ts';
import {
  evaluateAvailability,
  type Availability,
  type StopIndex,
} from '../rules/snapshot/availability.ts';
import { readTimeZone } from '../offers/read-clock.ts';
import { currentStops, type StopSettings } from '../offers/read-stops.ts';
import { isOpenAt } from '../rules/offers/hours.ts';
import { markDirty } from '../rebuilds/mark-dirty.ts';
import type { SnapshotDeps } from './build-snapshot.ts';
import { findDue, patchStored } from './publish-snapshot.ts';
import { lockSnapshot } from './snapshot-row.ts';

export type PatchResult = {
  /** NO_SNAPSHOT means that the first build will read the stops. */
  outcome: 'PATCHED' | 'UNCHANGED' | 'NO_SNAPSHOT';
  /** True if a rebuild must hide or restore dishes (HIDE). The outbox then signals it. */
  rebuild: boolean;
};

/**
 * Applies stop-list and hours to a published menu: new ETag, same revision (SNP-18, SNP-76).
 * Ignores contents of events, so that their order does not matter. Idempotent.
 */
export async function patchAvailability(
  deps: SnapshotDeps,
  organizationId: number,
): Promise<PatchResult> {
  const result = await deps.db.transaction(async (tx): Promise<PatchResult> => {
    const snapshot = await lockSnapshot(tx, organizationId);
    if (snapshot === undefined) return { outcome: 'NO_SNAPSHOT', rebuild: false };
    const { balance, settings } = await currentStops(tx, organizationId);
    const at = Date.now();
    const timeZone = await readTimeZone(tx, organizationId);
    const availability = evaluateAvailability(snapshot.stopIndex, balance, isOpenAt(at, timeZone));
    await moveDue(tx, organizationId, findDue(snapshot.stopIndex, at, timeZone));
    const patched = await patchStored(tx, organizationId, snapshot, availability);
    const rebuild = mustRebuild(snapshot.stopIndex, availability, settings);
    if (rebuild) await askForRebuild(tx, organizationId);

    return { outcome: patched ? 'PATCHED' : 'UNCHANGED', rebuild };
  });

  deps.log.info({ organizationId, ...result }, 'availability patched');

  return result;
}

/** HIDE removes and restores dishes, which a patch cannot do. */
function mustRebuild(
  index: StopIndex,
  availability: Availability,
  settings: StopSettings,
): boolean {
  return settings.behavior === 'HIDE' ? availability.isOtherThanShown : index.hidden.length > 0;
}

async function askForRebuild(tx: Sql, organizationId: number): Promise<void> {
  await markDirty(tx, 'stop-list', [organizationId]);
  await appendOutbox(tx, 'CatalogChanged', {
    organizationIds: [organizationId],
    reason: 'stop-list',
  });
}

async function moveDue(
  { db }: Sql,
  organizationId: number,
  hoursDueAt: Date | null,
): Promise<void> {
  await db
    .updateTable('snapshot')
    .set({ hoursDueAt })
    .where('organizationId', '=', organizationId)
    .where('hoursDueAt', 'is distinct from', hoursDueAt)
    .execute();
}
