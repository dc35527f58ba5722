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
 * Accompanies one gift of one order, from its reservation until nothing is left of it at the ERP
 * (rule CMP-19). The rows remember what happened: they move with the order in one transaction, also
 * while nobody accompanies it.
 */
export async function giftRedemption(input: GiftRedemptionInput): Promise<void> {
  const { compensationId, orderId } = input;
  const { firstMs, longestMs, pausesPerRun } = { ...PACE, ...input.pace };
  const beginAnew = () => continueAsNew<typeof giftRedemption>(input);
  const loop = pollingLoop<GiftStanding>({ pausesPerRun, beginAnew, inWords });
  const look = () => loop.look(() => giftActivities().lookAtGift({ compensationId, orderId }));
  setHandler(giftState, loop.found);
  setHandler(giftSettled, loop.hint);

  // Until it is known whether the ERP has created the order, the right stays reserved for it. Once
  // redeemed, the marker at the ERP is taken away by the workflow of its client, however long that
  // takes.
  await look();
  for (const stage of ['RESERVED', 'TO_CLEAR'] as const)
    for (let looks = 1; loop.isAt(stage); looks += 1) {
      await loop.pause(growing(firstMs, looks, longestMs));
      await look();
    }
  // Nothing is left of it there; or the client has the right again, or an order made elsewhere has
  // taken it.
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
