import { describe, expect, test } from '@jest/globals';
import {
  afterMove,
  COMPENSATION_MOVES,
  COMPENSATION_STATUSES,
  movedRight,
  type CompensationMoveName,
  type CompensationStatus,
} from '../../../modules/gifts/rules/states.ts';

const MOVES = Object.keys(COMPENSATION_MOVES) as CompensationMoveName[];
const [ORDER, OTHER] = ['order', 'other'];
const TERM = 1_000;

const right = (status: CompensationStatus) => ({
  status,
  expiresAt: TERM,
  reservedOrderId: status === 'RESERVED' ? ORDER : null,
});
const facts = (move: CompensationMoveName) => ({
  at: move === 'EXPIRE' ? TERM : TERM - 1,
  orderId: ORDER,
  reason: 'x',
});

test('[CMP-1] a right has exactly these transitions', () => {
  const found = COMPENSATION_STATUSES.flatMap((status) =>
    MOVES.flatMap((move) => {
      const after = afterMove(right(status), move, facts(move));
      return 'to' in after ? [`${status} ${move} ${after.to}`] : [];
    }),
  );

  expect(found.toSorted()).toEqual([
    'BLOCKED EDIT BLOCKED',
    'BLOCKED REBIND GRANTED',
    'BLOCKED UNBLOCK GRANTED',
    'GRANTED BLOCK BLOCKED',
    'GRANTED CANCEL CANCELLED',
    'GRANTED EDIT GRANTED',
    'GRANTED EXPIRE EXPIRED',
    'GRANTED IMPORT REDEEMED',
    'GRANTED REBIND GRANTED',
    'GRANTED RESERVE RESERVED',
    'RESERVED IMPORT REDEEMED',
    'RESERVED REDEEM REDEEMED',
    'RESERVED RELEASE GRANTED',
  ]);
});

test.each([
  ['RESERVE', 'GRANTED', { at: TERM }, 'IN_TERM'],
  ['RESERVE', 'GRANTED', { orderId: null }, 'ORDER'],
  ['REDEEM', 'RESERVED', { orderId: OTHER }, 'OWN_ORDER'],
  ['REDEEM', 'RESERVED', { orderId: null }, 'OWN_ORDER'],
  ['RELEASE', 'RESERVED', { orderId: OTHER }, 'OWN_ORDER'],
  ['EXPIRE', 'GRANTED', { at: TERM - 1 }, 'TERM_ENDED'],
  ['CANCEL', 'GRANTED', { reason: ' ' }, 'REASON'],
  ['CANCEL', 'GRANTED', { reason: null }, 'REASON'],
  ['BLOCK', 'GRANTED', { reason: null }, 'REASON'],
  ['REBIND', 'BLOCKED', { reason: null }, 'REASON'],
  ['EDIT', 'BLOCKED', { reason: ' ' }, 'REASON'],
  ['IMPORT', 'RESERVED', { orderId: null }, 'ORDER'],
] as const)(
  'the move %s of a right that is %s needs more than the state: %j',
  (move, status, more, refusedBy) => {
    expect(afterMove(right(status), move, { ...facts(move), ...more })).toEqual({ refusedBy });
  },
);

test('a right without a term never expires', () => {
  const endless = { ...right('GRANTED'), expiresAt: null };

  expect(afterMove(endless, 'EXPIRE', facts('EXPIRE'))).toEqual({ refusedBy: 'TERM_ENDED' });
  expect(
    afterMove(endless, 'RESERVE', { ...facts('RESERVE'), at: Number.MAX_SAFE_INTEGER }),
  ).toEqual({
    to: 'RESERVED',
  });
});

test('[CMP-1] a right that returns after its term can only end, unless it receives a new one', () => {
  const late = { at: TERM + 1, orderId: ORDER, reason: 'x' };
  const released = afterMove(right('RESERVED'), 'RELEASE', late);

  expect(released).toEqual({ to: 'GRANTED' });
  expect(afterMove(right('GRANTED'), 'RESERVE', late)).toEqual({ refusedBy: 'IN_TERM' });
  expect(afterMove(right('GRANTED'), 'EXPIRE', late)).toEqual({ to: 'EXPIRED' });
});

test('a move from a wrong state is rejected for the state, before other faults', () => {
  expect(afterMove(right('REDEEMED'), 'CANCEL', { at: TERM, orderId: null, reason: null })).toEqual(
    {
      refusedBy: 'STATUS',
    },
  );
});

test('without an order nothing is redeemed, even for a right without an order', () => {
  const held = { ...right('RESERVED'), reservedOrderId: null };

  expect(afterMove(held, 'REDEEM', { ...facts('REDEEM'), orderId: null })).toEqual({
    refusedBy: 'OWN_ORDER',
  });
});

describe('a right after a move', () => {
  const standing = {
    status: 'GRANTED',
    rewardId: 1,
    reservedOrderId: null,
    redeemedOrderId: null,
    version: 4,
  } as const;
  const reserved = { ...standing, status: 'RESERVED', reservedOrderId: ORDER } as const;

  test('shows its new state, and no other change', () => {
    expect(movedRight({ ...standing, clientId: 7 }, 'EXPIRED', {})).toEqual({
      ...standing,
      clientId: 7,
      status: 'EXPIRED',
      version: 5,
    });
  });

  test('refers to its order, and no longer after its return', () => {
    expect(movedRight(standing, 'RESERVED', { orderId: ORDER })).toEqual({
      ...reserved,
      version: 5,
    });
    expect(movedRight(reserved, 'GRANTED', { orderId: ORDER })).toEqual({
      ...standing,
      version: 5,
    });
  });

  test('refers to the redeeming order, and to our former order', () => {
    expect(movedRight(reserved, 'REDEEMED', { orderId: ORDER })).toMatchObject({
      reservedOrderId: ORDER,
      redeemedOrderId: ORDER,
    });
    expect(movedRight(reserved, 'REDEEMED', { orderId: OTHER })).toMatchObject({
      reservedOrderId: ORDER,
      redeemedOrderId: OTHER,
    });
    expect(movedRight(standing, 'REDEEMED', { orderId: OTHER })).toMatchObject({
      reservedOrderId: null,
      redeemedOrderId: OTHER,
    });
  });

  test('belongs to another reward if the move requests it', () => {
    expect(movedRight(standing, 'GRANTED', { rewardId: 2 })).toEqual({
      ...standing,
      rewardId: 2,
      version: 5,
    });
  });
});
