import type { Sql } from '../../../platform/db/database.ts';
import { latestRun } from '../../../platform/latest-run.ts';
import { mapFingerprint, readMapFacts, type MapFacts, type MapZone } from './read-map.ts';
import { createZoneIndex, type ZoneIndex } from './zone-index.ts';

export type DeliveryMap = Omit<MapFacts, 'zones'> & { index: ZoneIndex<MapZone> };

export type DeliveryMaps = { current(): Promise<DeliveryMap> };

const CHECKED_MS = 1_000;

/**
 * Creates the delivery map of a process. At most once a second, a call compares the fingerprint
 * with the database and reloads a changed map for all callers (decision 46).
 */
export function createDeliveryMaps(db: Sql, checkedMs = CHECKED_MS): DeliveryMaps {
  let known: { fingerprint: string; map: DeliveryMap } | null = null;
  let checkedAt = -Infinity;

  const refresh = latestRun<'map'>(async () => {
    // The time before the read, so that no commit is missed.
    const startTime = performance.now();
    const fingerprint = await mapFingerprint(db);
    if (known?.fingerprint !== fingerprint) {
      const { zones, ...rules } = await readMapFacts(db);
      known = { fingerprint, map: { ...rules, index: createZoneIndex(zones) } };
    }
    checkedAt = startTime;
  });

  return {
    async current() {
      if (performance.now() - checkedAt >= checkedMs) await refresh('map');
      return known!.map;
    },
  };
}
