import { describe, expect, test } from '@jest/globals';
import type { ErpCreation } from '../../../erp/endpoints/deliveries-create.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import {
  afterMissing,
  afterSending,
  isStuck,
  MISSING_MS,
  STUCK_MS,
  type SentOrder,
} from '../../../modules/ordering/rules/unknown-answer.ts';

const NOW = new Date('2031-02-03T08:00:00Z');
const before = (ms: number) => new Date(NOW.getTime() - ms);
const sent = (fields: Partial<SentOrder> = {}): SentOrder => ({
  id: 'order',
  state: 'SENT',
  problem: null,
  erpOrderId: null,
  sentAt: before(1_000),
  missingSince: null,
  readAt: NOW,
  ...fields,
});
const LIMITS = { stuckMs: STUCK_MS, missingMs: MISSING_MS };

const REFUSED: ErpCreation = {
  outcome: 'REFUSED',
  code: 'NoTerminal',
  status: 400,
  correlationId: 'c',
};
const NOT_SENT: ErpCreation = {
  outcome: 'NOT_SENT',
  kind: 'RATE_LIMITED',
  retryable: true,
  retryAfterMs: 700,
};
const UNKNOWN: ErpCreation = { outcome: 'UNKNOWN', kind: 'TIMEOUT', status: null };

describe('the answer to a sent order', () => {
  test('[ORD-51] yields to a report of the order, in any state', () => {
    const report = { id: 'order' } as ErpDelivery;
    const taken: ErpCreation = { outcome: 'TAKEN', correlationId: 'c', order: report };

    expect(afterSending(sent({ state: 'CANCELLED' }), taken, false)).toEqual({
      kind: 'REPORT',
      report,
    });
  });

  test('[ORD-51] ends the order as a rejection only while no earlier call is open', () => {
    expect(afterSending(sent(), REFUSED, false)).toMatchObject({
      kind: 'REFUSED',
      erpError: 'NoTerminal',
    });
    expect(afterSending(sent(), REFUSED, true)).toEqual({
      kind: 'NOTE',
      facts: { erpError: 'NoTerminal', problem: 'OUTCOME_UNKNOWN' },
    });
    expect(afterSending(sent(), { ...REFUSED, code: null }, false)).toMatchObject({
      erpError: 'UNNAMED',
    });
  });

  test('[ORD-51] keeps the result of an earlier call open if a call was not made', () => {
    expect(afterSending(sent(), NOT_SENT, false)).toEqual({
      kind: 'NOTE',
      facts: { unansweredSince: null, problem: 'ERP_UNAVAILABLE' },
      retryAfterMs: 700,
    });
    expect(afterSending(sent(), NOT_SENT, true)).toEqual({
      kind: 'NOTE',
      facts: {},
      retryAfterMs: 700,
    });
  });

  test('[ORD-51] proves as a duplicate that the ERP has the order, and by silence nothing', () => {
    expect(afterSending(sent(), { outcome: 'DUPLICATE' }, true)).toMatchObject({
      facts: { erpOrderId: 'order', unansweredSince: null, problem: null },
    });
    expect(afterSending(sent(), UNKNOWN, false)).toEqual({
      kind: 'NOTE',
      facts: { problem: 'OUTCOME_UNKNOWN' },
    });
  });

  test('[ORD-51] changes no order that another step has moved or found', () => {
    for (const order of [sent({ state: 'CONFIRMED' }), sent({ erpOrderId: 'there' })])
      for (const answer of [REFUSED, NOT_SENT, UNKNOWN, { outcome: 'DUPLICATE' } as const])
        expect(afterSending(order, answer, false)).toEqual({ kind: 'NOTE', facts: {} });
  });
});

describe('a read that does not find an order', () => {
  test('[ORD-51] proves nothing once, and after two minutes that the order is missing', () => {
    expect(afterMissing(sent(), LIMITS)).toEqual({ kind: 'NOTE', facts: { missingSince: NOW } });
    expect(afterMissing(sent({ missingSince: before(MISSING_MS - 1) }), LIMITS)).toEqual({
      kind: 'NOTE',
      facts: {},
    });
    expect(afterMissing(sent({ missingSince: before(MISSING_MS) }), LIMITS)).toEqual({
      kind: 'NOT_THERE',
    });
  });

  test('[ORD-52] marks an order that the ERP had as stuck after three minutes, once', () => {
    const there = { erpOrderId: 'there', sentAt: before(STUCK_MS) };

    expect(afterMissing(sent(there), LIMITS)).toEqual({ kind: 'STUCK' });
    expect(afterMissing(sent({ ...there, sentAt: null }), LIMITS)).toEqual({ kind: 'STUCK' });
    expect(afterMissing(sent({ ...there, sentAt: before(STUCK_MS - 1) }), LIMITS).kind).toBe(
      'NOTE',
    );
    expect(afterMissing(sent({ ...there, problem: 'STUCK_IN_PROGRESS' }), LIMITS).kind).toBe(
      'NOTE',
    );
  });

  test('[ORD-52] changes no order that its restaurant has accepted', () => {
    expect(
      afterMissing(sent({ state: 'CONFIRMED', missingSince: before(MISSING_MS) }), LIMITS).kind,
    ).toBe('NOTE');
    expect(isStuck(sent({ state: 'CONFIRMED', sentAt: before(STUCK_MS) }), STUCK_MS)).toBe(false);
    expect(isStuck(sent({ sentAt: null }), STUCK_MS)).toBe(false);
  });
});
