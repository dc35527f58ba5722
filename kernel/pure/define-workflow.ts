import type { Queues } from './queues.ts';

/**
 * The release that continues an execution (OPS-181). `PINNED`: the release that started it, for
 * work of minutes. `AUTO_UPGRADE`: the current release, by replay, for work that may outlive a
 * release.
 */
export type Versioning = 'PINNED' | 'AUTO_UPGRADE';

/**
 * Renaming the type breaks running executions. The id locks the work (MIR-35): one execution per
 * id runs. It must not contain personal data.
 */
export type WorkflowDefinition<Type extends string, Key, Input extends Key, Result> = {
  readonly type: Type;
  readonly queue: keyof Queues;
  readonly versioning: Versioning;
  readonly id: (key: Key) => string;
  /** Exists only for the type checker. */
  readonly run?: (input: Input) => Promise<Result>;
};

export type WorkflowWith<Input> = {
  readonly type: string;
  readonly queue: keyof Queues;
  readonly id: (input: NoInfer<Input>) => string;
  readonly run?: (input: Input) => Promise<unknown>;
};

export type WorkflowFunction<Definition extends { readonly run?: unknown }> = NonNullable<
  Definition['run']
>;

/** Declares a workflow: `defineWorkflow<Input>()({ type, id, … })`. Default queue: `workflows`. */
export const defineWorkflow =
  <Input, Result = void>() =>
  <Type extends string, Key>(definition: {
    type: Type;
    id: (key: Key) => string;
    versioning: Versioning;
    queue?: keyof Queues;
  }): WorkflowDefinition<Type, Key, Input & Key, Result> => ({ queue: 'workflows', ...definition });

/** Returns the id of the schedule that starts this workflow id. */
export const toScheduleId = (workflowId: string): string => `schedule/${workflowId}`;
