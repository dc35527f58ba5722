import { Type } from 'typebox';
import { getRun, listRuns } from '../../../app/mirror/runs/list-runs.ts';
import { startImport } from '../../../app/mirror/runs/start-import.ts';
import { JOBS, RUN_MODES, RUN_STATUSES, RUN_TRIGGERS } from '../../../contracts/jobs.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, IdParams, Nullable, Page, pageOf, pageQuery, Strict, Timestamp, Words } from '../../http/schemas.ts';

const tags = ['Imports'];
const Count = Type.Integer({ minimum: 0 });
const counts = <const N extends string>(...names: N[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Count])) as Record<N, typeof Count>);

const Run = Type.Object({
  id: Id,
  job: Words(JOBS),
  connectionId: Id,
  externalMenuId: Nullable(Type.String({ description: 'Id of the external menu in the external system; only MENU' })),
  mode: Words(RUN_MODES),
  trigger: Words(RUN_TRIGGERS),
  status: Words(RUN_STATUSES),
  reason: Nullable(Type.String({ description: 'Code of why it was skipped or failed' })),
  detail: Nullable(Type.String()),
  requestedBy: Nullable(Id),
  startedAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  organizations: Count,
  batches: Count,
  payloadBytes: Count,
  revisionFrom: Nullable(Type.Integer()),
  revisionTo: Nullable(Type.Integer()),
  categories: counts('created', 'updated'),
  items: counts('created', 'updated', 'deleted'),
  prices: counts('upserted', 'unchanged'),
  modifiers: counts('groups', 'links', 'global'),
  result: Type.Record(Type.String(), Type.Unknown(), { description: 'Counters of jobs other than MENU' }),
  anomalies: Type.Array(Type.Object({ code: Type.String(), count: Count, samples: Type.Array(Type.String()) })),
});

const startRunRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/sync/run',
  operationId: 'startSyncRun',
  summary: 'Start an import',
  description:
    'It runs in the background; follow it under `/sync/runs/{id}`. `scope` is the external menu id for MENU, else the connection id. A manual run uses the same lock as the schedule.',
  tags,
  permission: 'sync.run',
  body: Strict({
    job: Words(JOBS),
    scope: Type.String({ minLength: 1, maxLength: 100 }),
    mode: Type.Optional(Words(RUN_MODES)),
    connectionId: Type.Optional(Id),
  }),
  responses: { 202: Type.Object({ runId: Id }) },
  problems: ['already-running', 'unavailable'],
  handler: async ({ body, actor }, deps) => ({ status: 202, body: await startImport(deps, actor, body) }),
});

const listRunsRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/sync/runs',
  operationId: 'listSyncRuns',
  summary: 'Import runs',
  description: 'Newest first.',
  tags,
  permission: 'sync.read',
  query: Strict({ ...pageQuery, job: Type.Optional(Words(JOBS)), status: Type.Optional(Words(RUN_STATUSES)) }),
  responses: { 200: Page(Run) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listRuns(db, { ...pageOf(query), job: query.job, status: query.status }),
  }),
});

const getRunRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/sync/runs/{id}',
  operationId: 'getSyncRun',
  summary: 'One import run',
  description: 'Its record as it is now.',
  tags,
  permission: 'sync.read',
  params: IdParams,
  responses: { 200: Run },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getRun(db, params.id) }),
});

export const syncRunRoutes = [startRunRoute, listRunsRoute, getRunRoute];
