import { continueAsNew, setHandler } from '@temporalio/workflow';
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
import { growing, pollingLoop } from './support/polling-loop.ts';

const SECOND = 1_000;
const PACE: WaitingPace = { firstMs: 5 * SECOND, longestMs: 600 * SECOND, pausesPerRun: 500 };

/**
 * Tracks one gift until its marker is removed from the ERP (CMP-19). The state is in rows, which
 * change even without this workflow.
 */
export async function giftRedemption(input: GiftRedemptionInput): Promise<void> {
  const { compensationId, orderId } = input;
  const { firstMs, longestMs, pausesPerRun } = { ...PACE, ...input.pace };
  const beginAnew = () => continueAsNew<typeof giftRedemption>(input);
  const loop = pollingLoop<GiftStanding>({ pausesPerRun, beginAnew, inWords });
  const look = () => loop.look(() => giftActivities().lookAtGift({ compensationId, orderId }));
  setHandler(giftState, loop.found);
  setHandler(giftSettled, () => loop.hint());
  loop.rejectUnknownSignals();

  // The right stays reserved until the order's outcome is certain. After redemption, another
  // workflow of the client removes the marker.
  await look();

  for (const stage of ['RESERVED', 'TO_CLEAR'] as const)
    for (let looks = 1; loop.isAt(stage); looks += 1) {
      await loop.pause(growing(firstMs, looks, longestMs));
      await look();
    }
  // No marker remains, the client has the right again, or another channel's order redeemed it.
}

const STAGES: Readonly<Record<GiftStage, string>> = {
  RESERVED:
    'Reserved for the order. It is redeemed as soon as the ERP has created the order, and returned when the order fails.',
  TO_CLEAR: 'Redeemed. Its marker is still in the ERP and will be removed.',
  CLEARED: 'Redeemed. The ERP has no marker of it.',
  RETURNED: 'Returned: the order failed.',
  TAKEN: 'Redeemed by an order from another channel.',
};

const inWords = ({ stage, status, marker }: GiftStanding): string =>
  [
    STAGES[stage],
    `Right: ${status}${marker === null ? '' : `, marker: ${marker.state}`}`,
    ...(marker?.heldBy == null ? [] : [`${marker.heldBy}: ${HELD_BY[marker.heldBy]}.`]),
  ].join('\n\n');
