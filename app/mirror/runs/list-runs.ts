import type { RunDetail } from '../../../contracts/mirror.ts';
import type { Job, RunStatus } from '../../../contracts/jobs.ts';
import { Problem } from '../../../contracts/problem.ts';
import type { Sql } from '../../../db/database.ts';
import { RUN_COLUMNS, RUN_SOURCE, type RunRecord } from './run-record.ts';

export type RunFilter = {
  job?: Job | undefined;
  status?: RunStatus | undefined;
  /** From 1. */
  page: number;
  size: number;
};

/** One page of runs, newest first, with the number of all that match. */
export async function listRuns(
  sql: Sql,
  filter: RunFilter,
): Promise<{ items: RunRecord[]; page: number; size: number; total: number }> {
  const { page, size } = filter;
  const conditions = [filter.job ?? null, filter.status ?? null];
  const where = '($1::text is null or run.job = $1) and ($2::text is null or run.status = $2)';
  const [count] = await sql.query<{ total: number }>(
    `select count(*) as total from sync_run run where ${where}`,
    conditions,
  );
  const items = await sql.query<RunRecord>(
    `select ${RUN_COLUMNS} from ${RUN_SOURCE} where ${where} order by run.id desc limit $3 offset $4`,
    [...conditions, size, (page - 1) * size],
  );
  return { items, page, size, total: count?.total ?? 0 };
}

/** One run. Problem `not-found`. */
export async function getRun(sql: Sql, id: number): Promise<RunDetail> {
  const [run] = await sql.query<RunDetail>(
    `select ${RUN_COLUMNS}, run.result -> 'plan' as plan from ${RUN_SOURCE} where run.id = $1`,
    [id],
  );
  if (run === undefined) throw new Problem('not-found', { detail: 'No such run' });
  return run;
}
