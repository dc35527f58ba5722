import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import { QUEUES } from '../kernel/pure/queues.ts';
import { polledVersions } from '../kernel/running-process.ts';
import { WORKFLOW_QUEUES } from '../modules/workflows.ts';
import type { Sql } from '../platform/db/database.ts';
import { loggable, type Log } from '../platform/log.ts';
import { codeOf } from '../platform/prepare-temporal.ts';
import { isTemporalUnavailable } from '../platform/temporal.ts';
import { ROLES, type Role } from './roles.ts';

/**
 * Each queue is a Worker Deployment, so that no queue waits until the processes of another are
 * replaced (decision 102).
 */
export type Version = WorkerDeploymentVersion;

export type KnownVersion = {
  buildId: string;
  createdAt: number;
  wasCurrent: boolean;
  /** No longer current, may have open pinned executions. */
  isDraining: boolean;
};

/** `current` is null while workers without versions get the tasks. */
export type Deployment = {
  current: string | null;
  versions: KnownVersion[];
  conflictToken: Uint8Array;
};

type Deps = { db: Sql; temporal: Client; log: Log };

export const versionText = ({ deploymentName, buildId }: Version): string =>
  `${deploymentName}:${buildId}`;

/** There is one deployment per queue of workflows, without the queue's prefix. */
export const DEPLOYMENTS = WORKFLOW_QUEUES.map((queue) => QUEUES[queue]);

/** Returns an empty list for a role without workflows. */
export const listVersions = (role: Role, buildId: string): Version[] =>
  ROLES[role]
    .filter((queue) => WORKFLOW_QUEUES.includes(queue))
    .map((queue) => ({ deploymentName: QUEUES[queue], buildId }));

/** Temporal answers within milliseconds or not at all. */
const DEADLINE_MS = 5_000;
const NOT_FOUND = 5;
const ALREADY_CHANGED = 9;
/** Value of `WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING` in Temporal's API. */
const DRAINING = 4;

type Time = { seconds?: unknown; nanos?: number | null } | null | undefined;
const toMs = (time: Time): number =>
  Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1_000_000;

/** Returns undefined before the first versioned worker of the queue. */
export async function readDeployment(
  temporal: Client,
  deploymentName: string,
): Promise<Deployment | undefined> {
  const { namespace } = temporal.options;
  try {
    const answer = await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      temporal.workflowService.describeWorkerDeployment({ namespace, deploymentName }),
    );
    const { versionSummaries, routingConfig } = answer.workerDeploymentInfo ?? {};

    return {
      current: routingConfig?.currentDeploymentVersion?.buildId ?? null,
      conflictToken: answer.conflictToken,
      versions: (versionSummaries ?? []).map(
        ({ deploymentVersion, createTime, firstActivationTime, status }) => ({
          buildId: deploymentVersion?.buildId ?? '',
          createdAt: toMs(createTime),
          wasCurrent: firstActivationTime != null,
          isDraining: status === DRAINING,
        }),
      ),
    };
  } catch (error) {
    if (codeOf(error) === NOT_FOUND) return undefined;
    throw error;
  }
}

/**
 * Returns true if no worker polls for the current version, or if this version is newer and was
 * never current, so that a rollback lasts (rule OPS-182). `polled` contains the versions of running
 * workers, and null for an unversioned worker.
 */
export function becomesCurrent(
  own: Version,
  { current, versions }: Pick<Deployment, 'current' | 'versions'>,
  polled: ReadonlySet<string | null>,
): boolean {
  const version = versions.find(({ buildId }) => buildId === own.buildId);
  if (version === undefined || current === own.buildId) return false;
  if (!polled.has(current === null ? null : versionText({ ...own, buildId: current }))) return true;
  const former = versions.find(({ buildId }) => buildId === current);
  return !version.wasCurrent && version.createdAt > (former?.createdAt ?? -Infinity);
}

/** Null gives all tasks to workers without versions. */
export async function setCurrent(
  temporal: Client,
  deploymentName: string,
  buildId: string | null,
  conflictToken?: Uint8Array,
): Promise<void> {
  await temporal.workflowService.setWorkerDeploymentCurrentVersion({
    namespace: temporal.options.namespace,
    deploymentName,
    buildId: buildId ?? '',
    identity: temporal.options.identity,
    // A queue may have a former prefix, or its worker has not polled activities yet.
    ignoreMissingTaskQueues: true,
    ...(conflictToken === undefined ? {} : { conflictToken }),
  });
}

