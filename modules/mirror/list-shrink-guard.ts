import { sql } from 'kysely';
import type { Job } from './rules/jobs.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { isSuspiciousList } from './rules/shrink.ts';
import { raiseNotification, resolveNotification } from '../notifications/raise-notification.ts';
import { readSettings } from '../settings/read-settings.ts';
import { ImportRefused, LIST_REFUSALS, type ListRefusal } from './import-refused.ts';

export type ListRun = { runId: number; connectionId: number; job: Job };

/**
 * Restaurants that had rows and have none in the answer. `what`: kind of rows for the message.
 * `isEmpty`: the answer is empty, like that of an empty account.
 */
export type Loss = { had: number; lost: readonly number[]; what: string; isEmpty?: boolean };

const REPORTED: readonly Job[] = ['ORGANIZATIONS', 'TERMINALS', 'ZONES'];

/**
 * Rejects a list that removes all rows of more restaurants than the shrink threshold allows
 * (MIR-45), as ImportRefused SUSPICIOUS_LIST or EMPTY_LIST. The next list is accepted if it removes
 * the same: consecutive bad answers of a recovering ERP rarely affect the same restaurants. The
 * loss of a single restaurant is accepted, unless the list is empty: it may have closed.
 */
export async function guardListShrink(
  tx: Tx,
  run: ListRun,
  { had, lost, what, isEmpty = false }: Loss,
): Promise<void> {
  const threshold = await readSettings(tx, 'sync.shrink_threshold_percent');
  const takesMuch = isSuspiciousList(
    { had, lost: lost.length },
    threshold['sync.shrink_threshold_percent'],
  );
  if (!takesMuch && !(isEmpty && lost.length > 0)) return;
  const refused = new Set(await refusedBefore(tx, run));
  if (lost.length === refused.size && lost.every((id) => refused.has(id))) {
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
 * Notifies administrators of a rejected list, in the transaction that ends the run. Stop-lists are
 * not reported: the next one follows within a minute, and a chain may release everything in the
 * morning.
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
 * Resolves the notifications of {@link reportRefusedList} after a list of this job was applied. The
 * one of an empty list remains until a list is not empty.
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

/** Resolves the notifications of a disabled connection, which imports no further list. */
export async function settleAllRefusedLists(db: Database, connectionId: number): Promise<void> {
  await db.transaction(async (tx) => {
    for (const job of REPORTED) await settleRefusedList(tx, { connectionId, job });
  });
}

/** One notification per job; an empty list of organizations concerns the whole connection. */
const subjectOf = (refusal: ListRefusal, job: ListRun['job']): string =>
  refusal === 'EMPTY_LIST' ? 'connection' : `list-${job.toLowerCase().replaceAll('_', '-')}`;

/**
 * Organizations that the last list of this job would have removed, if it was rejected. Runs that
 * failed for other reasons contained no list.
 */
async function refusedBefore(
  { db }: Tx,
  { runId, connectionId, job }: ListRun,
): Promise<readonly number[]> {
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
        // The previous list of the same run.
        eb.and([eb('id', '=', runId), sql<boolean>`result ? 'lost'`]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (last?.status === 'SUCCESS' ? null : last?.lost) ?? [];
}
