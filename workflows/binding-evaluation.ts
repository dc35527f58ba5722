import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import { menuImported, type BindingEvaluationInput } from '../modules/binding/messages/binding.ts';
import { bindingActivities } from './support/activity-sets.ts';

/**
 * Rounds after which the execution continues as new; a start always evaluates, so nothing is
 * carried over.
 */
const ROUNDS_PER_RUN = 500;

/**
 * Evaluates the bindings to the menus of a connection after an import, and again when the next
 * grace window ends, also when no further import comes (rule BND-10). Signals are hints: imports
 * that arrive together share an evaluation. Ends when no window is open.
 */
export async function bindingEvaluation(input: BindingEvaluationInput = {}): Promise<void> {
  const { connectionId = null } = input;
  let imports = 0;
  let runId: number | null = null;
  setHandler(menuImported, (run) => {
    imports += 1;
    runId = run ?? runId;
  });

  for (let round = 1; ; round += 1) {
    const seen = imports;
    const { graceEndsInMs } = await bindingActivities().evaluateBindings({ runId, connectionId });
    runId = null;
    // No await between this check and the return: a signal after it makes the server reject the
    // completion.
    if (imports === seen && graceEndsInMs === null) return;
    if (graceEndsInMs !== null)
      await condition(() => imports !== seen, Math.max(1, graceEndsInMs), {
        summary: 'Until the next dish has been away for its grace time',
      });
    if (round >= (input.roundsPerRun ?? ROUNDS_PER_RUN) || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof bindingEvaluation>(input);
  }
}
