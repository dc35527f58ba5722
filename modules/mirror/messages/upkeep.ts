import { defineUpdate } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

/**
 * The steps in their order. The first one shows at the full minute to guests; the others resume
 * lost work, report, and delete.
 */
export const UPKEEP_STEPS = [
  'patch-due-hours',
  'reconcile-orders',
  'reconcile-imports',
  'reconcile-polling',
  'reconcile-snapshots',
  'reconcile-gifts',
  'reconcile-rights',
  'reconcile-notifications',
  'reconcile-bindings',
  'reconcile-busy-modes',
  'report-circuits',
  'apply-schedules',
  'seal-audit',
  'delete-outdated',
] as const;
export type UpkeepStepName = (typeof UPKEEP_STEPS)[number];

/** The end of one step: `text` in words, such as `2 started` or `failed: TIMEOUT`. */
export type UpkeepStep = { name: string; text: string; isFailed: boolean };

/** One minute of upkeep, and the interval of the environment in ms. */
export type UpkeepResult = { steps: readonly UpkeepStep[]; everyMs: number };

/** Input of upkeep. */
export type UpkeepInput = {
  /** Rounds after which the execution continues as new; Temporal decides when absent. */
  roundsPerRun?: number;
  last?: UpkeepResult & { at: number };
};

/** Resumes lost work and deletes outdated rows, each minute (rule OPS-102). */
export const upkeepWorkflow = defineWorkflow<UpkeepInput>()({
  type: 'upkeep',
  versioning: 'AUTO_UPGRADE',
  id: () => 'upkeep',
});

/** Request of an operator: these steps, or all. */
export type UpkeepRequest = { steps?: readonly string[] };

/** Runs steps at once and returns their results in words. */
export const upkeepNow = defineUpdate<string, [UpkeepRequest]>('run');
