import { expect, test } from '@jest/globals';
import {
  afterMove,
  COMPENSATION_MOVES,
  COMPENSATION_STATUSES,
  type CompensationMoveName,
  type CompensationStatus,
} from '../../../domain/compensation/states.ts';

const MOVES = Object.keys(COMPENSATION_MOVES) as CompensationMoveName[];
const [ORDER, OTHER] = ['order', 'other'];
const TERM = 1_000;

/** A right in a state, and facts that allow every move that the state allows. */
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

test('a right moves along exactly these ways', () => {
  const found = COMPENSATION_STATUSES.flatMap((status) =>
    MOVES.flatMap((move) => {
      const after = afterMove(right(status), move, facts(move));
      return 'to' in after ? [`${status} ${move} ${after.to}`] : [];
    }),
  );

  expect(found.toSorted()).toEqual([
    'BLOCKED REBIND GRANTED',
    'BLOCKED UNBLOCK GRANTED',
    'GRANTED BLOCK BLOCKED',
    'GRANTED CANCEL CANCELLED',
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
  ['IMPORT', 'RESERVED', { orderId: null }, 'ORDER'],
] as const)('%s of a right that is %s needs more than the state: %j', (move, status, more, refusedBy) => {
  expect(afterMove(right(status), move, { ...facts(move), ...more })).toEqual({ refusedBy });
});

test('a right without a term never ends by itself', () => {
  const endless = { ...right('GRANTED'), expiresAt: null };

  expect(afterMove(endless, 'EXPIRE', facts('EXPIRE'))).toEqual({ refusedBy: 'TERM_ENDED' });
  expect(afterMove(endless, 'RESERVE', { ...facts('RESERVE'), at: Number.MAX_SAFE_INTEGER })).toEqual({
    to: 'RESERVED',
  });
});

test('a right that comes back after its term can only end', () => {
  const late = { at: TERM + 1, orderId: ORDER, reason: 'x' };
  const released = afterMove(right('RESERVED'), 'RELEASE', late);

  expect(released).toEqual({ to: 'GRANTED' });
  expect(afterMove(right('GRANTED'), 'RESERVE', late)).toEqual({ refusedBy: 'IN_TERM' });
  expect(afterMove(right('GRANTED'), 'EXPIRE', late)).toEqual({ to: 'EXPIRED' });
});
