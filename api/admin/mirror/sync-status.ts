import { Type } from 'typebox';
import { readSyncStatus } from '../../../app/observability/sync-status.ts';
import { JOBS, RUN_MODES, RUN_STATUSES, RUN_TRIGGERS } from '../../../contracts/jobs.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, Nullable, Timestamp, Uuid, Words } from '../../http/schemas.ts';

const Count = Type.Integer({ minimum: 0 });
const Moment = Nullable(Timestamp);
const Age = Nullable(Type.Integer({ minimum: 0, description: 'Age in seconds.' }));
const MenuId = Nullable(Type.String({ description: 'Id of the external menu in the ERP. Only the job MENU has it.' }));

const JobStatus = Type.Object({
  job: Words(JOBS),
  imports: Type.Integer({
    minimum: 0,
    description: 'Imports of this job that should run: their connections are active and they are not paused.',
  }),
  lastSuccessAt: Nullable(
    Type.Unsafe<Date | string>({
      type: 'string',
      format: 'date-time',
      description:
        'The oldest of the last successes of all connections, so that one connection that fails is not hidden.',
    }),
  ),
  ageSeconds: Age,
  stale: Count,
  paused: Count,
  running: Count,
  missedRuns: Count,
});

const Import = Type.Object({
  job: Words(JOBS),
  externalMenuId: MenuId,
  lastSuccessAt: Moment,
  ageSeconds: Age,
  isStale: Type.Boolean({ description: 'True when the last success is older than the alert of the job allows.' }),
  missedRuns: Type.Integer({
    minimum: 0,
    description: 'Number of runs that should have started since the last one and did not.',
  }),
  lastRun: Nullable(
    Type.Object({
      id: Id,
      status: Words(RUN_STATUSES),
      reason: Nullable(Type.String()),
      startedAt: Timestamp,
      finishedAt: Moment,
    }),
  ),
  isRunning: Type.Boolean(),
  pause: Nullable(Type.Object({ id: Id, reason: Type.String(), until: Moment })),
  isFullDue: Type.Boolean({ description: 'True when the next run will be full.' }),
  lastFullAt: Moment,
  isFullOverdue: Type.Boolean(),
});

const Connection = Type.Object({
  id: Id,
  name: Type.String(),
  status: Words(['ACTIVE', 'DISABLED']),
  isOwnerActive: Type.Boolean(),
  isImported: Type.Boolean(),
  circuit: Words(['CLOSED', 'OPEN', 'HALF_OPEN']),
  openedAt: Moment,
  openUntil: Nullable(
    Type.Unsafe<Date | string>({
      type: 'string',
      format: 'date-time',
      description: 'No request is sent before this time. Then one request tries whether the ERP works again.',
    }),
  ),
  credentialRefusedAt: Moment,
  refusedEndpoints: Type.Array(Type.String()),
  imports: Type.Array(Import),
});

const Organization = Type.Object({
  id: Id,
  erpId: Uuid,
  connectionId: Id,
  name: Type.String(),
  stopListAt: Moment,
  stopListAgeSeconds: Age,
  isStopListStale: Type.Boolean(),
  stopListDirtySince: Moment,
  menuRevision: Nullable(Type.Integer()),
  menuBuiltAt: Moment,
  menuDirtySince: Moment,
});

const Queue = Type.Object({ pending: Count, oldestAgeSeconds: Nullable(Type.Number()) });

const SyncStatus = Type.Object({
  jobs: Type.Array(JobStatus),
  connections: Type.Array(Connection),
  organizations: Type.Array(Organization),
  running: Type.Array(
    Type.Object({
      id: Id,
      job: Words(JOBS),
      connectionId: Id,
      externalMenuId: MenuId,
      mode: Words(RUN_MODES),
      trigger: Words(RUN_TRIGGERS),
      startedAt: Timestamp,
      ageSeconds: Type.Integer(),
    }),
  ),
  schedulesPausedElsewhere: Type.Array(Type.Object({ scheduleId: Type.String(), note: Type.String() }), {
    description: 'Schedules that were paused in Temporal itself and not through this API.',
  }),
  queues: Type.Object({ webhook: Queue, outbox: Queue }),
  severalMenusPriceOneSize: Type.Array(
    Type.Object({
      connectionId: Id,
      externalMenuIds: Type.Array(Type.String(), { description: 'The menu that sets the price comes first.' }),
      itemName: Type.String(),
      erpItemSizeId: Id,
    }),
    { description: 'Warnings: pairs of menus that have a price for the same size, with one example each.' },
  ),
});

/** Summary for operators (rule OPS-3). */
export const syncStatusRoute = defineRoute({
  contour: 'admin',
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
  handler: async (_, { db, intervals }) => ({ status: 200, body: await readSyncStatus(db, intervals) }),
});
