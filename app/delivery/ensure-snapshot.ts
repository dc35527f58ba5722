import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problem.ts';
import { buildSnapshot, type SnapshotDeps } from '../snapshot/build-snapshot.ts';

/** First key of the advisory lock of synchronous builds; the second is the organization id. */
const BUILD_LOCK = 4_201_004;
const RETRY_EVERY_MS = 100;
const GIVE_UP_AFTER_MS = 15_000;

/**
 * Makes sure that one organization has a stored menu (spec 2, Snapshot building 5). One process builds; the others ask
 * again every 100 ms and hold no connection meanwhile. Within a process builds run one after the other, because each
 * needs two connections of the pool. Throws `unavailable` when nobody has finished within 15 s.
 */
export function createEnsureSnapshot(deps: SnapshotDeps): (organizationId: number) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
  return async (organizationId) => {
    const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
    while ((await inTurn(() => tryBuild(deps, organizationId))) === 'BUSY') {
      if (performance.now() > giveUpAt)
        throw new Problem('unavailable', { detail: 'The menu is being built.', headers: { 'Retry-After': '5' } });
      await delay(RETRY_EVERY_MS);
    }
  };
}

async function tryBuild(deps: SnapshotDeps, organizationId: number): Promise<'BUSY' | 'DONE'> {
  return deps.db.bulkTransaction(async (tx) => {
    const [lock] = await tx.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1::int, $2::int) as taken', [
      BUILD_LOCK,
      organizationId,
    ]);
    if (lock?.taken !== true) return 'BUSY';
    const stored = await tx.query('select 1 from snapshot where organization_id = $1', [organizationId]);
    if (stored.length === 0) await buildSnapshot(deps, organizationId);
    return 'DONE';
  });
}
