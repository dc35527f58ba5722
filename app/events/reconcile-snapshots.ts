import type { EventDeps } from './event-deps.ts';
import { act } from './act.ts';

/**
 * Wakes the rebuild of every menu whose row is dirty for longer than any debounce may last, and the clock of every pin whose time is
 * over: its signal was lost, with Temporal's database or before. Returns their numbers; waking one that is at work only lets it look
 * again.
 */
export async function reconcileSnapshots(deps: EventDeps): Promise<{ woken: number; pinsEnded: number }> {
  const rows = await deps.db.query<{ id: number }>(
    `select request.organization_id as id from snapshot_request request
       join mirror_organization organization on organization.id = request.organization_id and organization.inactive_at is null
      where request.dirty_seq > request.built_seq and request.dirty_at < now() - $1 * interval '1 millisecond'
      order by request.dirty_at limit 1000`,
    [deps.debounce.debounceMaxMs],
  );
  const organizationIds = rows.map((row) => row.id);
  if (organizationIds.length > 0) await act(deps, { do: 'REBUILD_SNAPSHOTS', organizationIds });
  return { woken: organizationIds.length, pinsEnded: await wakeOverduePins(deps) };
}

async function wakeOverduePins(deps: EventDeps): Promise<number> {
  const pins = await deps.db.query<{ organizationId: number }>(
    `select organization_id as "organizationId" from snapshot_pin where until < now() order by until limit 1000`,
  );
  for (const { organizationId } of pins) await act(deps, { do: 'WATCH_PIN', organizationId });
  return pins.length;
}
