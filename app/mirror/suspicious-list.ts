import type { Job } from '../../contracts/jobs.ts';
import type { Tx } from '../../db/database.ts';
import { isSuspicious } from '../../domain/mirror/shrink.ts';
import { raiseNotification, resolveNotification } from '../notifications/raise-notification.ts';
import { readSettings } from '../settings/read-settings.ts';
import { ImportRefused } from './import-refused.ts';

/** A run of a job whose answer replaces what the mirror has. */
export type ListRun = { runId: number; connectionId: number; job: Job };

/** Of the restaurants that had something, those that the answer leaves without it; `what`, in words: "terminal groups". */
export type Loss = { had: number; lost: number; what: string };

/**
 * A list that takes everything away from several restaurants, and from more of them than the threshold of a shrink, is more likely to
 * be a mistake than a fact (rule MIR-45). The first one ends its run as ImportRefused SUSPICIOUS_LIST and changes nothing; when the
 * next list of the job says the same, it is believed. One restaurant alone is always believed: it may have closed.
 */
export async function requireCredible(tx: Tx, run: ListRun, { had, lost, what }: Loss): Promise<void> {
  const threshold = await readSettings(tx, 'sync.shrink_threshold_percent');
  const percent = had === 0 ? 0 : (lost / had) * 100;
  if (lost < 2 || !isSuspicious({ percent }, threshold['sync.shrink_threshold_percent'])) return;
  if (await wasRefusedBefore(tx, run)) return;
  throw new ImportRefused(
    'SUSPICIOUS_LIST',
    `${lost} of ${had} restaurants would lose their ${what}; the next list decides`,
  );
}

/**
 * Tells administrators of a refused list, until a list of the same job is applied. Not of a stop-list: the next one comes within a
 * minute, and a chain may well release everything in the morning. In the transaction that ends the run.
 */
export async function reportSuspiciousList(tx: Tx, { runId, connectionId, job }: ListRun): Promise<void> {
  if (job === 'STOP_LIST') return;
  await raiseNotification(tx, {
    kind: 'SUSPICIOUS_LIST',
    subjectType: subjectOf(job),
    subjectId: connectionId,
    details: { runId, connectionId, job },
  });
}

/** Resolves the notification of {@link reportSuspiciousList}: a list of this job was applied. */
export async function settleSuspiciousList(tx: Tx, { connectionId, job }: Omit<ListRun, 'runId'>): Promise<void> {
  await resolveNotification(tx, 'SUSPICIOUS_LIST', subjectOf(job), connectionId);
}

/** Each job of a connection has a notification of its own. */
const subjectOf = (job: ListRun['job']): string => `list-${job.toLowerCase().replaceAll('_', '-')}`;

/** Whether the last list of this job was refused: runs that failed for other reasons have shown no list. */
async function wasRefusedBefore({ db }: Tx, { runId, connectionId, job }: ListRun): Promise<boolean> {
  const last = await db
    .selectFrom('sync_run')
    .select('reason')
    .where('connectionId', '=', connectionId)
    .where('job', '=', job)
    .where('id', '<', runId)
    .where((eb) => eb.or([eb('status', '=', 'SUCCESS'), eb('reason', '=', 'SUSPICIOUS_LIST')]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.reason === 'SUSPICIOUS_LIST';
}
