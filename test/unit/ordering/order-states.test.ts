import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  afterFact,
  afterStep,
  FINAL_STATES,
  ORDER_PATH,
  OWN_STEPS,
  STATES_OF_STATUSES,
} from '../../../modules/ordering/rules/order-states.ts';
import type { ErpFact, OrderStanding, OrderState } from '../../../modules/ordering/rules/order-states.ts';

const STATES: readonly OrderState[] = [...ORDER_PATH, 'CANCELLED', 'FAILED'];
const STATUSES = Object.keys(STATES_OF_STATUSES);
const fact = (status: string, timestamp: number): ErpFact => ({ creation: 'SUCCESS', status, timestamp });
const applied = (state: OrderState, timestamp: number) => ({ kind: 'APPLIED', standing: { state, timestamp } });

describe('steps of our own', () => {
  const table: [OrderState, keyof typeof OWN_STEPS, OrderState][] = [
    ['ACCEPTED', 'SEND', 'SENT'],
    ['SENT', 'SEND', 'SENT'],
    ['ACCEPTED', 'WITHDRAW', 'CANCELLED'],
    ['ACCEPTED', 'GIVE_UP', 'FAILED'],
    ['SENT', 'GIVE_UP', 'FAILED'],
    ['CONFIRMED', 'LET_GO', 'CLOSED'],
    ['COOKING', 'LET_GO', 'CLOSED'],
    ['READY', 'LET_GO', 'CLOSED'],
    ['ON_THE_WAY', 'LET_GO', 'CLOSED'],
    ['DELIVERED', 'LET_GO', 'CLOSED'],
  ];

  test('[ORD-30] are exactly these, from every state', () => {
    const found = STATES.flatMap((state) =>
      (Object.keys(OWN_STEPS) as (keyof typeof OWN_STEPS)[]).map((step) => [state, step, afterStep(state, step)]),
    ).filter(([, , to]) => to !== null);
    const sorted = (rows: unknown[][]) => rows.map((row) => row.join(' ')).toSorted();
    expect(sorted(found)).toEqual(sorted(table));
  });
});

describe('a status of the ERP', () => {
  test.each([
    ['Unconfirmed', 'CONFIRMED'],
    ['WaitCooking', 'CONFIRMED'],
    ['ReadyForCooking', 'CONFIRMED'],
    ['CookingStarted', 'COOKING'],
    ['CookingCompleted', 'READY'],
    ['Waiting', 'READY'],
    ['OnWay', 'ON_THE_WAY'],
    ['Delivered', 'DELIVERED'],
    ['Closed', 'CLOSED'],
    ['Cancelled', 'CANCELLED'],
  ] as const)('%s makes an order %s, from wherever it was sent', (status, state) => {
    for (const from of ['ACCEPTED', 'SENT'] as const)
      expect(afterFact({ state: from, timestamp: null }, fact(status, 5))).toEqual(applied(state, 5));
  });

  test('every newer one is followed from every state that is no end, steps skipped and the ERP corrected alike', () => {
    const going = STATES.filter((state) => !FINAL_STATES.has(state));
    for (const state of going)
      for (const status of STATUSES)
        expect(afterFact({ state, timestamp: 4 }, fact(status, 5))).toEqual(applied(STATES_OF_STATUSES[status]!, 5));
  });

  test('[ORD-31] every older one changes nothing, in every state', () => {
    for (const state of STATES)
      for (const status of STATUSES)
        expect(afterFact({ state, timestamp: 6 }, fact(status, 5))).toEqual({ kind: 'UNCHANGED' });
  });

  test('of two at the same moment the one further along counts', () => {
    const standing: OrderStanding = { state: 'COOKING', timestamp: 5 };
    expect(afterFact(standing, fact('OnWay', 5))).toEqual(applied('ON_THE_WAY', 5));
    expect(afterFact(standing, fact('Unconfirmed', 5))).toEqual({ kind: 'UNCHANGED' });
    expect(afterFact(standing, fact('CookingStarted', 5))).toEqual({ kind: 'UNCHANGED' });
  });

  test.each([['Packed'], ['toString'], ['__proto__'], ['']])('%j is new to us and changes nothing', (status) => {
    for (const state of STATES)
      expect(afterFact({ state, timestamp: 4 }, fact(status, 5))).toEqual({ kind: 'UNCHANGED' });
  });
});

describe('the creation', () => {
  test('under way changes nothing, in every state', () => {
    for (const state of STATES)
      expect(afterFact({ state, timestamp: 1 }, { creation: 'IN_PROGRESS', timestamp: 5 })).toEqual({
        kind: 'UNCHANGED',
      });
  });

  test('that has failed ends an order that the restaurant does not have, and contradicts every other one', () => {
    const after = (state: OrderState) => afterFact({ state, timestamp: 4 }, { creation: 'ERROR', timestamp: 5 });
    const held = new Set(['ACCEPTED', 'SENT']);
    for (const state of STATES) {
      const known = { kind: state === 'FAILED' ? 'UNCHANGED' : 'CONTRADICTION' };
      expect(after(state)).toEqual(held.has(state) ? applied('FAILED', 5) : known);
    }
  });
});

test('[ORD-31] an order that has ended stays ended: what the ERP says otherwise is shown to people', () => {
  for (const state of FINAL_STATES)
    for (const status of STATUSES)
      expect(afterFact({ state, timestamp: 4 }, fact(status, 5))).toEqual({
        kind: STATES_OF_STATUSES[status] === state ? 'UNCHANGED' : 'CONTRADICTION',
      });
});

test('[ORD-31] whatever the order in which facts arrive, and however often, the newest one decides', () => {
  const going = STATUSES.filter((status) => !FINAL_STATES.has(STATES_OF_STATUSES[status]!));
  const facts = fc.array(fc.tuple(fc.constantFrom(...going), fc.integer({ min: 1, max: 6 })), {
    minLength: 1,
    maxLength: 8,
  });
  const end = (arrived: readonly (readonly [string, number])[]): OrderStanding =>
    arrived.reduce<OrderStanding>(
      (standing, [status, timestamp]) => {
        const after = afterFact(standing, fact(status, timestamp));
        return after.kind === 'APPLIED' ? after.standing : standing;
      },
      { state: 'SENT', timestamp: null },
    );
  fc.assert(
    fc.property(
      facts.chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 })),
      ),
      ([list, shuffled]) => {
        const rank = (status: string) => ORDER_PATH.indexOf(STATES_OF_STATUSES[status] as (typeof ORDER_PATH)[number]);
        const [status, timestamp] = list.toSorted((a, b) => b[1] - a[1] || rank(b[0]) - rank(a[0]))[0]!;
        expect(end(shuffled)).toEqual({ state: STATES_OF_STATUSES[status], timestamp });
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['Cancelled', 'CANCELLED'],
  ['Closed', 'CLOSED'],
] as const)('an end with the same count is further along than everything: %s', (status, state) => {
  expect(afterFact({ state: 'CONFIRMED', timestamp: 7 }, fact(status, 7))).toEqual(applied(state, 7));
});
