import { sql } from 'kysely';
import type { Job } from './rules/jobs.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { isSuspiciousList } from './rules/shrink.ts';
import { raiseNotification, resolveNotification } from '../notifications/raise-notification.ts';
import { readSettings } from '../settings/read-settings.ts';
import { ImportRefused, LIST_REFUSALS, type ListRefusal } from './import-refused.ts';

export type ListRun = { runId: number; connectionId: number; job: Job };

/** Restaurants that have rows but none in the response. `isEmpty`: the whole response is empty. */
export type Loss = { had: number; lost: readonly number[]; what: string; isEmpty?: boolean };

const REPORTED: readonly Job[] = ['ORGANIZATIONS', 'TERMINALS', 'ZONES'];

/**
 * Throws ImportRefused if a list removes all rows of more restaurants than the threshold allows
 * (MIR-45). The next list is accepted if it removes the same: faulty responses of a recovering ERP
 * rarely affect the same restaurants twice.
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
    if (chooseRefusal(run, isEmpty) === 'EMPTY_LIST')
      await reportRefusedList(tx, run, 'EMPTY_LIST');
    return;
  }

  throw new ImportRefused(
    chooseRefusal(run, isEmpty),
    `${isEmpty ? 'The list is empty: ' : ''}${lost.length} of ${had} restaurants would lose their ${what}; the next list decides`,
    lost,
  );
}

const chooseRefusal = ({ job }: ListRun, isEmpty: boolean): ListRefusal =>
  isEmpty && job === 'ORGANIZATIONS' ? 'EMPTY_LIST' : 'SUSPICIOUS_LIST';

/**
 * Notifies administrators of a rejected list, in the transaction that ends the run. Excludes
 * stop-lists: the next one follows within a minute, and a chain may release everything in the
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
    subjectType: toSubject(refusal, job),
    subjectId: connectionId,
    details: { runId, connectionId, job },
  });
}

/**
 * Resolves the notifications of {@link reportRefusedList} after a list was applied. The
 * notification about an empty list stays while lists are empty.
 */
export async function settleRefusedList(
  tx: Tx,
  { connectionId, job }: Omit<ListRun, 'runId'>,
  { isEmpty = false }: Pick<Loss, 'isEmpty'> = {},
): Promise<void> {
  for (const refusal of LIST_REFUSALS)
    if (refusal !== 'EMPTY_LIST' || !isEmpty)
      await resolveNotification(tx, refusal, toSubject(refusal, job), connectionId);
}

export async function settleAllRefusedLists(db: Database, connectionId: number): Promise<void> {
  await db.transaction(async (tx) => {
    for (const job of REPORTED) await settleRefusedList(tx, { connectionId, job });
  });
}

/** An empty list of organizations concerns the whole connection. */
const toSubject = (refusal: ListRefusal, job: ListRun['job']): string =>
  refusal === 'EMPTY_LIST' ? 'connection' : `list-${job.toLowerCase().replaceAll('_', '-')}`;

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
        eb.and([eb('id', '=', runId), sql<boolean>`result ? 'lost'`]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

  return (last?.status === 'SUCCESS' ? null : last?.lost) ?? [];
}
