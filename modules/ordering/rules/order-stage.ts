import { FINAL_STATES, type OrderState } from './order-states.ts';

/** The next step for an order. */
export type OrderStage =
  /** It is sent to the ERP: it was not sent yet, or what came of the last call is not known. */
  | 'TO_SEND'
  /** It is not sent any more, and is looked up until it is known what became of it. */
  | 'AWAITED'
  /** The restaurant has it. */
  | 'AT_RESTAURANT'
  | 'ENDED';

/** The facts of a row about the way of its order to the ERP. */
export type OrderOnItsWay = {
  state: OrderState;
  /** The id under which the ERP is known to have it. */
  erpOrderId: string | null;
  /** The ERP's word for a refusal. */
  erpError: string | null;
  sendUntil: Date;
};

/** The stage of an order at a moment in milliseconds (rule ORD-50). */
export function stageOf({ state, erpOrderId, erpError, sendUntil }: OrderOnItsWay, now: number): OrderStage {
  if (FINAL_STATES.has(state)) return 'ENDED';
  if (state !== 'ACCEPTED' && state !== 'SENT') return 'AT_RESTAURANT';
  const maySend = erpOrderId === null && erpError === null && now < sendUntil.getTime();
  return maySend ? 'TO_SEND' : 'AWAITED';
}
