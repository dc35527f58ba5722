import { Type, type TSchema } from 'typebox';
import { acceptShrink } from '../../../app/mirror/runs/accept-shrink.ts';
import { getRun, listRuns } from '../../../app/mirror/runs/list-runs.ts';
import { startImport } from '../../../app/mirror/runs/start-import.ts';
import { JOBS, RUN_MODES, RUN_STATUSES, RUN_TRIGGERS } from '../../../contracts/jobs.ts';
import { defineRoute } from '../../http/route.ts';
import {
  Id,
  IdParams,
  Money,
  Nullable,
  Page,
  pageOf,
  pageQuery,
  Strict,
  Timestamp,
  Uuid,
  Words,
} from '../../http/schemas.ts';

const tags = ['Imports'];
const Count = Type.Integer({ minimum: 0 });
const counts = <const N extends string>(...names: N[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Count])) as Record<N, typeof Count>);

const shrink = { before: Count, vanished: Count, percent: Type.Number(), thresholdPercent: Type.Number() };

const Run = Type.Object({
  id: Id,
  job: Words(JOBS),
  connectionId: Id,
  externalMenuId: Nullable(
    Type.String({ description: 'Id of the external menu in the ERP. Only the job MENU has it.' }),
  ),
  mode: Words(RUN_MODES),
  trigger: Words(RUN_TRIGGERS),
  status: Words(RUN_STATUSES),
  reason: Nullable(Type.String({ description: 'Code of the reason why the run was skipped or failed.' })),
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
  result: Type.Record(Type.String(), Type.Unknown(), { description: 'Counters of the other jobs than MENU.' }),
  anomalies: Type.Array(Type.Object({ code: Type.String(), count: Count, samples: Type.Array(Type.String()) })),
  shrink: Nullable(Type.Object(shrink, { description: 'What the refused full import would have deleted.' })),
});

const counted = <S extends TSchema>(item: S, description: string) =>
  Type.Object({ total: Count, items: Type.Array(item) }, { description: `${description} At most 200 are listed.` });
const PlannedItem = Type.Object({ id: Uuid, role: Words(['DISH', 'MODIFIER']), name: Type.String() });
const PlannedPrice = Type.Object({
  itemId: Uuid,
  name: Type.String(),
  sizeId: Nullable(Type.String()),
  organizationId: Id,
  from: Nullable(Money),
  to: Nullable(Money),
  percent: Nullable(Type.Number()),
});

const RunDetail = Type.Object({
  ...Run.properties,
  plan: Nullable(
    Type.Object(
      {
        categories: Run.properties.categories,
        items: Run.properties.items,
        prices: Run.properties.prices,
        modifiers: Run.properties.modifiers,
        shrink: Type.Object({ ...shrink, isSuspicious: Type.Boolean() }),
        created: counted(PlannedItem, 'Items that would be new or return.'),
        deleted: counted(PlannedItem, 'Items that would be deleted.'),
        priceChanges: counted(
          PlannedPrice,
          'Prices that would be added, changed or removed, the largest change first.',
        ),
        productsLeftWithoutVariant: counted(
          Type.Object({ id: Id, name: Type.String() }),
          'Published products whose last bound dish would be deleted.',
        ),
      },
      { description: 'What a full import would do. Only runs with mode PLAN have it.' },
    ),
  ),
});

const startRunRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/sync/run',
  operationId: 'startSyncRun',
  summary: 'Start an import',
  description:
    'The import runs in the background; `/sync/runs/{id}` shows how it goes on. `scope` is the id of the external ' +
    'menu for MENU and the id of the connection for the other jobs. An import that is running is not started a ' +
    'second time, whoever started it. Mode PLAN computes what a full import would do and changes nothing.',
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
  description: 'The newest runs come first.',
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
  description: 'The answer shows the current record of the run. `plan` is the result of a run with mode PLAN.',
  tags,
  permission: 'sync.read',
  params: IdParams,
  responses: { 200: RunDetail },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getRun(db, params.id) }),
});

const acceptShrinkRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/sync/runs/{id}/accept-shrink',
  operationId: 'acceptSyncRunShrink',
  summary: 'Accept the deletions of a refused import',
  description:
    'The full import of the menu starts again. It may delete the share of items that the refused run wanted to ' +
    'delete, and no more. The acceptance is valid for 24 hours and for one import.',
  tags,
  permission: 'sync.accept',
  params: IdParams,
  body: Strict({ reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }) }),
  responses: { 202: Type.Object({ runId: Id }) },
  problems: ['not-found', 'invalid-transition', 'already-running', 'unavailable'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 202,
    body: await acceptShrink(deps, actor, { refusedRunId: params.id, reason: body.reason.trim() }),
  }),
});

export const syncRunRoutes = [startRunRoute, listRunsRoute, getRunRoute, acceptShrinkRoute];
