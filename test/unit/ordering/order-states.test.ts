import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  afterFact,
  FINAL_STATES,
  ORDER_PATH,
  STATES_OF_STATUSES,
  stepBetween,
} from '../../../modules/ordering/rules/order-states.ts';
import type {
  ErpFact,
  MovedBy,
  OrderStanding,
  OrderState,
} from '../../../modules/ordering/rules/order-states.ts';

const STATES: readonly OrderState[] = [...ORDER_PATH, 'CANCELLED', 'FAILED'];
const STATUSES = Object.keys(STATES_OF_STATUSES);
const fact = (status: string, timestamp: number): ErpFact => ({
  creation: 'SUCCESS',
  status,
  isCooked: true,
  timestamp,
});
const applied = (state: OrderState, timestamp: number) => ({
  kind: 'APPLIED',
  standing: { state, timestamp },
});

describe('the table of steps', () => {
  const held = ['ACCEPTED', 'SENT'] as const;
  const atRestaurant = ['CONFIRMED', 'COOKING', 'READY', 'ON_THE_WAY', 'DELIVERED'] as const;
  const every = (
    step: string,
    by: MovedBy,
    from: readonly OrderState[],
    to: readonly OrderState[],
  ): [OrderState, OrderState, MovedBy, string][] =>
    from.flatMap((a) => to.map((b): [OrderState, OrderState, MovedBy, string] => [a, b, by, step]));
  const expected = [
    ...every('SEND', 'CARTE', held, ['SENT']),
    ...every('WITHDRAW', 'CUSTOMER', held, ['CANCELLED']),
    ...every('WITHDRAW', 'STAFF', held, ['CANCELLED']),
    ...every('GIVE_UP', 'CARTE', held, ['FAILED']),
    ...every('ABANDON', 'CARTE', atRestaurant, ['CLOSED']),
    ...every('REJECT', 'ERP', held, ['FAILED']),
    ...every('SEND_AGAIN', 'STAFF', ['FAILED'], ['ACCEPTED']),
    ...every('REPORT', 'ERP', [...held, ...atRestaurant], [...atRestaurant, 'CLOSED', 'CANCELLED']),
  ];

  test('[ORD-30, ORD-180] contains exactly these steps, for every state and actor', () => {
    const found = STATES.flatMap((from) =>
      STATES.flatMap((to) =>
        (['CARTE', 'ERP', 'CUSTOMER', 'STAFF'] as const).map(
          (by) => [from, to, by, stepBetween(from, to, by)] as const,
        ),
      ),
    ).filter(([, , , step]) => step !== null);
    const sorted = (rows: readonly (readonly unknown[])[]) =>
      rows.map((row) => row.join(' ')).toSorted();
    expect(sorted(found)).toEqual(sorted(expected));
  });

  test('allows no step from a final state, except that staff send a failed order again', () => {
    const found = [...FINAL_STATES].flatMap((from) =>
      STATES.flatMap((to) =>
        (['CARTE', 'ERP', 'CUSTOMER', 'STAFF'] as const).flatMap(
          (by) => stepBetween(from, to, by) ?? [],
        ),
      ),
    );
    expect(found).toEqual(['SEND_AGAIN']);
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
  ] as const)(
    'moves, as %s, an order to %s from every state after the sending',
    (status, state) => {
      for (const from of ['ACCEPTED', 'SENT'] as const)
        expect(afterFact({ state: from, timestamp: null }, fact(status, 5))).toEqual(
          applied(state, 5),
        );
    },
  );

  test('moves an order from every open state to every newer one, with skipped steps and corrections', () => {
    const going = STATES.filter((state) => !FINAL_STATES.has(state));
    for (const state of going)
      for (const status of STATUSES)
        expect(afterFact({ state, timestamp: 4 }, fact(status, 5))).toEqual(
          applied(STATES_OF_STATUSES[status]!, 5),
        );
  });

  test('[ORD-31] changes nothing in every state if it is older', () => {
    for (const state of STATES)
      for (const status of STATUSES)
        expect(afterFact({ state, timestamp: 6 }, fact(status, 5))).toEqual({ kind: 'UNCHANGED' });
  });

  test('applies with the further progress if two have the same time', () => {
    const standing: OrderStanding = { state: 'COOKING', timestamp: 5 };
    expect(afterFact(standing, fact('OnWay', 5))).toEqual(applied('ON_THE_WAY', 5));
    expect(afterFact(standing, fact('Unconfirmed', 5))).toEqual({ kind: 'UNCHANGED' });
    expect(afterFact(standing, fact('CookingStarted', 5))).toEqual({ kind: 'UNCHANGED' });
  });

  test.each([['Packed'], ['toString'], ['__proto__'], ['']])(
    'changes nothing as the unknown status %j',
    (status) => {
      for (const state of STATES)
        expect(afterFact({ state, timestamp: 4 }, fact(status, 5))).toEqual({ kind: 'UNCHANGED' });
    },
  );
});

