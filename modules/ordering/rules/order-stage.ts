import { FINAL_STATES, type OrderState } from './order-states.ts';

export type OrderStage =
  /** Not sent, or sent with an unknown result. */
  | 'TO_SEND'
  /** No longer sent, but read until the result is final. */
  | 'AWAITED'
  | 'AT_RESTAURANT'
  | 'ENDED';

export type OrderOnItsWay = {
  state: OrderState;
  /** Null unless the ERP has the order. */
  erpOrderId: string | null;
  erpError: string | null;
  sendUntil: Date;
};

/** `now` in ms (rule ORD-50). */
export function determineStage(
  { state, erpOrderId, erpError, sendUntil }: OrderOnItsWay,
  now: number,
): OrderStage {
  if (FINAL_STATES.has(state)) return 'ENDED';
  if (state !== 'ACCEPTED' && state !== 'SENT') return 'AT_RESTAURANT';
  const maySend = erpOrderId === null && erpError === null && now < sendUntil.getTime();
  return maySend ? 'TO_SEND' : 'AWAITED';
}
