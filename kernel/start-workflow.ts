import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import type { SearchAttributePair, SignalDefinition, Workflow, WorkflowIdConflictPolicy } from '@temporalio/common';
import type { Queues } from './pure/queues.ts';
import type { WorkflowWith } from './pure/define-workflow.ts';
import { executionSummary } from './pure/execution-summary.ts';

/** Dependencies of starting a workflow. */
export type TemporalDeps = { temporal: Client; queues: Queues };

/** One start: its input, from which the id follows, and the search attributes for operators. */
export type WorkflowStart<Input> = {
  input: Input;
  attributes: SearchAttributePair[];
  /** Ids and names for operators in the list of executions; no personal data. */
  memo?: Record<string, string | number>;
  /**
   * A summary in the words of staff, for operators in Temporal's UI: the name of a restaurant or a
   * dish, never of a person (OPS-32).
   */
  summary?: string | undefined;
  /** Temporal ends the execution after this time in any case, and its id is free again. */
  limitMs?: number | undefined;
};

/** Temporal answers in milliseconds or not at all. */
const DEADLINE_MS = 5_000;

/**
 * Starts a workflow. With `USE_EXISTING`, a running workflow of the same id counts as started; with
 * `FAIL` it throws WorkflowExecutionAlreadyStartedError; with `TERMINATE_EXISTING` it is terminated
 * first. Times out after 5 s, and rethrows errors
 * of Temporal.
 */
export async function startWorkflow<Input>(
  { temporal, queues }: TemporalDeps,
  workflow: WorkflowWith<Input>,
  start: WorkflowStart<Input>,
  conflict: WorkflowIdConflictPolicy,
): Promise<void> {
  await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflow.start<Workflow>(workflow.type, {
      ...optionsOf(queues, workflow, start),
      workflowIdConflictPolicy: conflict,
    }),
  );
}

/**
 * Signals the workflow of this id, and starts it first when none runs. Times out after 5 s, and
 * rethrows errors of Temporal.
 */
export async function startOrSignal<Input, Args extends unknown[]>(
  { temporal, queues }: TemporalDeps,
  workflow: WorkflowWith<Input>,
  start: WorkflowStart<Input>,
  signal: SignalDefinition<Args>,
  ...signalArgs: Args
): Promise<void> {
  await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflow.signalWithStart<Workflow, unknown[]>(workflow.type, {
      ...optionsOf(queues, workflow, start),
      signal: signal.name,
      signalArgs,
    }),
  );
}

/** An update and its input, which the workflow validates. */
export type UpdateRequest = { update: string; input: unknown };

/** An update waits for a worker and for its work. */
const UPDATE_DEADLINE_MS = 30_000;

/**
 * Sends an update to the workflow of this id, starts it first when none runs, and returns the
 * result. Times out after 30 s; the update may still be applied then. Throws
 * WorkflowUpdateFailedError if it is rejected, and rethrows errors of Temporal.
 */
export async function startOrUpdate<Input>(
  { temporal, queues }: TemporalDeps,
  workflow: WorkflowWith<Input>,
  start: WorkflowStart<Input>,
  { update, input }: UpdateRequest,
): Promise<unknown> {
  const startWorkflowOperation = new WithStartWorkflowOperation<Workflow>(workflow.type, {
    ...optionsOf(queues, workflow, start),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  return temporal.withDeadline(Date.now() + UPDATE_DEADLINE_MS, () =>
    temporal.workflow.executeUpdateWithStart<Workflow, unknown, unknown[]>(update, {
      args: [input],
      startWorkflowOperation,
    }),
  );
}

function optionsOf<Input>(
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
