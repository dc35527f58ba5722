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
 * Receives data that workflows pass outside their history. Without it, the SDK logs an error for
 * each call. A replayer does not count.
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

export type QueueActivities = Readonly<Record<PolledQueue, object>>;

export type RunningWorkers = {
  /** Rejects if a worker has failed. */
  ended: Promise<void>;
  areRunning(): boolean;
  /**
   * Stops taking tasks and waits for running ones. If they exceed the grace time, calls
   * `abandonWork`.
   */
  stop(abandonWork?: () => void): Promise<void>;
};

/**
 * Time between the last activity and the deadline of the process. It is a share, because each step
 * takes longer on a busy machine.
 */
const RESERVE_SHARE = 1 / 4;
const LEAST_RESERVE_MS = 2_000;
/** Limited, because workflow tasks share one thread. */
const WORKFLOW_TASKS_AT_ONCE = 40;

const LOG_METHOD: Readonly<Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'>> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** Warnings that are intended: the queues of imports and ERP calls have only activities. */
const EXPECTED = ['No workflows registered, not polling for workflow tasks'];

/** Logs a business failure as info, with its reason and without a stack (rule OPS-193). */
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
 * Forwards logs and metrics of Temporal's runtime to ours. Call it once per process, before the
 * first connection.
 */
export function installRuntime(log: Log, metrics?: { bindAddress: string }): void {
  Runtime.install({
    // Signals are handled by the lifecycle of the process.
    shutdownSignals: [],
    telemetryOptions: {
      // The SDK's core would write lines in its own format.
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      ...(metrics === undefined
        ? {}
        : { metrics: { prometheus: { bindAddress: metrics.bindAddress } } }),
    },
    logger: runtimeLogger(log),
  });
}

/** Starts one worker per queue of the role, on one connection. */
export async function startWorkers(options: {
  role: Role;
  env: Pick<Env, (typeof TEMPORAL_SERVER)[number] | 'TEMPORAL_STICKY_TIMEOUT' | 'SHUTDOWN_GRACE'>;
  identity: string;
  queues: Queues;
  bundle: string;
  activities: QueueActivities;
  metrics: Pick<Metrics, 'workflowSignalsRejected'>;
  /** Versions by queue. A queue without one is polled without versions. */
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
      // Work that waits for the database does not notice the cancellation. It needs a moment to
      // notice that its connection has ended.
      const late = setTimeout(abandonWork, graceMs);
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended.finally(() => clearTimeout(late));
    },
  };
}

/** Returns no options without a version. */
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
 * Resolves when the worker has stopped. Ignores the SDK's error if it is stopped just after the
 * worker's last answer, because every task is done then.
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
