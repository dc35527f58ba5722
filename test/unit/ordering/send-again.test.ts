import { describe, expect, test } from '@jest/globals';
import {
  absenceObstacle,
  SEND_AGAIN_OBSTACLES,
} from '../../../modules/ordering/rules/send-again.ts';
import type { ErpReading, FailedOrder } from '../../../modules/ordering/rules/send-again.ts';
import type { AttemptOutcome } from '../../../modules/ordering/rules/attempt-answers.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const ago = (ms: number) => new Date(NOW - ms);
const attempt = (outcome: AttemptOutcome | null, ms = 600_000) => ({ begunAt: ago(ms), outcome });
const failed = (more: Partial<FailedOrder> = {}): FailedOrder => ({
  state: 'FAILED',
  problem: 'DEADLINE_PASSED',
  erpOrderId: null,
  sentAt: ago(600_000),
  attempts: [attempt('NOT_SENT'), attempt('REFUSED')],
  readAt: new Date(NOW),
  ...more,
});

describe('a failed order', () => {
  test.each<[string, FailedOrder, ErpReading]>([
    ['whose calls were all rejected or never left', failed(), 'UNANSWERED'],
    ['that was never sent', failed({ sentAt: null, attempts: [] }), 'UNANSWERED'],
    ['that the ERP does not have', failed({ problem: 'REJECTED_BY_ERP' }), 'ABSENT'],
    [
      'with a call without an answer two minutes ago',
      failed({ attempts: [attempt('UNKNOWN', 120_000)] }),
      'ABSENT',
    ],
    ['with calls that are no longer recorded', failed({ attempts: [] }), 'ABSENT'],
  ])('[ORD-180] counts as absent at the ERP if it is one %s', (_, order, reading) => {
    expect(absenceObstacle(order, reading)).toBeNull();
  });

  test.each<[string, string, FailedOrder, ErpReading]>([
    ['NOT_FAILED', 'was canceled', failed({ state: 'CANCELLED' }), 'ABSENT'],
    ['NOT_FAILED', 'is on its way', failed({ state: 'SENT' }), 'ABSENT'],
    ['OUTCOME_UNKNOWN', 'was tracked for days', failed({ problem: 'NEVER_ENDED' }), 'ABSENT'],
    ['AT_ERP', 'was reported by the ERP', failed({ erpOrderId: 'b6' }), 'ABSENT'],
    ['AT_ERP', 'was found at the ERP', failed(), 'PRESENT'],
    ['KEPT_BY_ERP', 'was rejected and kept there', failed({ erpOrderId: 'b6' }), 'REJECTED'],
    [
      'JUST_SENT',
      'was sent a moment ago',
      failed({ attempts: [attempt('UNKNOWN', 119_000)] }),
      'ABSENT',
    ],
    ['JUST_SENT', 'is being sent', failed({ attempts: [attempt(null, 1_000)] }), 'ABSENT'],
    [
      'ERP_SILENT',
      'has a call without an answer',
      failed({ attempts: [attempt('UNKNOWN')] }),
      'UNANSWERED',
    ],
    ['ERP_SILENT', 'may be kept as rejected', failed({ problem: 'REJECTED_BY_ERP' }), 'UNANSWERED'],
    [
      'ERP_SILENT',
      'has a call without a record of it',
      failed({ attempts: [attempt(null)] }),
      'UNANSWERED',
    ],
    ['ERP_SILENT', 'was sent before calls were recorded', failed({ attempts: [] }), 'UNANSWERED'],
    [
      'ERP_SILENT',
      'was taken by the ERP once',
      failed({ attempts: [attempt('TAKEN')] }),
      'UNANSWERED',
    ],
  ])('[ORD-180] cannot be sent again with %s: an order that %s', (obstacle, _, order, reading) => {
    expect(absenceObstacle(order, reading)).toBe(obstacle);
    expect(SEND_AGAIN_OBSTACLES).toHaveProperty(obstacle);
  });
});
