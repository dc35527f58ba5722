import { MENU_MAX_BYTES } from '../schemas/menu.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { newestReason, recordBrokenBuild } from '../rebuilds/build-result.ts';
import { mayPass, SnapshotBroken } from './snapshot-broken.ts';
import {
  prepareSnapshot,
  type OversizedSnapshot,
  type PreparedSnapshot,
} from './prepare-snapshot.ts';
import { publishSnapshot, refuseOversized, type Publication } from './publish-snapshot.ts';

export type SnapshotDeps = { db: Database; log: Log; metrics: Metrics };

export type BuildResult =
  | Publication
  | { outcome: 'TOO_LARGE'; revision: null; pending: boolean }
  | { outcome: 'INACTIVE'; revision: null; pending: false };

/**
 * Builds and publishes a menu. A menu that is too large is retried after the next change.
 * Idempotent. Throws SnapshotBroken for facts that cannot be built (SNP-46), and rethrows database
 * errors.
 */
export async function buildSnapshot(
  deps: SnapshotDeps,
  organizationId: number,
): Promise<BuildResult> {
  const { log, metrics } = deps;
  const started = performance.now();
  const prepared = await prepare(deps, organizationId);
  const result = await conclude(deps, organizationId, prepared);
  const ms = Math.round(performance.now() - started);
  metrics.snapshotBuilds.inc({ outcome: result.outcome.toLowerCase() });
  metrics.snapshotBuildDuration.observe(ms / 1000);
  log.info(
    { organizationId, outcome: result.outcome, revision: result.revision, ms },
    'snapshot built',
  );

  return result;
}

async function prepare({ db, log, metrics }: SnapshotDeps, organizationId: number) {
  const dirtySeq = await newestReason(db, organizationId);
  try {
    return await prepareSnapshot(db, organizationId, new Date());
  } catch (error) {
    if (mayPass(error)) throw error;
    const broken = new SnapshotBroken(organizationId, error);
    metrics.snapshotBuilds.inc({ outcome: 'broken' });
    log.error(
      { organizationId, err: error },
      'the menu cannot be built and the previous one stays',
    );

    await recordBrokenBuild(db, organizationId, { dirtySeq, failure: broken.message });

    throw broken;
  }
}

async function conclude(
  { db, log }: SnapshotDeps,
  organizationId: number,
  prepared: PreparedSnapshot | OversizedSnapshot | null,
): Promise<BuildResult> {
  if (prepared === null) return { outcome: 'INACTIVE', revision: null, pending: false };
  if (prepared.kind === 'TOO_LARGE') {
    const { kind: outcome, bytes, parts } = prepared;
    const limitBytes = MENU_MAX_BYTES;
    log.error(
      { organizationId, bytes, limitBytes, parts },
      'the menu is larger than 1 MB and was not published',
    );

    return { outcome, revision: null, pending: await refuseOversized(db, prepared) };
  }

  if (prepared.leftOut !== null) {
    const { fields } = prepared.leftOut;
    log.warn(
      { organizationId, fields },
      'the menu would be larger than 1 MB and leaves fields out',
    );
  }

  const broken = prepared.omitted.filter(({ reason }) => reason !== 'NOT_SOLD_HERE');
  if (broken.length > 0)
    log.warn({ organizationId, omitted: broken.slice(0, 20) }, 'published products left out');

  return publishSnapshot(db, prepared);
}
