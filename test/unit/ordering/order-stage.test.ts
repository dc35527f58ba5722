import { describe, expect, test } from '@jest/globals';
import { determineStage, type OrderStage } from '../../../modules/ordering/rules/order-stage.ts';
import {
  FINAL_STATES,
  ORDER_PATH,
  STATES_OF_STATUSES,
  type OrderState,
} from '../../../modules/ordering/rules/order-states.ts';
import { DELIVERY_STATUSES } from '../../../packages/erp-emulator/deliveries.ts';

const STATES: readonly OrderState[] = [...ORDER_PATH, 'CANCELLED', 'FAILED'];
const NOW = 1_000;
const ID = '00000000-0000-4000-8000-000000000001';
/** Facts of the row: ERP id, rejection, and time left. */
const ROWS = [
  { erpOrderId: null, erpError: null, left: 1 },
  { erpOrderId: null, erpError: null, left: 0 },
  { erpOrderId: null, erpError: 'Common', left: 1 },
  { erpOrderId: ID, erpError: null, left: 1 },
] as const;

const stages = (state: OrderState): OrderStage[] =>
  ROWS.map(({ left, ...row }) =>
    determineStage({ state, ...row, sendUntil: new Date(NOW + left) }, NOW),
  );

describe('the stage of an order', () => {
  test.each(['ACCEPTED', 'SENT'] as const)(
    'in the state %s: sending until its time ends or the ERP has it or has rejected it',
    (state) => expect(stages(state)).toEqual(['TO_SEND', 'AWAITED', 'AWAITED', 'AWAITED']),
  );

  test.each(STATES.slice(2))('in the state %s: depends on nothing else', (state) =>
    expect(new Set(stages(state))).toEqual(
      new Set([FINAL_STATES.has(state) ? 'ENDED' : 'AT_RESTAURANT']),
    ),
  );
});

test('every status of the ERP has a state', () => {
  expect(Object.keys(STATES_OF_STATUSES).toSorted()).toEqual([...DELIVERY_STATUSES].toSorted());
});
