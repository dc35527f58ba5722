import { activityInfo } from '@temporalio/activity';
import { importOptions } from './import-options.ts';
import { productsLeftWithoutVariant } from '../modules/binding/products-left-without-variant.ts';
import {
  applyImport,
  type ApplyInput,
  type StagedRun,
} from '../modules/mirror/menu/apply-import.ts';
import { fetchAndStage, type FetchInput } from '../modules/mirror/menu/fetch-and-stage.ts';
import { previewImport } from '../modules/mirror/menu/preview-import.ts';
import type { MirrorDeps } from '../modules/mirror/runs/fenced-import.ts';
import { repeatingProgress } from '../platform/progress.ts';
import type { StatementLimit } from './statement-limit.ts';

/** On a queue with few slots, because each can have a menu in memory. */
export type MenuActivities = ReturnType<typeof createMenuActivities>;

/** `call` numbers the calls of one workflow: with Temporal's attempt it distinguishes every try. */
export type FetchCall = Omit<FetchInput, 'attempt'> & { call: number };

const TRIES_PER_CALL = 100;

/** The worker calls this once. */
export function createMenuActivities(deps: MirrorDeps & StatementLimit) {
  return {
    /**
     * Stages one batch under its own attempt; apply reads only reported rows. Permanent faults:
     * an invalid answer, a rejected credential.
     */
    fetchAndStage: ({ call, ...input }: FetchCall) =>
      fetchAndStage(
        deps,
        { ...input, attempt: call * TRIES_PER_CALL + activityInfo().attempt },
        importOptions(),
      ),

    /**
     * Applies a run in one transaction. A second call returns the first result. Ignores
     * cancellation.
     */
    applyImport: (input: ApplyInput) =>
      repeatingProgress(deps.statementMs, () => applyImport(deps, input)),

    /**
     * Computes the changes of a full import in a transaction that is rolled back. The mirror does
     * not depend on the catalog, which computes the effect on products.
     */
    previewImport: (input: StagedRun) =>
      repeatingProgress(deps.statementMs, () =>
        previewImport(deps, input, productsLeftWithoutVariant),
      ),
  };
}
