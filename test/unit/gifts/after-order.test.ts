import { describe, expect, test } from '@jest/globals';
import {
  giftsAfterCreation,
  giftsAfterMove,
  redeemedGiftsAfter,
} from '../../../modules/gifts/rules/after-order.ts';
import {
  ORDER_PATH,
  stepBetween,
  type MovedBy,
  type OrderState,
} from '../../../modules/ordering/rules/order-states.ts';

const STATES: readonly OrderState[] = [...ORDER_PATH, 'CANCELLED', 'FAILED'];
const MOVERS: readonly MovedBy[] = ['CARTE', 'ERP', 'CUSTOMER', 'STAFF'];
const MOVES = STATES.flatMap((from) =>
  STATES.flatMap((to) => MOVERS.map((by) => ({ from, to, by }))),
).filter(({ from, to, by }) => stepBetween(from, to, by) !== null);
const isUnconfirmed = (state: string) => state === 'ACCEPTED' || state === 'SENT';
const after = (decision: string) =>
  MOVES.filter((move) => giftsAfterMove({ ...move, problem: null }) === decision).map(
    ({ from, to, by }) => `${from} ${to} ${by}`,
  );

describe('the gifts of an order', () => {
  test('become redeemed with each first status of the ERP, even if it cancels the order immediately', () => {
    const statuses = [
      'CONFIRMED',
      'COOKING',
      'READY',
      'ON_THE_WAY',
      'DELIVERED',
      'CLOSED',
      'CANCELLED',
    ];
    const first = ['ACCEPTED', 'SENT'].flatMap((from) => statuses.map((to) => `${from} ${to} ERP`));
    expect(after('REDEEM').toSorted()).toEqual(first.toSorted());
  });

  test('[CMP-62] return when the order is withdrawn, abandoned or rejected', () => {
    const ends = ['CANCELLED CUSTOMER', 'CANCELLED STAFF', 'FAILED CARTE', 'FAILED ERP'];
    const returned = ['ACCEPTED', 'SENT'].flatMap((from) => ends.map((end) => `${from} ${end}`));
    expect(after('RETURN').toSorted()).toEqual(returned.toSorted());
  });

  test('remain unchanged in every other move', () => {
    const others = MOVES.filter(({ from, to }) => !isUnconfirmed(from) || isUnconfirmed(to));
    expect(after('KEEP')).toHaveLength(others.length);
  });

  test('stay reserved when we stop tracking an order, in any state', () => {
    for (const move of MOVES)
      expect(giftsAfterMove({ ...move, problem: 'NEVER_ENDED' })).toBe('KEEP');
  });

  test('become redeemed by a confirmed creation until a state shows the confirmation', () => {
    for (const state of STATES)
      expect(giftsAfterCreation(state)).toBe(isUnconfirmed(state) ? 'REDEEM' : 'KEEP');
  });

  test.each([
    [false, true, 'RETURN'],
    [true, false, 'TAKE_BACK'],
    [false, false, 'KEEP'],
    [true, true, 'KEEP'],
  ] as const)(
    '[CMP-96, CMP-97] follow a redemption: canceled before %s, now %s: %s',
    (wasCanceled, isCanceled, what) => {
      expect(redeemedGiftsAfter({ wasCanceled, isCanceled })).toBe(what);
    },
  );
});
