import { Type, type Static } from 'typebox';
import { ConnectionHealth, ConnectionState } from '../../connections/schemas/connections.ts';
import { JOBS, RUN_MODES, RUN_STATUSES, RUN_TRIGGERS } from '../rules/jobs.ts';
import { MENU_OF_IMPORT } from './mirror.ts';
import {
  Count,
  Id,
  Named,
  Nullable,
  NullableText,
  Timestamp,
  Uuid,
  Words,
} from '../../../kernel/pure/schemas.ts';

const NullableTimestamp = Nullable(Timestamp);
const Age = Nullable(
  Type.Integer({ minimum: 0, description: 'Seconds until the access token expires.' }),
);

const JobStatus = Named(
  'JobStatus',
  Type.Object({
    job: Words(JOBS),
    imports: Type.Integer({
      minimum: 0,
      description:
        'Imports of this job that should run: their connections are active and they are not paused.',
    }),
    lastSuccessAt: Nullable(
      Type.Unsafe<Date | string>({
        ...Timestamp,
        description:
          'The oldest of the last successes of all connections, so that one connection that fails is not hidden.',
      }),
    ),
    ageSeconds: Age,
    stale: Count,
    paused: Count,
    running: Count,
    missedRuns: Count,
  }),
);

export type JobStatus = Static<typeof JobStatus>;

const ImportStatus = Named(
  'ImportStatus',
  Type.Object({
    job: Words(JOBS),
    ...MENU_OF_IMPORT,
    lastSuccessAt: NullableTimestamp,
    ageSeconds: Age,
    isStale: Type.Boolean({
      description: 'True when the last success is older than the alert of the job allows.',
    }),
    missedRuns: Type.Integer({
      minimum: 0,
      description: 'Number of runs that should have started since the last one and did not.',
    }),
    lastRun: Nullable(
      Named(
        'LastRun',
        Type.Object({
          id: Id,
          status: Words(RUN_STATUSES),
          reason: NullableText,
          startedAt: Timestamp,
          finishedAt: NullableTimestamp,
        }),
      ),
    ),
    isRunning: Type.Boolean(),
    pause: Nullable(
      Named(
        'PauseInForce',
        Type.Object({ id: Id, reason: Type.String(), until: NullableTimestamp }),
      ),
    ),
    isFullDue: Type.Boolean({ description: 'True when the next run will be full.' }),
    lastFullAt: NullableTimestamp,
    isFullOverdue: Type.Boolean(),
  }),
);

export type ImportStatus = Static<typeof ImportStatus>;

const ConnectionStatus = Named(
  'ConnectionStatus',
  Type.Object({
    id: Id,
    name: Type.String(),
    status: ConnectionState,
    isOwnerActive: Type.Boolean(),
    isImported: Type.Boolean(),
    ...ConnectionHealth.properties,
    imports: Type.Array(ImportStatus),
  }),
);

export type ConnectionStatus = Static<typeof ConnectionStatus>;

const OrganizationStatus = Named(
  'OrganizationStatus',
  Type.Object({
    id: Id,
    erpId: Uuid,
    connectionId: Id,
    name: Type.String(),
    stopListAt: NullableTimestamp,
    stopListAgeSeconds: Age,
    isStopListStale: Type.Boolean(),
    stopListDirtySince: NullableTimestamp,
    menuRevision: Nullable(Type.Integer()),
    menuBuiltAt: NullableTimestamp,
    menuDirtySince: NullableTimestamp,
  }),
);

export type OrganizationStatus = Static<typeof OrganizationStatus>;

const RunningRun = Named(
  'RunningRun',
  Type.Object({
    id: Id,
    job: Words(JOBS),
    connectionId: Id,
    ...MENU_OF_IMPORT,
    mode: Words(RUN_MODES),
    trigger: Words(RUN_TRIGGERS),
    startedAt: Timestamp,
    ageSeconds: Type.Integer(),
  }),
);

export type RunningRun = Static<typeof RunningRun>;

const PausedSchedule = Named(
  'PausedSchedule',
  Type.Object({ scheduleId: Type.String(), note: Type.String() }),
);

export type PausedSchedule = Static<typeof PausedSchedule>;

const QueueStatus = Named(
  'QueueStatus',
  Type.Object({ pending: Count, oldestAgeSeconds: Nullable(Type.Number()) }),
);

export type QueueStatus = Static<typeof QueueStatus>;

/** Two menus with a price for the same size and organization. */
const MenuOverlap = Named(
  'MenuOverlap',
  Type.Object({
    connectionId: Id,
    externalMenuIds: Type.Array(Id, { description: 'The menu that sets the price comes first.' }),
    externalMenuErpIds: Type.Array(Type.String(), {
      description: 'Ids of the same menus in the ERP.',
    }),
    itemName: Type.String(),
    erpItemSizeId: Id,
  }),
);

export type MenuOverlap = Static<typeof MenuOverlap>;

export const SyncStatus = Named(
  'SyncStatus',
  Type.Object({
    jobs: Type.Array(JobStatus),
    connections: Type.Array(ConnectionStatus),
    organizations: Type.Array(OrganizationStatus),
    running: Type.Array(RunningRun),
    schedulesPausedElsewhere: Type.Array(PausedSchedule, {
      description: 'Schedules that were paused in Temporal itself and not through this API.',
    }),
    queues: Named('SyncQueues', Type.Object({ webhook: QueueStatus, outbox: QueueStatus })),
    severalMenusPriceOneSize: Type.Array(MenuOverlap, {
      description:
        'Warnings: pairs of menus that have a price for the same size, with one example each.',
    }),
  }),
);

export type SyncStatus = Static<typeof SyncStatus>;
