import {
  DefaultLogger,
  IllegalStateError,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type LogLevel,
  type InjectedSinks,
  type WorkerOptions,
} from '@temporalio/worker';
import { activityInterceptor } from '../activities/interceptor.ts';
import type { BusinessFailure } from '../kernel/pure/business-failure.ts';
import { QUEUES, type Queues } from '../kernel/pure/queues.ts';
import { WORKFLOW_QUEUES } from '../modules/workflows.ts';
import type { Env } from '../modules/env.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { temporalServer, type TEMPORAL_SERVER } from '../platform/temporal-server.ts';
import { CACHED_WORKFLOWS, ROLES, SLOTS, type PolledQueue, type Role } from './roles.ts';
import type { Version } from './versions.ts';
import type { TraceSinks } from '../platform/pure/headers.ts';
import type { SignalSinks } from '../kernel/pure/signal-sinks.ts';
import { keepThreadsLean } from '../platform/lean-threads.ts';
import { currentTracer } from '../platform/tracing.ts';

/**
 * The receivers of what workflows pass outside of their history. Every runner or replayer of
 * workflows needs them, or the SDK logs an error for each call. A replayer counts nothing.
 */
export const workflowSinks = (
  metrics?: Pick<Metrics, 'workflowSignalsRejected'>,
): InjectedSinks<TraceSinks & SignalSinks> => ({
  traces: {
    executionEnded: {
      fn: ({ workflowType, workflowId, runId, startTime }, end) =>
        currentTracer()?.executionEnded({
          workflowType,
          workflowId,
          runId,
          startedAt: startTime,
          ...end,
        }),
      callDuringReplay: false,
    },
  },
  signals: {
    rejected: {
      fn: ({ workflowType }, { signal }) =>
        metrics?.workflowSignalsRejected.inc({ workflow: workflowType, signal }),
      callDuringReplay: false,
    },
  },
});

/** Activities by the queue they run on. */
export type QueueActivities = Readonly<Record<PolledQueue, object>>;

export type RunningWorkers = {
  /** Resolves when every worker has stopped; rejects when one has failed. */
  ended: Promise<void>;
  areRunning(): boolean;
  /** Takes no new tasks and waits for running ones, at most the grace time of the environment. */
  /** `abandonWork` is called when work that has begun does not end by itself in time. */
  stop(abandonWork?: () => void): Promise<void>;
};

/**
 * Reserve of the process between the last activity and its own deadline: a quarter of all the time,
 * on a busy machine each step takes longer.
 */
const RESERVE_SHARE = 1 / 4;
const LEAST_RESERVE_MS = 2_000;
/** Workflow tasks are short; more at once only wait for each other on one thread. */
const WORKFLOW_TASKS_AT_ONCE = 40;

const LOG_METHOD: Readonly<Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'>> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/**
 * Warnings about what we do on purpose: the queues of imports and ERP calls have activities only.
 */
const EXPECTED = ['No workflows registered, not polling for workflow tasks'];

/**
 * Writes warnings and errors of Temporal's runtime to our log, with the fields of their errors. A
 * business failure of an execution is a line of the level info with its reason and without a stack
 * (rule OPS-193).
 */
export function runtimeLogger(log: Log): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta: { error, ...fields } = {} }) => {
    const {
      workflowId,
      workflowType,
      runId,
      businessReason: reason,
      detail,
    } = fields as Partial<Failed>;
    if (reason !== undefined)
      return log.info({ workflowId, workflowType, runId, reason, detail }, 'execution failed');
    const method = EXPECTED.includes(message) ? 'debug' : LOG_METHOD[level];
    log[method](error === undefined ? fields : { ...fields, err: error }, message);
  });
}

type Failed = BusinessFailure & { workflowId: string; workflowType: string; runId: string };

/**
 * Sends the log of Temporal's runtime to ours, and its metrics to an address when there is one;
 * must be called before the first connection, once per process.
 */
