import type { Sql } from '../../../platform/db/database.ts';
import { latestRun } from '../../../platform/latest-run.ts';
import { mapFingerprint, readMapFacts, type MapFacts, type MapZone } from './read-map.ts';
import { createZoneIndex, type ZoneIndex } from './zone-index.ts';

/** The zones of all organizations, prepared for queries. */
export type DeliveryMap = Omit<MapFacts, 'zones'> & { index: ZoneIndex<MapZone> };

/** The delivery map as the database has it, or has had it a moment ago. */
export type DeliveryMaps = { current(): Promise<DeliveryMap> };

/** A change of the map acts within this time in every instance. */
const CHECKED_MS = 1_000;

/**
 * Keeps the delivery map of one process in memory. A call that finds it unchecked for a second
 * compares its fingerprint with the database, which is one short statement; the map itself is read
 * again only when it has changed, once for all who wait for it (decision 46).
 */
export function createDeliveryMaps(db: Sql, checkedMs = CHECKED_MS): DeliveryMaps {
  let known: { fingerprint: string; map: DeliveryMap } | null = null;
  let checkedAt = -Infinity;

  const refresh = latestRun<'map'>(async () => {
    // Read before the facts: commits in between are read twice and never missed.
    const begun = performance.now();
    const fingerprint = await mapFingerprint(db);
    if (known?.fingerprint !== fingerprint) {
      const { zones, ...rules } = await readMapFacts(db);
      known = { fingerprint, map: { ...rules, index: createZoneIndex(zones) } };
    }
    checkedAt = begun;
  });

  return {
    async current() {
      if (performance.now() - checkedAt >= checkedMs) await refresh('map');
      return known!.map;
    },
  };
}
