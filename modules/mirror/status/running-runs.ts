import { sql } from 'kysely';
import type { RunningRun } from '../schemas/sync-status.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { runHeads } from '../runs/run-record.ts';

/** More than this run only when something is wrong; the oldest say what. */
const SHOWN = 200;

/** Runs at work, oldest first. */
export function runningRuns(database: Sql): Promise<RunningRun[]> {
  return runHeads(database)
    .select(sql<number>`extract(epoch from now() - run.started_at)::int`.as('ageSeconds'))
    .where('run.status', '=', 'RUNNING')
    .orderBy('run.id')
    .limit(SHOWN)
    .execute();
}
