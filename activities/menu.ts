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

/**
 * The heavy half of a menu import, on a queue with few slots because each can have a menu in
 * memory.
 */
export type MenuActivities = ReturnType<typeof createMenuActivities>;

/**
 * `call` numbers the calls of one workflow: with Temporal's attempt it makes every try of a batch
 * distinct.
 */
export type FetchCall = Omit<FetchInput, 'attempt'> & { call: number };

const TRIES_PER_CALL = 100;

/** The activities bound to their dependencies; the worker calls this once. */
export function createMenuActivities(deps: MirrorDeps & StatementLimit) {
  return {
    /**
     * Fetches and stages one batch. A second call stages under its own attempt, and apply reads
     * only reported rows. Permanent: an answer that does not validate, a rejected credential.
     * Heartbeats with its batch, the received bytes and the table that it writes.
     */
    fetchAndStage: ({ call, ...input }: FetchCall) =>
      fetchAndStage(
        deps,
        { ...input, attempt: call * TRIES_PER_CALL + activityInfo().attempt },
        importOptions(),
      ),

    /**
     * Applies a run in one transaction. A second call returns the result of the first; a deadlock
     * is retried. Cannot be canceled half-way: it commits completely or not at all.
     */
    applyImport: (input: ApplyInput) =>
      repeatingProgress(deps.statementMs, () => applyImport(deps, input)),

    /**
     * Computes the changes of a full import, in a transaction that is rolled back. A second call
     * computes it again. The effect on products is computed by the catalog, which the mirror does
     * not depend on.
     */
    previewImport: (input: StagedRun) =>
      repeatingProgress(deps.statementMs, () =>
        previewImport(deps, input, productsLeftWithoutVariant),
      ),
  };
}
