import { sql } from 'kysely';
import type { RunningRun } from '../../../contracts/observability.ts';
import type { Sql } from '../../database.ts';

/** More than this run only when something is wrong; the oldest say what. */
const SHOWN = 200;

/** Runs at work, oldest first. */
export function runningRuns({ db }: Sql): Promise<RunningRun[]> {
  return db
    .selectFrom('sync_run as run')
    .leftJoin('mirror_external_menu as menu', 'menu.id', 'run.externalMenuId')
    .select([
      'run.id',
      'run.job',
      'run.connectionId',
      'menu.erpId as externalMenuId',
      // Every run has one from its first moment on.
      (eb) => eb.ref('run.mode').$notNull().as('mode'),
      'run.trigger',
      'run.startedAt',
      sql<number>`extract(epoch from now() - run.started_at)::int`.as('ageSeconds'),
    ])
    .where('run.status', '=', 'RUNNING')
    .orderBy('run.id')
    .limit(SHOWN)
    .execute();
}
