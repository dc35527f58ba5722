import { sql } from 'kysely';
import type { Job, RunStatus } from '../rules/jobs.ts';
import type { ImportPlan, Run, RunDetail } from '../schemas/mirror.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { readCursorPage, type CursorPage, type CursorPaging, type ListOrder } from '../../../kernel/cursor-pages.ts';
import { runRecords } from './run-record.ts';

export type RunFilter = CursorPaging & {
  job?: Job | undefined;
  status?: RunStatus | undefined;
};

const ORDER: ListOrder = {
  own: [{ field: 'id', direction: 'desc' }],
  columns: {
    id: 'run.id',
    job: 'run.job',
    status: 'run.status',
    startedAt: 'run.startedAt',
    finishedAt: 'run.finishedAt',
  },
  nullable: ['finishedAt'],
};

/** One page of runs, newest first, with the number of all that match. */
export function listRuns(from: Sql, filter: RunFilter): Promise<CursorPage<Run>> {
  let query = runRecords(from);
  if (filter.job !== undefined) query = query.where('run.job', '=', filter.job);
  if (filter.status !== undefined) query = query.where('run.status', '=', filter.status);
  return readCursorPage(from, query, filter, ORDER);
}

/** One run from its record. Problem `not-found`. */
export function getRun(tx: Sql, id: number): Promise<Omit<RunDetail, 'progress'>> {
  return runRecords(tx)
    .select(sql<ImportPlan | null>`run.result -> 'plan'`.as('plan'))
    .where('run.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such run' }));
}