export function installRuntime(log: Log, metrics?: { bindAddress: string }): void {
  Runtime.install({
    // One owner of stop: the lifecycle of the process.
    shutdownSignals: [],
    telemetryOptions: {
      // The core of the SDK would write lines of its own format.
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      ...(metrics === undefined
        ? {}
        : { metrics: { prometheus: { bindAddress: metrics.bindAddress } } }),
    },
    logger: runtimeLogger(log),
  });
}

/** Starts one worker per queue of the role in this process, on one connection. */
export async function startWorkers(options: {
  role: Role;
  env: Pick<Env, (typeof TEMPORAL_SERVER)[number] | 'TEMPORAL_STICKY_TIMEOUT' | 'SHUTDOWN_GRACE'>;
  identity: string;
  queues: Queues;
  /** File of the workflow bundle. */
  bundle: string;
  activities: QueueActivities;
  metrics: Pick<Metrics, 'workflowSignalsRejected'>;
  /** Versions of the workflows, by queue; a queue without one is polled without versions. */
  versions: readonly Version[];
}): Promise<RunningWorkers> {
  const { role, env, identity, queues, bundle, activities, metrics, versions } = options;
  const { namespace, ...server } = temporalServer(env);
  const connection = await NativeConnection.connect(server);
  keepThreadsLean();
  const reserveMs = Math.max(LEAST_RESERVE_MS, env.SHUTDOWN_GRACE * RESERVE_SHARE);
  const graceMs = Math.max(500, env.SHUTDOWN_GRACE - reserveMs);
  const workers = await Promise.all(
    ROLES[role].map((queue) =>
      Worker.create({
        connection,
        namespace,
        taskQueue: queues[queue],
        identity,
        activities: activities[queue],
        interceptors: { activity: [activityInterceptor] },
        maxConcurrentActivityTaskExecutions: SLOTS[queue],
        ...versioning(versions.find(({ deploymentName }) => deploymentName === QUEUES[queue])),
        shutdownGraceTime: graceMs,
        shutdownForceTime: graceMs + (reserveMs * 3) / 4,
        ...(WORKFLOW_QUEUES.includes(queue)
          ? {
              workflowBundle: { codePath: bundle },
              sinks: workflowSinks(metrics),
              maxCachedWorkflows: CACHED_WORKFLOWS,
              maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS_AT_ONCE,
              workflowThreadPoolSize: 1,
              stickyQueueScheduleToStartTimeout: env.TEMPORAL_STICKY_TIMEOUT,
            }
          : {}),
      }),
    ),
  );
  const ended = runAll(workers, connection);
  return {
    ended,
    areRunning: () => workers.every((worker) => worker.getState() === 'RUNNING'),
    async stop(abandonWork = () => undefined) {
      // Work that waits for the database sees no cancellation; on a busy machine it needs a
      // moment to see that its connection has ended.
      const late = setTimeout(abandonWork, graceMs);
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended.finally(() => clearTimeout(late));
    },
  };
}

/** Options of a worker that gets the tasks of this version; none without one. */
const versioning = (version: Version | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> =>
  version === undefined
    ? {}
    : {
        workerDeploymentOptions: {
          version,
          useWorkerVersioning: true,
          // Every workflow declares its own.
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
      };

async function runAll(workers: readonly Worker[], connection: NativeConnection): Promise<void> {
  try {
    await Promise.all(workers.map(runToEnd));
  } finally {
    await connection.close();
  }
}

/**
 * Resolves when the worker has stopped. The SDK drops its last reference to a worker a moment after
 * it has answered the worker's last call; a stop in that moment ends with an error although every
 * task is done and polling has stopped. Such a worker has stopped.
 */
export async function runToEnd(worker: Pick<Worker, 'run' | 'getState'>): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    const drained = worker.getState() === 'STOPPED';
    if (
      !(
        drained &&
        error instanceof IllegalStateError &&
        error.message.startsWith('Worker still in use')
      )
    )
      throw error;
  }
}
