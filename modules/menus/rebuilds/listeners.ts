import type { Listeners } from '../../../kernel/events/listeners.ts';
import { wakeRebuilds, type RebuildDeps } from './wake-rebuilds.ts';

export const REBUILD_LISTENERS = {
  ErpMenuImported: async ({ organizationIds, changed }, deps) => {
    if (changed) await wakeRebuilds(deps, organizationIds);
  },
  ErpOrganizationsChanged: ({ organizationIds }, deps) => wakeRebuilds(deps, organizationIds),
  CatalogChanged: ({ organizationIds }, deps) => wakeRebuilds(deps, organizationIds),
  SnapshotPinChanged: ({ organizationId }, deps) => wakeRebuilds(deps, [organizationId]),
} satisfies Listeners<RebuildDeps>;
