import { sql } from 'kysely';
import type { ScheduleOptions } from '@temporalio/client';
import { toScheduleId, type WorkflowWith } from '../../../kernel/pure/define-workflow.ts';
import { activityQueues, type Queues } from '../../../kernel/pure/queues.ts';
import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import { mediaSweepWorkflow } from '../../media/messages/media.ts';
import { syncTickWorkflow, tickScheduleId, type SyncTickInput } from '../messages/sync.ts';
import type { Job } from '../rules/jobs.ts';
import type {
  ConnectionWorkflow,
  DailyTime,
  ScheduleInterval,
  SchedulePlan,
} from './schedule-plan.ts';

/** The run itself checks that the owner is active. */
export type SyncTarget = Row<'connection', 'id as connectionId', { externalMenuIds: number[] }>;

/** The loop of the connection polls the others (OPS-105). */
export const CONNECTION_JOBS: readonly Job[] = ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'ZONES'];

const SECOND = 1000;

export async function syncTargets({ db }: Sql): Promise<SyncTarget[]> {
  const { rows } = await sql<SyncTarget>`
    select connection.id as connection_id,
           coalesce(array_agg(menu.external_menu_id order by menu.external_menu_id) filter (where menu.external_menu_id is not null), '{}')
             as external_menu_ids
      from connection left join live_menu menu on menu.connection_id = connection.id
     where connection.status = 'ACTIVE' group by connection.id order by connection.id`.execute(db);

  return rows;
}

export function desiredSchedules(
  targets: readonly SyncTarget[],
  plan: SchedulePlan,
  queues: Queues,
): ScheduleOptions[] {
  return [
    ...targets.flatMap((target) => ofConnection(target, plan, queues)),
    keeper(plan.mediaSweep, mediaSweepWorkflow, {}, queues),
  ];
}

function ofConnection(
  { connectionId }: SyncTarget,
  plan: SchedulePlan,
  queues: Queues,
): ScheduleOptions[] {
  const phase = computePhase(connectionId);
  const tick = (
    times: ScheduleInterval | DailyTime,
    ids: Omit<SyncTickInput, 'timings' | 'queues'>,
  ) => {
    const input = { ...ids, timings: plan.timings, queues: activityQueues(queues) };
    return {
      scheduleId: tickScheduleId(ids),
      ...at(times, phase),
      action: action(
        { type: syncTickWorkflow.type, workflowId: syncTickWorkflow.id(ids), input },
        queues,
        {
          CarteCapability: 'mirror',
          CarteRunKind: ids.job,
        },
      ),
    };
  };

  return [
    ...CONNECTION_JOBS.map((job) => tick(plan.jobs[job], { job, connectionId })),
    ...plan.connectionWorkflows.map(({ times, capability, start }) => {
      const started = start(connectionId, queues);
      return {
        scheduleId: toScheduleId(started.workflowId),
        ...at(times, phase),
        action: action(started, queues, { CarteCapability: capability }),
      };
    }),
    tick(plan.menuFull, { job: 'MENU', connectionId, markFullDue: true }),
  ];
}

function keeper<Input extends object>(
  times: ScheduleInterval,
  workflow: WorkflowWith<Input>,
  input: Input,
  queues: Queues,
): ScheduleOptions {
  const workflowId = workflow.id(input);
  return {
    scheduleId: toScheduleId(workflowId),
    ...at(times),
    // A new schedule means that Temporal lost its data, so it runs without waiting an interval.
    state: { triggerImmediately: true },
    action: action({ type: workflow.type, workflowId, input }, queues),
  };
}

const action = (
  { type, workflowId, input }: ReturnType<ConnectionWorkflow['start']>,
  queues: Queues,
  attributes: Parameters<typeof searchAttributes>[0] = {},
): ScheduleOptions['action'] => ({
  type: 'startWorkflow',
  workflowType: type,
  workflowId,
  taskQueue: queues.workflows,
  args: [input],
  typedSearchAttributes: searchAttributes({ ...attributes, CarteTrigger: 'SCHEDULE' }),
});

/** Temporal counts in seconds, so offsets are whole seconds. */
function at(
  times: ScheduleInterval | DailyTime,
  phase = 0,
): Pick<ScheduleOptions, 'spec' | 'policies'> {
  return {
    spec: 'everyMs' in times ? intervalSpec(times, phase) : dailySpec(times),
    policies: { overlap: 'SKIP', catchupWindow: times.catchupMs, pauseOnFailure: false },
  };
}

function dailySpec({ hour, minute, timeZone, jitterMs }: DailyTime): ScheduleOptions['spec'] {
  return { calendars: [{ hour, minute }], timezone: timeZone, jitter: jitterMs };
}

function intervalSpec(
  { everyMs, offsetMs, jitterMs }: ScheduleInterval,
  phase: number,
): ScheduleOptions['spec'] {
  return {
    intervals: [{ every: everyMs, offset: shiftedMs({ everyMs, offsetMs }, phase) }],
    jitter: jitterMs,
  };
}

/** Whole seconds, in ms. */
export const shiftedMs = (
  { everyMs, offsetMs }: Pick<ScheduleInterval, 'everyMs' | 'offsetMs'>,
  phase: number,
) => Math.floor(((offsetMs + phase * everyMs) % everyMs) / SECOND) * SECOND;

/** Multiples of the golden ratio spread any number of consecutive ids evenly. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Returns 0 to 1 (MIR-49). All jobs of a connection share the phase and keep their order. */
export const computePhase = (connectionId: number): number => (connectionId * GOLDEN) % 1;
