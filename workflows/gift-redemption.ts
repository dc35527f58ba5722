import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import {
  giftSettled,
  giftState,
  type GiftRedemptionInput,
  type GiftStanding,
  type WaitingPace,
} from '../modules/gifts/messages/gifts.ts';
import type { GiftStage } from '../modules/gifts/rules/gift-stage.ts';
import { HELD_BY } from '../modules/gifts/rules/markers.ts';
import { giftActivities } from './support/activity-sets.ts';
import { growing } from './support/growing.ts';
import { showOutcome } from './support/show-outcome.ts';

const SECOND = 1_000;
const PACE: WaitingPace = { firstMs: 5 * SECOND, longestMs: 600 * SECOND, pausesPerRun: 500 };

/**
 * Accompanies one gift of one order, from its reservation until nothing is left of it at the ERP (rule CMP-19). The rows remember what
 * happened: they move with the order in one transaction, also while nobody accompanies it.
 */
export async function giftRedemption(input: GiftRedemptionInput): Promise<void> {
  const process = giftProcess(input);

  // Until it is known whether the ERP has created the order, the right stays reserved for it.
  await process.look();
  while (process.is('RESERVED')) await process.waitAndLook();
  // Redeemed: the marker at the ERP is taken away by the workflow of its client, however long that takes.
  while (process.is('TO_CLEAR')) await process.waitAndLook();
  // Nothing is left of it there; or the client has the right again, or an order made elsewhere has taken it.
}

/** Looks and pauses of one execution: a pause ends early when the order is settled. */
function giftProcess(input: GiftRedemptionInput) {
  const { compensationId, orderId } = input;
  const pace = { ...PACE, ...input.pace };
  let standing: GiftStanding | null = null;
  let settled = 0;
  let seen = 0;
  let pauses = 0;
  let pausesOfStage = 0;
  setHandler(giftState, () => standing);
  setHandler(giftSettled, () => void (settled += 1));

  async function look(): Promise<void> {
    const before = standing?.stage;
    seen = settled;
    standing = await giftActivities().lookAtGift({ compensationId, orderId });
    if (standing.stage !== before) pausesOfStage = 0;
    setCurrentDetails(inWords(standing));
    showOutcome(standing.outcome);
  }
  return {
    is: (stage: GiftStage): boolean => standing?.stage === stage,
    look,
    async waitAndLook(): Promise<void> {
      pauses += 1;
      pausesOfStage += 1;
      if (pauses > pace.pausesPerRun || workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof giftRedemption>(input);
      await condition(() => settled !== seen, growing(pace.firstMs, pausesOfStage, pace.longestMs), {
        summary: `Pause before the next look: ${standing?.stage}`,
      });
      await look();
    },
  };
}

const STAGES: Readonly<Record<GiftStage, string>> = {
  RESERVED:
    'Reserved for the order. It is redeemed as soon as the ERP has created the order, and returned when the order comes to nothing.',
  TO_CLEAR: 'Redeemed. Its marker is still at the ERP, and is taken away there.',
  CLEARED: 'Redeemed. No marker of it is left at the ERP.',
  RETURNED: 'Returned: the order came to nothing.',
  TAKEN: 'Redeemed by an order that was made elsewhere.',
};

const inWords = ({ stage, status, marker }: GiftStanding): string =>
  [
    STAGES[stage],
    `Right: ${status}${marker === null ? '' : `, marker: ${marker.state}`}`,
    ...(marker?.heldBy == null ? [] : [`${marker.heldBy}: ${HELD_BY[marker.heldBy]}.`]),
  ].join('\n\n');
