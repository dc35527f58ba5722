import { isErpFailure } from '../../../erp/failure.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { connectionForImport } from '../../connections/connection-view.ts';
import { isImportRefused } from '../import-refused.ts';
import { importLock } from '../messages/sync.ts';
import { isPaused } from '../pauses/is-paused.ts';
import type { Job } from '../rules/jobs.ts';
import { askOrganizations } from './ask-organizations.ts';
import { closeRunIn, measureRun, type RunEnd } from './close-run.ts';
import type { MirrorDeps } from './fenced-import.ts';
import { saveAnswers, type Batches } from './import-in-batches.ts';
import { insertRun } from './open-run.ts';
import { recordAnswer, recordAsked } from './run-facts.ts';
import { enterRun, storeApplied, type Turn } from './run-fence.ts';

export type PollDeps = Pick<MirrorDeps, 'db' | 'erp' | 'metrics'>;

/**
 * CHANGED: nothing was written, and the import must run under its lock, also to record a failure.
 * SKIPPED: paused or not allowed.
 */
export type PollOutcome = 'UNCHANGED' | 'CHANGED' | 'SKIPPED';

type Polled = { job: Job; connectionId: number; externalMenuId?: number };

class Changed extends Error {}

/** Returns true if a scheduled run must be skipped (MIR-37, MIR-38). */
export async function isPollSkipped(
  { db }: Pick<MirrorDeps, 'db'>,
  polled: Polled,
): Promise<boolean> {
  const { skip } = await connectionForImport(db, polled.connectionId);
  return skip !== null || (await isPaused(db, polled));
}

/** Records a run without changes. `work` writes the other rows and may throw to roll back. */
export async function recordPoll(
  { db, metrics }: PollDeps,
  polled: Polled,
  { beganMs, end }: { beganMs: number; end: Omit<RunEnd, 'runId'> },
  work: (tx: Tx, runId: number) => Promise<void>,
): Promise<void> {
  const closed = await db.transaction(async (tx) => {
    const run = {
      ...polled,
      trigger: 'SCHEDULE',
      workflowId: importLock(polled),
      beganMs,
    } as const;

    const { runId } = await insertRun(tx, run);
    await work(tx, runId);

    return closeRunIn(tx, { ...end, runId });
  });
  if (closed !== undefined) measureRun(metrics, closed);
}

/**
 * Runs an import in batches, and commits only if `isChange` is false, so that a response older than
 * a concurrent import changes nothing. Returns CHANGED after ERP failures and rejected lists.
 */
export async function pollInBatches<
  Organization extends { id: number; erpId: string },
  Row extends { organizationId: string },
  Result,
>(
  deps: PollDeps,
  polled: Polled & { turn?: Turn },
  { organizations, perCall, ask, save }: Batches<Organization, Row, Result>,
  isChange: (result: Result) => boolean,
): Promise<PollOutcome> {
  if (await isPollSkipped(deps, polled)) return 'SKIPPED';
  const began = performance.now();
  const since = () => performance.now() - began;
  if (organizations.length === 0) {
    const end = { status: 'SKIPPED', reason: 'NO_ORGANIZATIONS' } as const;
    await recordPoll(deps, polled, { beganMs: since(), end }, async () => undefined);
    return 'UNCHANGED';
  }

  const counts = {
    organizations: organizations.length,
    calls: Math.ceil(organizations.length / perCall),
  };

  try {
    const answered = await askOrganizations(deps, polled, { organizations, perCall }, ask);
    const end = { status: 'SUCCESS', reason: null } as const;
    await recordPoll(deps, polled, { beganMs: since(), end }, async (tx, runId) => {
      const run = { ...polled, runId };
      await enterRun(tx, run);
      await recordAsked(tx, runId, counts);
      await recordAnswer(tx, runId, {
        bytes: answered.answers.reduce((sum, { bytes }) => sum + bytes, 0),
      });
      const result = await saveAnswers(tx, run, answered, save);
      if (isChange(result)) throw new Changed();
      await storeApplied(tx, runId, { result });
    });

    return 'UNCHANGED';
  } catch (error) {
    if (error instanceof Changed || isErpFailure(error) || isImportRefused(error)) return 'CHANGED';
    throw error;
  }
}
