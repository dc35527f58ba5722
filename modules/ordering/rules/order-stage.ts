import { FINAL_STATES, type OrderState } from './order-states.ts';

/** The next step for an order. */
export type OrderStage =
  /** To be sent to the ERP: it was not sent yet, or the result of the last call is unknown. */
  | 'TO_SEND'
  /** No longer sent, but looked up until its result is final. */
  | 'AWAITED'
  /** The restaurant has it. */
  | 'AT_RESTAURANT'
  | 'ENDED';

/** The facts of a row about the way of its order to the ERP. */
export type OrderOnItsWay = {
  state: OrderState;
  /** The id of the order at the ERP, if the ERP has it. */
  erpOrderId: string | null;
  /** The ERP's word for a rejection. */
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
