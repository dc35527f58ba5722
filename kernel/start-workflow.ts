import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import type {
  SearchAttributePair,
  SignalDefinition,
  Workflow,
  WorkflowIdConflictPolicy,
} from '@temporalio/common';
import type { Queues } from './pure/queues.ts';
import type { WorkflowWith } from './pure/define-workflow.ts';
import { executionSummary } from './pure/execution-summary.ts';

export type TemporalDeps = { temporal: Client; queues: Queues };

export type WorkflowStart<Input> = {
  input: Input;
  attributes: SearchAttributePair[];
  /** Shown to operators. Contains no personal data. */
  memo?: Record<string, string | number>;
  /** Shown in Temporal's UI. Contains names of restaurants or dishes, never of people (OPS-32). */
  summary?: string | undefined;
  /** Time after which Temporal ends the execution and frees its id. */
  limitMs?: number | undefined;
};

/** Temporal answers within milliseconds or not at all. */
const DEADLINE_MS = 5_000;

/**
 * Starts a workflow. If its id is running, `USE_EXISTING` keeps the execution, `FAIL` throws
 * WorkflowExecutionAlreadyStartedError, and `TERMINATE_EXISTING` terminates it first. Times out
 * after 5 s. Rethrows Temporal errors.
 */
export async function startWorkflow<Input>(
  { temporal, queues }: TemporalDeps,
  workflow: WorkflowWith<Input>,
  start: WorkflowStart<Input>,
  conflict: WorkflowIdConflictPolicy,
): Promise<void> {
  await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflow.start<Workflow>(workflow.type, {
      ...toOptions(queues, workflow, start),
      workflowIdConflictPolicy: conflict,
    }),
  );
}

/** Signals a workflow and starts it if needed. Times out after 5 s. Rethrows Temporal errors. */
export async function startOrSignal<Input, Args extends unknown[]>(
  { temporal, queues }: TemporalDeps,
  workflow: WorkflowWith<Input>,
  start: WorkflowStart<Input>,
  signal: SignalDefinition<Args>,
  ...signalArgs: Args
): Promise<void> {
  await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflow.signalWithStart<Workflow, unknown[]>(workflow.type, {
      ...toOptions(queues, workflow, start),
      signal: signal.name,
      signalArgs,
    }),
  );
}

export type UpdateRequest = { update: string; input: unknown };

/** An update waits for a worker and its work. */
const UPDATE_DEADLINE_MS = 30_000;

/**
 * Sends an update, starting the workflow if needed. After the time-out of 30 s it may still be
 * applied. Throws WorkflowUpdateFailedError if rejected, rethrows Temporal errors.
 */
export async function startOrUpdate<Input>(
  { temporal, queues }: TemporalDeps,
  workflow: WorkflowWith<Input>,
  start: WorkflowStart<Input>,
  { update, input }: UpdateRequest,
): Promise<unknown> {
  const startWorkflowOperation = new WithStartWorkflowOperation<Workflow>(workflow.type, {
    ...toOptions(queues, workflow, start),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });

  return temporal.withDeadline(Date.now() + UPDATE_DEADLINE_MS, () =>
    temporal.workflow.executeUpdateWithStart<Workflow, unknown, unknown[]>(update, {
      args: [input],
      startWorkflowOperation,
    }),
  );
}

function toOptions<Input>(
  queues: Queues,
  workflow: WorkflowWith<Input>,
  { input, attributes, memo, summary, limitMs }: WorkflowStart<Input>,
) {
  return {
    workflowId: workflow.id(input),
    args: [input],
    taskQueue: queues[workflow.queue],
    typedSearchAttributes: attributes,
    ...(limitMs === undefined ? {} : { workflowExecutionTimeout: limitMs }),
    ...(memo === undefined ? {} : { memo }),
    ...(summary === undefined ? {} : { staticSummary: executionSummary(summary) }),
  };
}
