import { allHandlersFinished, condition, continueAsNew, setHandler } from '@temporalio/workflow';
import {
  CANCEL_INTENT,
  cancelRequested,
  cancelUpdate,
  erpStatusChanged,
  CANCEL_INPUT,
  orderState,
  type CancelIntent,
  type CancelInput,
  type OrderInput,
  type OrderPace,
  type OrderResult,
  type OrderStanding,
} from '../modules/ordering/messages/ordering.ts';
import {
  FINAL_STATES,
  ORDER_PATH,
  type OrderState,
} from '../modules/ordering/rules/order-states.ts';
import { MISSING_MS, STUCK_MS } from '../modules/ordering/rules/unknown-answer.ts';
import { operatorInputErrors } from '../kernel/pure/operator-input.ts';
import { problemSentence } from '../kernel/pure/problem-sentence.ts';
import { orderActivities } from './support/activity-sets.ts';
import { giftsOfOrder } from './support/gifts-of-order.ts';
import { growing, pollingLoop } from './support/polling-loop.ts';
import { rejectInvalid, unwrapResult } from './support/updates.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const PACE: OrderPace = {
  sendMs: 2 * SECOND,
  longestSendMs: MINUTE,
  lookMs: SECOND,
  longestLookMs: 30 * SECOND,
  followMs: 10 * MINUTE,
  longestFollowMs: 120 * MINUTE,
  stuckMs: STUCK_MS,
  missingMs: MISSING_MS,
  pausesPerRun: 1_000,
};

/**
 * Tracks one order to its end. The row stores the progress. A signal either contains the state from
 * a poll or is a hint to read the order from the ERP; operators cancel the order by an update.
 */
export async function order(input: OrderInput): Promise<OrderResult> {
  const { orderId, queues } = input;
  const pace = { ...PACE, ...input.pace };
  const { sendOrder, lookAtOrder } = orderActivities(queues);
  const { stuckMs, missingMs } = pace;
  const { loop, step } = orderSteps(input, pace.pausesPerRun);
  const gifts = giftsOfOrder(input);
  const send = () => sendOrder({ orderId });
  const look = () => lookAtOrder({ orderId, stuckMs, missingMs });

  // Sends the order under our id until the ERP has it or rejects it, or the time limit passes.
  await step(send);

  for (let tries = 1; loop.isAt('TO_SEND'); tries += 1) {
    await loop.pause(growing(pace.sendMs, tries, pace.longestSendMs));
    await step(send);
  }

  // Reads the order until the restaurant accepts it, or the ERP certainly does not have it.
  for (let looks = 1; loop.isAt('AWAITED'); looks += 1) {
    await loop.pause(growing(pace.lookMs, looks, pace.longestLookMs));
    await step(look);
  }

  // The gifts of the order are redeemed or returned.
  await gifts.settled();

  // The restaurant prepares, delivers and closes the order.
  for (let delivered = 0; loop.isAt('AT_RESTAURANT');) {
    delivered = loop.found()?.state === 'DELIVERED' ? delivered + 1 : 0;
    const pauseMs = growing(pace.followMs, Math.max(1, delivered), pace.longestFollowMs);
    const isHinted = await loop.pause(pauseMs);
    await step(() =>
      lookAtOrder({ orderId, stuckMs, missingMs, following: { followMs: pauseMs, isHinted } }),
    );
  }

  await condition(allHandlersFinished);
  const { state, problem } = loop.found()!;

  return { state, problem };
}

/** Creates the steps. A requested cancellation precedes the next one. */
function orderSteps(input: OrderInput, pausesPerRun: number) {
  const { orderId, queues } = input;
  const beginAnew = () => continueAsNew<typeof order>(input);
  const loop = pollingLoop<OrderStanding>({ pausesPerRun, beginAnew, inWords });
  let wish: CancelIntent | null = null;
  setHandler(orderState, loop.found);
  setHandler(erpStatusChanged, (standing) => loop.hint(isStanding(standing) ? standing : null));
  setHandler(cancelRequested, (intent) => {
    const errors = operatorInputErrors(CANCEL_INTENT, intent);
    if (errors.length > 0)
      return loop.rejectSignal(
        'cancelRequested',
        `The requested cancellation was rejected: ${problemSentence('validation', { errors })}`,
      );

    wish = intent;
    loop.hint();
  });

  setHandler(cancelUpdate, cancel, {
    validator: (cancellation) => rejectInvalid(operatorInputErrors(CANCEL_INPUT, cancellation)),
    description:
      'Cancels the order before it is sent. Input: {"by": "Anna", "note": "Ordered twice"}',
  });

  loop.rejectUnknownSignals();

  async function cancel(cancellation: CancelInput) {
    const result = unwrapResult(
      await orderActivities(queues).cancelOrder({ orderId, ...cancellation }),
    );
    loop.hint();
    return result;
  }

  const step = (act: () => Promise<OrderStanding>) =>
    loop.look(async () => {
      const cancel = wish;
      wish = null;
      if (cancel === null) return act();
      const withdrawn = await orderActivities(queues).withdrawOrder({ orderId, ...cancel });
      return withdrawn.stage === 'ENDED' ? withdrawn : act();
    });

  return { loop, step };
}

const STAGES: Readonly<Record<OrderStanding['stage'], string>> = {
  TO_SEND: 'The ERP does not have the order yet; it is sent again.',
  AWAITED: 'The ERP has the order or may have it; its restaurant has not taken it yet.',
  AT_RESTAURANT: 'The restaurant has the order.',
  ENDED: 'The order has ended.',
};

const STATES: ReadonlySet<unknown> = new Set([...ORDER_PATH, ...FINAL_STATES]);

/**
 * Returns true for a complete state. All other signals, which people can send too, are only hints.
 */
function isStanding(value: unknown): value is OrderStanding {
  if (typeof value !== 'object' || value === null) return false;
  const { stage, state, problem, retryAfterMs, outcome } = value as Partial<
    Record<keyof OrderStanding, unknown>
  >;
  const isTextOrNull = (text: unknown) => text === null || typeof text === 'string';

  return (
    Object.hasOwn(STAGES, String(stage)) &&
    STATES.has(state) &&
    isTextOrNull(problem) &&
    isTextOrNull(outcome) &&
    (retryAfterMs === null || typeof retryAfterMs === 'number') &&
    (stage === 'ENDED') === FINAL_STATES.has(state as OrderState)
  );
}

const inWords = ({ stage, state, problem }: OrderStanding): string =>
  `${STAGES[stage]}\n\nState: ${state}${problem === null ? '' : `, problem: ${problem}`}`;
