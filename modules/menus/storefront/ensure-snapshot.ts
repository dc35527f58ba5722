import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../kernel/problem.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { advisory } from '../../../platform/db/locks.ts';
import { buildSnapshot, type SnapshotDeps } from '../snapshot/build-snapshot.ts';

const RETRY_EVERY_MS = 100;
const GIVE_UP_AFTER_MS = 15_000;

/**
 * Builds a missing menu (STO-8). One process builds, others poll every 100 ms without a connection;
 * builds of a process are serialized, because each needs two connections. Throws `unavailable`
 * after 15 s or for an oversized menu.
 */
export function createEnsureSnapshot(
  deps: SnapshotDeps,
): (organizationId: number) => Promise<void> {
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
        throw new Problem('unavailable', {
          detail: 'The menu is being built.',
          headers: { 'Retry-After': '5' },
        });

      await delay(RETRY_EVERY_MS);
    }
  };
}

async function tryBuild(deps: SnapshotDeps, organizationId: number): Promise<'BUSY' | 'DONE'> {
  return deps.db.transaction(async (tx) => {
    if (!(await advisory.tryFirstBuild(tx, organizationId))) return 'BUSY';
    const snapshot = await tx.db
      .selectFrom('snapshot')
      .select('revision')
      .where('organizationId', '=', organizationId)
      .executeTakeFirst();
    if (snapshot !== undefined) return 'DONE';

    if (await isKnownTooLarge(tx, organizationId)) throw tooLarge();
    const { outcome } = await buildSnapshot(deps, organizationId);
    if (outcome === 'TOO_LARGE') throw tooLarge();

    return 'DONE';
  });
}

/** Avoids a build that fails at each request. */
async function isKnownTooLarge({ db }: Sql, organizationId: number): Promise<boolean> {
  const request = await db
    .selectFrom('snapshot_request')
    .select('tooLargeBytes')
    .where('organizationId', '=', organizationId)
    .where('tooLargeBytes', 'is not', null)
    .whereRef('dirtySeq', '=', 'builtSeq')
    .executeTakeFirst();

  return request !== undefined;
}

function tooLarge(): Problem {
  return new Problem('unavailable', {
    detail: 'The menu is larger than 1 MB and was not published. Staff have been notified.',
    headers: { 'Retry-After': '300' },
  });
}
