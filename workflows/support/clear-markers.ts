import { allHandlersFinished, condition, setHandler, workflowInfo } from '@temporalio/workflow';
import { operatorInputErrors } from '../../kernel/pure/operator-input.ts';
import {
  clearingState,
  CONFLICT_RESOLUTION,
  markerWaits,
  resolveUpdate,
  type ClearingStanding,
  type MarkerClearInput,
  type WaitingPace,
} from '../../modules/gifts/messages/gifts.ts';
import { HELD_BY } from '../../modules/gifts/rules/markers.ts';
import type { MarkerSource } from '../../modules/gifts/rules/words.ts';
import { giftActivities, markerActivities } from './activity-sets.ts';
import { executionDetails } from './details.ts';
import { growing } from './polling-loop.ts';
import { rejectInvalid, unwrapResult } from './updates.ts';

const SECOND = 1_000;
const PACE: WaitingPace = { firstMs: 5 * SECOND, longestMs: 3_600 * SECOND, pausesPerRun: 500 };

/**
 * Removes markers of redeemed rights one by one (CMP-14), without delaying other markers of the
 * client (CMP-90). Retries without limit, with growing pauses or at once when another right is
 * redeemed. The rows contain the state, signals are hints, and operators resolve conflicts by an
 * update (CMP-120).
 */
export async function clearMarkers(
  source: MarkerSource,
  input: MarkerClearInput,
  beginAnew: () => Promise<never>,
): Promise<void> {
  const { clientId, queues, heartbeatMs } = input;
  const pace = { ...PACE, ...input.pace };
  let standing: ClearingStanding | null = null;
  let hints = 0;
  setHandler(clearingState, () => standing);
  setHandler(markerWaits, () => void (hints += 1));
  setHandler(
    resolveUpdate,
    async (resolution) =>
      unwrapResult(await giftActivities().resolveConflict({ clientId, source, ...resolution })),
    {
      validator: (resolution) =>
        rejectInvalid(operatorInputErrors(CONFLICT_RESOLUTION, resolution)),
      description: DESCRIPTION,
    },
  );

  const details = executionDetails();
  details.rejectUnknownSignals();

  let failures = 0;

  for (let tries = 1; ; tries += 1) {
    const seen = hints;
    standing = await markerActivities(queues, heartbeatMs).clearNextMarker({ clientId, source });
    details.show(inWords(standing));
    const { waiting, heldBy, retryAfterMs, isNextAtOnce } = standing;

    // No await before the return: the server rejects a completion after a new signal.
    while (waiting === 0 && hints === seen) {
      if (allHandlersFinished()) return;
      await condition(() => hints !== seen || allHandlersFinished());
    }

    const isLong = tries >= pace.pausesPerRun || workflowInfo().continueAsNewSuggested;
    if (isLong && allHandlersFinished()) await beginAnew();
    if (heldBy === null) failures = 0;
    if (heldBy === null || isNextAtOnce) continue;
    failures += 1;
    const pauseMs = growing(pace.firstMs, failures, pace.longestMs);
    await condition(() => hints !== seen, Math.max(pauseMs, retryAfterMs ?? 0), {
      summary: `Pause before the next try: ${heldBy}`,
    });
  }
}

const DESCRIPTION =
  'Decides about a conflict of this client: GRANT or IGNORE. Input: {"by": "Anna", "note": "The guest waited twice", "conflictId": 17, "decision": "GRANT"}';

const inWords = ({ waiting, heldBy, conflicts = [] }: ClearingStanding): string =>
  [
    `Markers of redeemed rights that are still at the ERP: ${waiting}`,
    ...(heldBy === null ? [] : [`${heldBy}: ${HELD_BY[heldBy]}.`]),
    ...(conflicts.length === 0 ? [] : [`Conflicts that wait for staff: ${conflicts.join(', ')}`]),
  ].join('\n\n');