describe('the status `Waiting` of an order that was not cooked', () => {
  const waiting = (timestamp: number): ErpFact => ({
    creation: 'SUCCESS',
    status: 'Waiting',
    isCooked: false,
    timestamp,
  });

  test('[ORD-31] confirms an order that was sent, and never moves one back', () => {
    for (const state of ['ACCEPTED', 'SENT'] as const)
      expect(afterFact({ state, timestamp: null }, waiting(5))).toEqual(applied('CONFIRMED', 5));
    for (const state of ['CONFIRMED', 'COOKING', 'READY', 'ON_THE_WAY', 'DELIVERED'] as const)
      expect(afterFact({ state, timestamp: 4 }, waiting(5))).toEqual(applied(state, 5));
  });

  test('[ORD-31] contradicts an order that has ended', () => {
    for (const state of FINAL_STATES)
      expect(afterFact({ state, timestamp: 4 }, waiting(5))).toEqual({ kind: 'CONTRADICTION' });
  });

  test('[ORD-31] means ready as soon as the order is cooked', () => {
    expect(afterFact({ state: 'CONFIRMED', timestamp: 5 }, fact('Waiting', 6))).toEqual(
      applied('READY', 6),
    );
  });
});

describe('the creation of an order at the ERP', () => {
  test('changes nothing while it is running, in every state', () => {
    for (const state of STATES)
      expect(afterFact({ state, timestamp: 1 }, { creation: 'IN_PROGRESS', timestamp: 5 })).toEqual(
        {
          kind: 'UNCHANGED',
        },
      );
  });

  test('ends, by its failure, an order that the restaurant lacks, and contradicts other orders', () => {
    const after = (state: OrderState) =>
      afterFact({ state, timestamp: 4 }, { creation: 'ERROR', timestamp: 5 });
    const held = new Set(['ACCEPTED', 'SENT']);
    for (const state of STATES) {
      const known = { kind: state === 'FAILED' ? 'UNCHANGED' : 'CONTRADICTION' };
      expect(after(state)).toEqual(held.has(state) ? applied('FAILED', 5) : known);
    }
  });
});

test('[ORD-31] an ended order stays ended, and contradictions of the ERP are reported to staff', () => {
  for (const state of FINAL_STATES)
    for (const status of STATUSES)
      expect(afterFact({ state, timestamp: 4 }, fact(status, 5))).toEqual({
        kind: STATES_OF_STATUSES[status] === state ? 'UNCHANGED' : 'CONTRADICTION',
      });
});

test('[ORD-31] the newest fact decides, for any order and number of arrivals', () => {
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
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 }),
        ),
      ),
      ([list, shuffled]) => {
        const rank = (status: string) =>
          ORDER_PATH.indexOf(STATES_OF_STATUSES[status] as (typeof ORDER_PATH)[number]);
        const [status, timestamp] = list.toSorted(
          (a, b) => b[1] - a[1] || rank(b[0]) - rank(a[0]),
        )[0]!;
        expect(end(shuffled)).toEqual({ state: STATES_OF_STATUSES[status], timestamp });
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['Cancelled', 'CANCELLED'],
  ['Closed', 'CLOSED'],
] as const)(
  'an end with the same time has priority over every other status: %s',
  (status, state) => {
    expect(afterFact({ state: 'CONFIRMED', timestamp: 7 }, fact(status, 7))).toEqual(
      applied(state, 7),
    );
  },
);
