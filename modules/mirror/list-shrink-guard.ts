import { sql } from 'kysely';
import type { Job } from './rules/jobs.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { isSuspiciousList } from './rules/shrink.ts';
import { raiseNotification, resolveNotification } from '../notifications/raise-notification.ts';
import { readSettings } from '../settings/read-settings.ts';
import { ImportRefused, LIST_REFUSALS, type ListRefusal } from './import-refused.ts';

/** A run of a job whose answer replaces what the mirror has. */
export type ListRun = { runId: number; connectionId: number; job: Job };

/**
 * Ids of the restaurants that had rows and have none in the answer; `what` is the kind of rows,
 * such as "terminal groups". `isEmpty`: the answer is empty, which does not distinguish an empty
 * account.
 */
export type Loss = { had: number; lost: readonly number[]; what: string; isEmpty?: boolean };

/** Jobs whose rejected lists trigger a notification. */
const REPORTED: readonly Job[] = ['ORGANIZATIONS', 'TERMINALS', 'ZONES'];

/**
 * Checks a list that would remove all rows of several restaurants, and of more of them than the
 * shrink threshold: it is probably wrong (rule MIR-45). It is rejected as ImportRefused
 * SUSPICIOUS_LIST, or EMPTY_LIST if it is empty, and changes nothing. The next list, which the same
 * run requests after a pause, is accepted if it removes the same: consecutive bad answers of a
 * recovering ERP rarely affect the same restaurants. A single restaurant is accepted immediately,
 * unless the list is empty: it may have closed. Administrators are notified of an accepted empty
 * list.
 */
export async function guardListShrink(tx: Tx, run: ListRun, { had, lost, what, isEmpty = false }: Loss): Promise<void> {
  const threshold = await readSettings(tx, 'sync.shrink_threshold_percent');
  const takesMuch = isSuspiciousList({ had, lost: lost.length }, threshold['sync.shrink_threshold_percent']);
  if (!takesMuch && !(isEmpty && lost.length > 0)) return;
  const refused = new Set(await refusedBefore(tx, run));
  if (lost.length === refused.size && lost.every((id) => refused.has(id))) {
    // Accepted, but reported to administrators.
    if (refusalOf(run, isEmpty) === 'EMPTY_LIST') await reportRefusedList(tx, run, 'EMPTY_LIST');
    return;
  }
  throw new ImportRefused(
    refusalOf(run, isEmpty),
    `${isEmpty ? 'The list is empty: ' : ''}${lost.length} of ${had} restaurants would lose their ${what}; the next list decides`,
    lost,
  );
}

const refusalOf = ({ job }: ListRun, isEmpty: boolean): ListRefusal =>
  isEmpty && job === 'ORGANIZATIONS' ? 'EMPTY_LIST' : 'SUSPICIOUS_LIST';

/**
 * Notifies administrators of a rejected list, until a list of the same job is applied. Not of a
 * stop-list: the next one comes within a minute, and a chain may well release everything in the
 * morning. In the transaction that ends the run.
 */
export async function reportRefusedList(
  tx: Tx,
  { runId, connectionId, job }: ListRun,
  refusal: ListRefusal,
): Promise<void> {
  if (!REPORTED.includes(job)) return;
  await raiseNotification(tx, {
    kind: refusal,
    subjectType: subjectOf(refusal, job),
    subjectId: connectionId,
    details: { runId, connectionId, job },
  });
}

/**
 * Resolves the notifications of {@link reportRefusedList}: a list of this job was applied. That of
 * an empty list stays until a list is not empty.
 */
export async function settleRefusedList(
  tx: Tx,
  { connectionId, job }: Omit<ListRun, 'runId'>,
  { isEmpty = false }: Pick<Loss, 'isEmpty'> = {},
): Promise<void> {
  for (const refusal of LIST_REFUSALS)
    if (refusal !== 'EMPTY_LIST' || !isEmpty)
      await resolveNotification(tx, refusal, subjectOf(refusal, job), connectionId);
}

/** Resolves them for a connection that was disabled: no later list can decide. */
export async function settleAllRefusedLists(db: Database, connectionId: number): Promise<void> {
  await db.transaction(async (tx) => {
    for (const job of REPORTED) await settleRefusedList(tx, { connectionId, job });
  });
}

/**
 * Each job of a connection has a notification of its own; only organizations are all that a
 * connection has.
 */
const subjectOf = (refusal: ListRefusal, job: ListRun['job']): string =>
  refusal === 'EMPTY_LIST' ? 'connection' : `list-${job.toLowerCase().replaceAll('_', '-')}`;

/**
 * Reads the organizations that would have lost rows by the last list of this job, if it was
 * rejected: runs that failed for other reasons have shown no list.
 */
async function refusedBefore({ db }: Tx, { runId, connectionId, job }: ListRun): Promise<readonly number[]> {
  const last = await db
    .selectFrom('sync_run')
    .select(['status', sql<number[] | null>`result -> 'lost'`.as('lost')])
    .where('connectionId', '=', connectionId)
    .where('job', '=', job)
    .where('id', '<=', runId)
    .where((eb) =>
      eb.or([
        eb('status', '=', 'SUCCESS'),
        eb('reason', 'in', LIST_REFUSALS),
        // The list that this run has requested before.
        eb.and([eb('id', '=', runId), sql<boolean>`result ? 'lost'`]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (last?.status === 'SUCCESS' ? null : last?.lost) ?? [];
}
