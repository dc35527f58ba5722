import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import {
  UPKEEP_STEPS,
  upkeepNow,
  type UpkeepInput,
  type UpkeepResult,
} from '../modules/mirror/messages/upkeep.ts';
import { nextPollAt } from '../modules/mirror/rules/poll-times.ts';
import { upkeepRequestErrors } from '../modules/mirror/rules/upkeep-requests.ts';
import { upkeepActivities } from './support/activity-sets.ts';
import { executionDetails } from './support/details.ts';
import { failureInWords } from './support/failure-in-words.ts';
import { rejectInvalid } from './support/updates.ts';

/** Interval until the first result contains the configured one. */
const EVERY_MS = 60_000;
/**
 * Delay after the full minute. The database clock, which opening hours depend on, may be this much
 * behind.
 */
const OFFSET_MS = 2_000;

/**
 * Runs all steps at each full minute (OPS-102): resumes work that has a row but no execution, and
 * deletes outdated rows. A failed step is repeated in the next minute and does not stop other
 * steps.
 */
export async function upkeep(input: UpkeepInput): Promise<void> {
  const { runUpkeep } = upkeepActivities();
  const details = executionDetails();
  let last = input.last ?? null;
  setHandler(
    upkeepNow,
    async (request) => {
      const { steps } = await runUpkeep(request);
      return stepsInWords(steps);
    },
    {
      description:
        'Runs steps at once and returns their results: {"steps": ["seal-audit"]}, or {} for all',
      validator: (request) => rejectInvalid(upkeepRequestErrors(request, UPKEEP_STEPS)),
    },
  );

  details.rejectUnknownSignals();

  for (let rounds = 1; ; rounds += 1) {
    const everyMs = last?.everyMs ?? EVERY_MS;
    const result: UpkeepResult = await runUpkeep({}).catch((error: unknown) => ({
      steps: [{ name: 'upkeep', text: failureInWords(error), isFailed: true }],
      everyMs,
    }));

    last = { ...result, at: Date.now() };
    details.show(`Last at ${new Date(last.at).toISOString()}\n\n${stepsInWords(last.steps)}`);
    if (rounds >= (input.roundsPerRun ?? Infinity) || workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof upkeep>({ ...input, last });
    }

    const now = Date.now();
    await sleep(nextPollAt(now, { everyMs: last.everyMs, offsetMs: OFFSET_MS }) - now, {
      summary: 'Until the next full minute',
    });
  }
}

const stepsInWords = (steps: UpkeepResult['steps']): string =>
  steps.map(({ name, text }) => `${name}: ${text}`).join('\n\n');
