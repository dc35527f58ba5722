import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import {
  cancelRequested,
  erpStatusChanged,
  orderState,
  type CancelIntent,
  type OrderInput,
  type OrderPace,
  type OrderStanding,
} from '../modules/ordering/messages/ordering.ts';
import { orderActivities } from './support/activity-sets.ts';
import { giftsOfOrder } from './support/gifts-of-order.ts';
import { growing } from './support/growing.ts';
import { showOutcome } from './support/show-outcome.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const PACE: OrderPace = {
  sendMs: 2 * SECOND,
  longestSendMs: MINUTE,
  lookMs: SECOND,
  longestLookMs: 30 * SECOND,
  followMs: 10 * MINUTE,
  stuckMs: 3 * MINUTE,
  missingMs: 2 * MINUTE,
  pausesPerRun: 1_000,
};

/**
 * Accompanies one order from its acceptance to its end. The row remembers what happened, so an execution after a lost one goes on where
 * that stopped, and signals are hints: what became of the order the ERP is asked itself.
 */
export async function order(input: OrderInput): Promise<void> {
  const { orderId, queues } = input;
  const pace = { ...PACE, ...input.pace };
  const { sendOrder, lookAtOrder, withdrawOrder } = orderActivities(queues);
  const { stuckMs, missingMs } = pace;
  const process = orderProcess(input, pace, withdrawOrder);
  const gifts = giftsOfOrder(input);
  const send = () => sendOrder({ orderId });
  const look = () => lookAtOrder({ orderId, stuckMs, missingMs });

  // The ERP is told under our id, until it has the order, refuses it, or the time for that is over.
  await process.step(send);
  for (let tries = 1; process.is('TO_SEND'); tries += 1) {
    await process.pause(growing(pace.sendMs, tries, pace.longestSendMs));
    await process.step(send);
  }
  // The ERP has it, or may have it: looked up until its restaurant has taken it, or it is certain that nobody has it.
  for (let looks = 1; process.is('AWAITED'); looks += 1) {
    await process.pause(growing(pace.lookMs, looks, pace.longestLookMs));
    await process.step(look);
  }
  // Its gifts are redeemed or returned by now.
  await gifts.settled();
  // The restaurant makes it, brings it and closes it.
  while (process.is('AT_RESTAURANT')) {
    await process.pause(pace.followMs);
    await process.step(look);
  }
}

/** Steps and pauses of one execution: pauses end early when somebody has something to say, and a wish to cancel comes first. */
function orderProcess(
  input: OrderInput,
  pace: OrderPace,
  withdraw: (wish: { orderId: string } & CancelIntent) => Promise<OrderStanding>,
) {
  let standing: OrderStanding | null = null;
  let hints = 0;
  let seen = 0;
  let pauses = 0;
  let wish: CancelIntent | null = null;
  setHandler(orderState, () => standing);
  setHandler(erpStatusChanged, () => void (hints += 1));
  setHandler(cancelRequested, (intent) => {
    wish = intent;
    hints += 1;
  });

  return {
    is: (stage: OrderStanding['stage']): boolean => standing?.stage === stage,
    async step(act: () => Promise<OrderStanding>): Promise<void> {
      seen = hints;
      const cancel = wish;
      wish = null;
      if (cancel !== null) standing = await withdraw({ orderId: input.orderId, ...cancel });
      if (standing?.stage !== 'ENDED') standing = await act();
      setCurrentDetails(inWords(standing));
      showOutcome(standing.outcome);
    },
    async pause(ms: number): Promise<void> {
      pauses += 1;
      if (hints !== seen) return;
      if (pauses > pace.pausesPerRun || workflowInfo().continueAsNewSuggested) await continueAsNew<typeof order>(input);
      await condition(() => hints !== seen, Math.max(ms, standing?.retryAfterMs ?? 0), {
        summary: `Pause before the next look: ${standing?.stage}`,
      });
    },
  };
}

const STAGES: Readonly<Record<OrderStanding['stage'], string>> = {
  TO_SEND: 'The ERP does not have the order yet; it is sent again.',
  AWAITED: 'The ERP has the order or may have it; its restaurant has not taken it yet.',
  AT_RESTAURANT: 'The restaurant has the order.',
  ENDED: 'The order has ended.',
};

const inWords = ({ stage, state, problem }: OrderStanding): string =>
  `${STAGES[stage]}\n\nState: ${state}${problem === null ? '' : `, problem: ${problem}`}`;
