import { sql } from 'kysely';
import type { HeldBack, ObservedShrink } from '../schemas/mirror.ts';
import { selectAuthor } from '../../access/authors.ts';
import type { Sql } from '../../../platform/db/database.ts';

/** Callers add columns. */
export const runHeads = ({ db }: Sql) =>
  db
    .selectFrom('sync_run as run')
    .leftJoin('mirror_external_menu as menu', 'menu.id', 'run.externalMenuId')
    .select([
      'run.id',
      'run.job',
      'run.connectionId',
      'run.externalMenuId',
      'menu.erpId as externalMenuErpId',
      (eb) => eb.ref('run.mode').$notNull().as('mode'),
      'run.trigger',
      'run.startedAt',
    ]);

export const runRecords = (database: Sql) =>
  runHeads(database).select([
    'run.organizationId',
    'run.status',
    'run.reason',
    'run.detail',
    selectAuthor('run.requestedBy').as('requestedBy'),
    selectAuthor('run.canceledBy').as('canceledBy'),
    'run.finishedAt',
    'run.organizations',
    'run.batches',
    'run.payloadBytes',
    'run.revisionFrom',
    'run.revisionTo',
    'run.categories',
    'run.items',
    'run.prices',
    'run.modifiers',
    sql<Record<string, unknown>>`coalesce(run.result #> '{applied,result}', '{}')`.as('result'),
    'run.anomalies',
    sql<ObservedShrink | null>`run.result -> 'shrink'`.as('shrink'),
    sql<HeldBack[]>`coalesce(run.result -> 'heldBack', '[]')`.as('heldBack'),
  ]);

/** Reasons of runs without a request, which are no successes. */
export const NOT_ASKED: readonly string[] = [
  'DISABLED',
  'OWNER_INACTIVE',
  'PAUSED',
  'MENU_INACTIVE',
  'MENU_DISABLED',
];

/** A condition on sync_run `run`: the ERP responded to the import. Plans do not count. */
const IS_SUCCESS = sql<boolean>`run.status in ('SUCCESS', 'SKIPPED')
  and (run.reason is null or run.reason <> all (${NOT_ASKED}::text[])) and run.mode is distinct from 'PLAN'`;

/** Joins the last success of each `import`, which has a connection, a job and a menu or null. */
export const LAST_SUCCESS = sql`left join lateral (
  select finished_at as at from sync_run run
   where run.connection_id = import.connection_id and run.job = import.job
     and run.external_menu_id is not distinct from import.external_menu_id and ${IS_SUCCESS}
   order by run.id desc limit 1) success on true`;
