import { defineUpdate } from '@temporalio/workflow';
import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

/** In order of execution: guests see the first step at the full minute. */
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

/** `text` is, for example, `2 started` or `failed: TIMEOUT`. */
export type UpkeepStep = { name: string; text: string; isFailed: boolean };

export type UpkeepResult = { steps: readonly UpkeepStep[]; everyMs: number };

export type UpkeepInput = {
  /** Default: Temporal decides. */
  roundsPerRun?: number;
  last?: UpkeepResult & { at: number };
};

/** Resumes lost work and deletes outdated rows every minute (OPS-102). */
export const upkeepWorkflow = defineWorkflow<UpkeepInput>()({
  type: 'upkeep',
  versioning: 'AUTO_UPGRADE',
  id: () => 'upkeep',
});

export type UpkeepRequest = { steps?: readonly string[] };

/** Runs steps at once and returns their results as text. */
export const upkeepNow = defineUpdate<string, [UpkeepRequest]>('run');