/** Selects open executions that stay with the workers of this version. */
export const pinnedTo = (version: Version): string =>
  `TemporalWorkerDeploymentVersion = '${versionText(version)}' AND ` +
  "TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'";

/**
 * Moves pinned executions of a version to the current version, which replays their histories.
 * Returns their number.
 */
async function unpin(temporal: Client, version: Version): Promise<number> {
  let moved = 0;

  for await (const { workflowId, runId } of temporal.workflow.list({ query: pinnedTo(version) })) {
    try {
      await temporal.workflowService.updateWorkflowExecutionOptions({
        namespace: temporal.options.namespace,
        workflowExecution: { workflowId, runId },
        workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
        updateMask: { paths: ['versioning_override'] },
      });

      moved += 1;
    } catch (error) {
      if (codeOf(error) !== NOT_FOUND) throw error;
    }
  }

  return moved;
}

/**
 * Makes the version current if required, and unpins executions of versions without workers (rules
 * OPS-182 and OPS-183). Returns false until Temporal has registered the worker.
 */
async function reviewVersion({ db, temporal, log }: Deps, own: Version): Promise<boolean> {
  const { deploymentName } = own;
  const deployment = await readDeployment(temporal, deploymentName);
  if (
    deployment === undefined ||
    !deployment.versions.some(({ buildId }) => buildId === own.buildId)
  )
    return false;

  const polled = await polledVersions(db);
  const isTurn = becomesCurrent(own, deployment, polled);
  if (isTurn) {
    await setCurrent(temporal, deploymentName, own.buildId, deployment.conflictToken);
    log.info(
      { former: deployment.current, ...own },
      'this release is the current version of its workflows',
    );
  }

  if (!isTurn && deployment.current !== own.buildId) return true;
  const former = deployment.versions
    .filter(({ buildId, isDraining }) => isDraining || (isTurn && buildId === deployment.current))
    .map(({ buildId }) => ({ deploymentName, buildId }));

  for (const version of former.filter((each) => !polled.has(versionText(each)))) {
    const executions = await unpin(temporal, version);
    if (executions > 0)
      log.warn(
        { executions, ...version },
        'the current version continues executions without workers',
      );
  }

  return true;
}

/** Interval for a registered worker. */
const EVERY_MS = 10_000;
/**
 * First pause while the worker is not registered or another process was faster. Pauses grow by
 * half. After a minute of silent tries, the failure is logged.
 */
const FIRST_PAUSE_MS = 200;
const SILENT_TRIES = 12;

/**
 * Checks the versions of this worker until the returned function is called. Does not delay the
 * start. Failures are logged and retried.
 */
export function watchVersions(
  deps: Deps,
  versions: readonly Version[],
  everyMs = EVERY_MS,
): () => Promise<void> {
  const stopped = new AbortController();
  const watch = async (own: Version): Promise<void> => {
    for (let tries = 0; !stopped.signal.aborted;) {
      const isReviewed = await attempt(deps, own, tries < SILENT_TRIES);
      const pauseMs = isReviewed ? everyMs : Math.min(everyMs, FIRST_PAUSE_MS * 1.5 ** tries);
      tries = isReviewed ? 0 : tries + 1;
      await delay(pauseMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };

  const ended = Promise.all(versions.map(watch));

  return async () => {
    stopped.abort();
    await ended;
  };
}

async function attempt(deps: Deps, own: Version, isSilent: boolean): Promise<boolean> {
  try {
    const isRegistered = await reviewVersion(deps, own);
    if (!isRegistered && !isSilent)
      deps.log.warn(own, 'Temporal has not registered this worker for a minute');
    return isRegistered;
  } catch (error) {
    if (isSilent && codeOf(error) === ALREADY_CHANGED) return false;
    const level = isTemporalUnavailable(error) ? 'warn' : 'error';
    deps.log[level](
      { ...own, error: loggable(error) },
      'the versions of workflows could not be checked; retried',
    );

    return true;
  }
}
