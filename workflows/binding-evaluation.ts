import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';
import { menuImported, type BindingEvaluationInput } from '../modules/binding/messages/binding.ts';
import { bindingActivities } from './support/activity-sets.ts';

/** A new execution always evaluates, so continue-as-new loses nothing. */
const ROUNDS_PER_RUN = 500;

/**
 * Evaluates bindings after an import, and when the next grace period ends (BND-10). Signals are
 * hints. Ends when no grace period is running.
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
    // No await before the return: the server rejects a completion after a new signal.
    if (imports === seen && graceEndsInMs === null) return;
    if (graceEndsInMs !== null)
      await condition(() => imports !== seen, Math.max(1, graceEndsInMs), {
        summary: 'Until the next dish has been away for its grace time',
      });

    if (round >= (input.roundsPerRun ?? ROUNDS_PER_RUN) || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof bindingEvaluation>(input);
  }
}
