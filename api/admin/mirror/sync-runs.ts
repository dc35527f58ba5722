import { Type } from 'typebox';
import { acceptShrink } from '../../../modules/mirror/runs/accept-shrink.ts';
import { cancelRun } from '../../../modules/mirror/runs/cancel-run.ts';
import { listRuns } from '../../../modules/mirror/runs/list-runs.ts';
import { getRunWithProgress } from '../../../modules/mirror/runs/run-progress.ts';
import { startImport } from '../../../modules/mirror/runs/start-import.ts';
import { JOBS, RUN_STATUSES, RUN_TRIGGERS } from '../../../modules/mirror/rules/jobs.ts';
import { NewRun, Run, RunDetail, StartedRun } from '../../../modules/mirror/schemas/mirror.ts';
import { CursorPage, Id, OrganizationId, Strict, Words } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, toCursorPage, cursorQuery, sortQuery } from '../../http/schemas.ts';
import { readSyncStatus } from '../../../modules/sync-status/sync-status.ts';
import { SyncStatus } from '../../../modules/mirror/schemas/sync-status.ts';

const tags = ['Imports'];
const Reason = Strict({ reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }) });
const Moment = Type.String({ format: 'date-time' });

const startRunRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/sync/run',
  operationId: 'startSyncRun',
  summary: 'Start an import',
  description:
    "The import runs in the background; `/sync/runs/{id}` shows its progress. `scope` is the ERP's id of the " +
    'external menu for MENU (`externalMenuErpId`) and the id of the connection for the other jobs. An import that is running is not started a ' +
    'second time. Mode PLAN computes what a full import would do and changes nothing.',
  tags,
  permission: 'sync.run',
  idempotent: true,
  body: NewRun,
  responses: { 202: StartedRun },
  problems: ['already-running', 'unavailable'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 202,
    body: await startImport(deps, actor, body, idempotency),
  }),
});

const listRunsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/sync/runs',
  operationId: 'listSyncRuns',
  summary: 'Import runs',
  description: 'The newest runs come first.',
  tags,
  permission: 'sync.read',
  query: Strict({
    ...cursorQuery,
    ...sortQuery(['id', 'job', 'status', 'startedAt', 'finishedAt']),
    job: Type.Optional(Words(JOBS)),
    status: Type.Optional(
      Type.Array(Words(RUN_STATUSES), { description: 'Keeps runs with one of these statuses.' }),
    ),
    connection_id: Type.Optional(Id),
    external_menu_id: Type.Optional({ ...Id, description: 'Keeps runs of this external menu.' }),
    organization_id: Type.Optional({
      ...OrganizationId,
      description: 'Keeps runs of imports that include this restaurant now.',
    }),
    trigger: Type.Optional(Words(RUN_TRIGGERS)),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Keeps runs that ended with this reason.',
      }),
    ),
    from: Type.Optional({
      ...Moment,
      description: 'Keeps runs that began at this moment or later.',
    }),
    to: Type.Optional({ ...Moment, description: 'Keeps runs that began before this moment.' }),
    changed: Type.Optional(
      Type.Boolean({
        description: 'Keeps runs that have written something (true) or nothing (false).',
      }),
    ),
  }),
  responses: { 200: CursorPage(Run) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listRuns(db, {
      ...toCursorPage(query),
      job: query.job,
      statuses: query.status,
      connectionId: query.connection_id,
      externalMenuId: query.external_menu_id,
      organizationId: query.organization_id,
      trigger: query.trigger,
      reason: query.reason,
      from: query.from,
      to: query.to,
      changed: query.changed,
    }),
  }),
});

const getRunRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/sync/runs/{id}',
  operationId: 'getSyncRun',
  summary: 'One import run',
  description:
    'The answer shows the current record of the run. `plan` is the result of a run with mode PLAN. `progress` shows how ' +
    'far a running import is; it is null while that is unknown.',
  tags,
  permission: 'sync.read',
  params: IdParams,
  responses: { 200: RunDetail },
  problems: ['not-found'],
  handler: async ({ params }, deps) => ({
    status: 200,
    body: await getRunWithProgress(deps, params.id),
  }),
});

const acceptShrinkRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/sync/runs/{id}/accept-shrink',
  operationId: 'acceptSyncRunShrink',
  summary: 'Accept the removals that a menu import rejected',
  description:
    'For a run that failed with SUSPICIOUS_SHRINK, and for a successful one with `heldBack`. The full import of the ' +
    'menu starts again. It may remove the share that the run would have removed, and no more. The acceptance ' +
    'is valid for 24 hours and for one import.',
  tags,
  permission: 'sync.accept',
  idempotent: true,
  params: IdParams,
  body: Strict({
    ...Reason.properties,
    organizationIds: Type.Optional(
      Type.Array(OrganizationId, {
        minItems: 1,
        maxItems: 1_000,
        description:
          'Accepts the removals of these restaurants only; the others keep their prices.',
      }),
    ),
  }),
  responses: { 202: StartedRun },
  problems: ['not-found', 'invalid-transition', 'already-running', 'unavailable'],
  handler: async ({ params, body, actor, idempotency }, deps) => ({
    status: 202,
    body: await acceptShrink(
      deps,
      actor,
      { ...body, refusedRunId: params.id, reason: body.reason.trim() },
      idempotency,
    ),
  }),
});

const cancelRunRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/sync/runs/{id}/cancel',
  operationId: 'cancelSyncRun',
  summary: 'Cancel a running import',
  description:
    'The run ends as FAILED with the reason CANCELLED, `canceledBy` and your words as `detail`. It writes nothing more, ' +
    'and the import can be started again. When the run has ended or is writing its data, the answer is ' +
    '`invalid-transition`.',
  tags,
  permission: 'sync.run',
  idempotent: true,
  params: IdParams,
  body: Reason,
  responses: { 200: RunDetail },
  problems: ['not-found', 'invalid-transition', 'unavailable'],
  handler: async ({ params, body, actor, idempotency }, deps) => ({
    status: 200,
    body: await cancelRun(deps, actor, { id: params.id, reason: body.reason }, idempotency),
  }),
});

export const syncRunRoutes = [
  startRunRoute,
  listRunsRoute,
  getRunRoute,
  acceptShrinkRoute,
  cancelRunRoute,
];

/** Rule OPS-3. */
export const syncStatusRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/sync/status',
  operationId: 'getSyncStatus',
  summary: 'Status of the synchronization with the ERP',
  description:
    'The answer shows the last success of each job, connection and organization, running imports, pauses, missed ' +
    'runs, queues and warnings. It is read from the database alone, so it is there also when Temporal or the ERP is ' +
    'not.',
  tags: ['Imports'],
  permission: 'sync.read',
  responses: { 200: SyncStatus },
  handler: async (_, { db, intervals }) => ({
    status: 200,
    body: await readSyncStatus(db, intervals),
  }),
});
