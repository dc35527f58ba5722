import { sql } from 'kysely';
import type { Job, RunStatus } from '../rules/jobs.ts';
import type { ImportPlan, Run, RunDetail } from '../schemas/mirror.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { runRecords } from './run-record.ts';

export type RunFilter = Paging & {
  job?: Job | undefined;
  status?: RunStatus | undefined;
};

/** One page of runs, newest first, with the number of all that match. */
export function listRuns(sql: Sql, filter: RunFilter): Promise<Page<Run>> {
  let query = runRecords(sql).orderBy('run.id', 'desc');
  if (filter.job !== undefined) query = query.where('run.job', '=', filter.job);
  if (filter.status !== undefined) query = query.where('run.status', '=', filter.status);
  return readPage(query, filter);
}

/** One run as its record says. Problem `not-found`. */
export function getRun(tx: Sql, id: number): Promise<Omit<RunDetail, 'progress'>> {
  return runRecords(tx)
    .select(sql<ImportPlan | null>`run.result -> 'plan'`.as('plan'))
    .where('run.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such run' }));
}
