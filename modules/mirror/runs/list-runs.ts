import { sql } from 'kysely';
import type { Job, RunStatus, RunTrigger } from '../rules/jobs.ts';
import type { ImportPlan, Run, RunDetail } from '../schemas/mirror.ts';
import { Problem } from '../../../kernel/problem.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import {
  readCursorPage,
  type CursorPage,
  type CursorPaging,
  type ListOrder,
} from '../../../kernel/cursor-pages.ts';
import { runRecords } from './run-record.ts';

/**
 * `organizationId`: imports that include this restaurant now. `changed`: whether the run has
 * written something.
 */
export type RunFilter = CursorPaging & {
  job?: Job | undefined;
  statuses?: readonly RunStatus[] | undefined;
  connectionId?: number | undefined;
  externalMenuId?: number | undefined;
  organizationId?: number | undefined;
  trigger?: RunTrigger | undefined;
  reason?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  changed?: boolean | undefined;
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

/** Returns one page of runs, newest first (MIR-98). */
export function listRuns(tx: Sql, filter: RunFilter): Promise<CursorPage<Run>> {
  const {
    job,
    statuses,
    connectionId,
    externalMenuId,
    organizationId,
    trigger,
    reason,
    from,
    to,
    changed,
  } = filter;

  return readCursorPage(
    tx,
    runRecords(tx)
      .$if(job !== undefined, (all) => all.where('run.job', '=', job!))
      .$if(statuses !== undefined, (all) => all.where('run.status', '=', anyOf(statuses!, 'text')))
      .$if(connectionId !== undefined, (all) => all.where('run.connectionId', '=', connectionId!))
      .$if(externalMenuId !== undefined, (all) =>
        all.where('run.externalMenuId', '=', externalMenuId!),
      )
      .$if(organizationId !== undefined, (all) => all.where(includes(organizationId!)))
      .$if(trigger !== undefined, (all) => all.where('run.trigger', '=', trigger!))
      .$if(reason !== undefined, (all) => all.where('run.reason', '=', reason!))
      .$if(from !== undefined, (all) => all.where('run.startedAt', '>=', new Date(from!)))
      .$if(to !== undefined, (all) => all.where('run.startedAt', '<', new Date(to!)))
      .$if(changed !== undefined, (all) =>
        all.where(changed! ? HAS_CHANGED : sql<boolean>`not ${HAS_CHANGED}`),
      ),
    filter,
    ORDER,
  );
}

/** Must equal the expression of the index sync_run_changed_index. */
const HAS_CHANGED = sql<boolean>`(run.status = 'SUCCESS' and jsonb_path_exists(run.result,
  '$.applied.** ? (@.changed == true || @.changed > 0 || @.created > 0 || @.updated > 0 || @.deactivated > 0)'))`;

const includes = (organizationId: number) => sql<boolean>`(
  run.connection_id = (select connection_id from mirror_organization where id = ${organizationId})
  and (run.external_menu_id is null or run.external_menu_id in (
    select external_menu_id from menu_of_organization where organization_id = ${organizationId})))`;

/** Problem `not-found`. */
export function getRun(tx: Sql, id: number): Promise<Omit<RunDetail, 'progress'>> {
  return runRecords(tx)
    .select(sql<ImportPlan | null>`run.result -> 'plan'`.as('plan'))
    .where('run.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such run' }));
}
