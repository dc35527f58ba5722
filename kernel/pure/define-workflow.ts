import type { Queues } from './queues.ts';

/**
 * Release of the workers that continue an execution (rule OPS-181). `PINNED`: the release that
 * began it, for work of minutes. `AUTO_UPGRADE`: the current release, which replays its history,
 * for work that may outlive the workers of a release.
 */
export type Versioning = 'PINNED' | 'AUTO_UPGRADE';

/**
 * One workflow of the product: its type on the wire (renaming it breaks running executions), the id
 * of an execution, and the queue it runs on. The id is the named lock of the workflow's work (rule
 * MIR-35): at most one execution of an id runs. It consists of our own ids and never of names,
 * phones or other personal data.
 */
export type WorkflowDefinition<Type extends string, Key, Input extends Key, Result> = {
  readonly type: Type;
  readonly queue: keyof Queues;
  readonly versioning: Versioning;
  /** The id of the execution with this input. */
  readonly id: (key: Key) => string;
  /** Types only: the input and the result of the workflow. */
  readonly run?: (input: Input) => Promise<Result>;
};

/** Any workflow with this input. */
export type WorkflowWith<Input> = {
  readonly type: string;
  readonly queue: keyof Queues;
  readonly id: (input: NoInfer<Input>) => string;
  readonly run?: (input: Input) => Promise<unknown>;
};

/** The workflow function of a definition. */
export type WorkflowFunction<Definition extends { readonly run?: unknown }> = NonNullable<Definition['run']>;

/**
 * Declares a workflow with its input and result: `defineWorkflow<Input>()({ type, id, … })`. It
 * runs on the queue `workflows` unless the declaration names another one.
 */
export const defineWorkflow =
  <Input, Result = void>() =>
  <Type extends string, Key>(definition: {
    type: Type;
    id: (key: Key) => string;
    versioning: Versioning;
    queue?: keyof Queues;
  }): WorkflowDefinition<Type, Key, Input & Key, Result> => ({ queue: 'workflows', ...definition });

/** Id of the schedule that starts executions of this id. */
export const scheduleIdOf = (workflowId: string): string => `schedule/${workflowId}`;
