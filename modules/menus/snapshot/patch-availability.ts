import type { Sql } from '../../../platform/db/database.ts';
import { appendOutbox } from '../../../kernel/outbox.ts';
import { availabilityOf, type Availability, type StopIndex } from '../rules/snapshot/availability.ts';
import { readTimeZone } from '../offers/read-clock.ts';
import { currentStops, type StopSettings } from '../offers/read-stops.ts';
import { isOpenAt } from '../rules/offers/hours.ts';
import { markDirty } from '../rebuilds/mark-dirty.ts';
import type { SnapshotDeps } from './build-snapshot.ts';
import { dueOf, patchStored } from './publish-snapshot.ts';
import { lockSnapshot } from './snapshot-row.ts';

export type PatchResult = {
  /** NO_SNAPSHOT: nothing is published yet; the first build reads the stops itself. */
  outcome: 'PATCHED' | 'UNCHANGED' | 'NO_SNAPSHOT';
  /**
   * True if the setting HIDE requires another menu: the rebuild is recorded and an outbox row
   * signals it.
   */
  rebuild: boolean;
};

/**
 * Updates the published menu of one organization from the current stop-list of the tables and the
 * hours of this moment: new ETag, same revision (rules SNP-18, SNP-76). It ignores the contents of
 * events, so repeated, lost and reordered events do no harm and a second call writes nothing.
 */
export async function patchAvailability(deps: SnapshotDeps, organizationId: number): Promise<PatchResult> {
  const result = await deps.db.transaction(async (tx): Promise<PatchResult> => {
    const stored = await lockSnapshot(tx, organizationId);
    if (stored === undefined) return { outcome: 'NO_SNAPSHOT', rebuild: false };
    const { balance, settings } = await currentStops(tx, organizationId);
    const at = Date.now();
    const timeZone = await readTimeZone(tx, organizationId);
    const availability = availabilityOf(stored.stopIndex, balance, isOpenAt(at, timeZone));
    await moveDue(tx, organizationId, dueOf(stored.stopIndex, at, timeZone));
    const patched = await patchStored(tx, organizationId, stored, availability);
    const rebuild = mustRebuild(stored.stopIndex, availability, settings);
    if (rebuild) await askForRebuild(tx, organizationId);
    return { outcome: patched ? 'PATCHED' : 'UNCHANGED', rebuild };
  });
  deps.log.info({ organizationId, ...result }, 'availability patched');
  return result;
}

/** With HIDE a stop removes dishes and its end restores them; a patch can do neither. */
function mustRebuild(index: StopIndex, availability: Availability, settings: StopSettings): boolean {
  return settings.behaviour === 'HIDE' ? availability.isOtherThanShown : index.hidden.length > 0;
}

async function askForRebuild(tx: Sql, organizationId: number): Promise<void> {
  await markDirty(tx, 'stop-list', [organizationId]);
  await appendOutbox(tx, 'CatalogChanged', { organizationIds: [organizationId], reason: 'stop-list' });
}

/** Stores the time of the next patch because of hours; menus without hours write nothing. */
async function moveDue({ db }: Sql, organizationId: number, hoursDueAt: Date | null): Promise<void> {
  await db
    .updateTable('snapshot')
    .set({ hoursDueAt })
    .where('organizationId', '=', organizationId)
    .where('hoursDueAt', 'is distinct from', hoursDueAt)
    .execute();
}
