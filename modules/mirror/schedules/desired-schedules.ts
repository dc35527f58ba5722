import { sql } from 'kysely';
import type { ScheduleOptions } from '@temporalio/client';
import { scheduleIds, workflowIds } from '../../../kernel/pure/ids.ts';
import type { Job } from '../../../kernel/pure/jobs.ts';
import type { SyncTickInput } from '../messages/sync.ts';
import { activityQueues, liveQueues, orderQueues, type Queues } from '../../../kernel/pure/queues.ts';
import { searchAttributes } from '../../../kernel/pure/search-attributes.ts';
import type { Workflows, WorkflowType } from '../../workflows.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { ScheduleInterval, SchedulePlan } from './schedule-plan.ts';

/** What has schedules: connections that are switched on and their live menus; the run itself asks whether the owner is active. */
export type SyncTarget = Row<'connection', 'id as connectionId', { externalMenuIds: number[] }>;

const CONNECTION_JOBS: readonly Exclude<Job, 'MENU'>[] = [
  'ORGANIZATIONS',
  'TERMINALS',
  'MENU_LIST',
  'STOP_LIST',
  'ZONES',
];

const SECOND = 1000;

/** Reads the targets of all schedules. */
export async function syncTargets({ db }: Sql): Promise<SyncTarget[]> {
  const { rows } = await sql<SyncTarget>`
    select connection.id as connection_id,
           coalesce(array_agg(menu.external_menu_id order by menu.external_menu_id) filter (where menu.external_menu_id is not null), '{}')
             as external_menu_ids
      from connection left join live_menu menu on menu.connection_id = connection.id
     where connection.status = 'ACTIVE' group by connection.id order by connection.id`.execute(db);
  return rows;
}

/** Every schedule that should exist, from the rows and the plan. Overlapping and missed times are written out. */
export function desiredSchedules(
  targets: readonly SyncTarget[],
  plan: SchedulePlan,
  queues: Queues,
): ScheduleOptions[] {
  const start = <T extends WorkflowType>(
    workflowType: T,
    workflowId: string,
    args: Parameters<Workflows[T]>,
    attributes: Parameters<typeof searchAttributes>[0] = {},
  ): ScheduleOptions['action'] => ({
    type: 'startWorkflow',
    workflowType,
    workflowId,
    taskQueue: queues.workflows,
    args,
    typedSearchAttributes: searchAttributes({ ...attributes, CarteTrigger: 'SCHEDULE' }),
  });
  const tick = (
    scheduleId: string,
    interval: ScheduleInterval,
    input: Omit<SyncTickInput, 'queues'>,
  ): ScheduleOptions => ({
    scheduleId,
    spec: intervalSpec(interval, phaseOf(input.connectionId)),
    policies: policies(interval.catchupMs),
    action: start(
      'syncTick',
      scheduleId.replace('schedule/', 'tick/'),
      [{ ...input, timings: plan.timings, queues: activityQueues(queues) }],
      { CarteCapability: 'mirror', CarteRunKind: input.job },
    ),
  });
  const keeper = <T extends WorkflowType>(
    scheduleId: string,
    interval: ScheduleInterval,
    type: T,
    ...args: Parameters<Workflows[T]>
  ): ScheduleOptions => ({
    scheduleId,
    spec: intervalSpec(interval),
    policies: policies(interval.catchupMs),
    // Created anew means that Temporal has forgotten everything: do not wait for the first interval.
    state: { triggerImmediately: true },
    action: start(type, scheduleId.replace('schedule/', ''), args),
  });
  const night = plan.menuFull;
  return [
    ...targets.flatMap(({ connectionId, externalMenuIds }) => [
      ...CONNECTION_JOBS.map((job) => tick(scheduleIds.job(job, connectionId), plan.jobs[job], { job, connectionId })),
      ...externalMenuIds.map((externalMenuId) =>
        tick(scheduleIds.menu(connectionId, externalMenuId), plan.jobs.MENU, {
          job: 'MENU',
          connectionId,
          externalMenuId,
        }),
      ),
      {
        scheduleId: scheduleIds.orderWatch(connectionId),
        spec: intervalSpec(plan.orderWatch, phaseOf(connectionId)),
        policies: policies(plan.orderWatch.catchupMs),
        action: start(
          'orderWatch',
          workflowIds.orderWatch(connectionId),
          [{ connectionId, queues: orderQueues(queues) }],
          {
            CarteCapability: 'ordering',
          },
        ),
      },
      {
        scheduleId: scheduleIds.giftReconciliation(connectionId),
        spec: { calendars: [plan.giftReconciliation], timezone: night.timeZone, jitter: night.jitterMs },
        policies: policies(night.catchupMs),
        action: start(
          'giftReconciliation',
          `gift-reconciliation/${connectionId}`,
          [{ connectionId, timeZone: night.timeZone, queues: orderQueues(queues) }],
          { CarteCapability: 'compensation' },
        ),
      },
      {
        ...tick(scheduleIds.menuFull(connectionId), plan.jobs.MENU, { job: 'MENU', connectionId, markFullDue: true }),
        spec: {
          calendars: [{ hour: night.hour, minute: night.minute }],
          timezone: night.timeZone,
          jitter: night.jitterMs,
        },
        policies: policies(night.catchupMs),
      },
    ]),
    keeper(scheduleIds.outboxSweep(), plan.outboxSweep, 'outboxSweep', { queues: liveQueues(queues) }),
    keeper(scheduleIds.reconcile(), plan.reconcile, 'reconcile', {
      queues: { ...activityQueues(queues), ...liveQueues(queues) },
    }),
    keeper(scheduleIds.mediaSweep(), plan.mediaSweep, 'mediaSweep'),
  ];
}

/** `phase` is the part of the interval by which it begins later. Temporal counts in seconds. */
function intervalSpec({ everyMs, offsetMs, jitterMs }: ScheduleInterval, phase = 0): ScheduleOptions['spec'] {
  const offset = Math.floor(((offsetMs + phase * everyMs) % everyMs) / SECOND) * SECOND;
  return { intervals: [{ every: everyMs, offset }], jitter: jitterMs };
}

/** Its fractional part spreads numbers that follow one another as evenly as can be, however many they are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * When in an interval a connection has its turn (rule MIR-49): the same for all of its jobs, which so keep their order. Otherwise the imports of
 * all connections would begin in the same second.
 */
const phaseOf = (connectionId: number): number => (connectionId * GOLDEN) % 1;

function policies(catchupMs: number): NonNullable<ScheduleOptions['policies']> {
  return { overlap: 'SKIP', catchupWindow: catchupMs, pauseOnFailure: false };
}
