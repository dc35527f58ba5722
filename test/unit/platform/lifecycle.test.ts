import { describe, expect, test } from '@jest/globals';
import { createLifecycle } from '../../../platform/lifecycle.ts';
import { createLog } from '../../../platform/log.ts';

const log = createLog({ service: 'test', level: 'silent' });

describe('the function createLifecycle', () => {
  test('[OPS-8] stops by phase, and inside a phase the latest first, each once', async () => {
    const order: string[] = [];
    const lifecycle = createLifecycle({ log, graceMs: 1_000 });
    lifecycle.onStop('close-database', 'pool', () => void order.push('pool'));
    lifecycle.onStop('stop-accepting', 'server', () => void order.push('server'));
    lifecycle.onStop('stop-accepting', 'worker', async () => void order.push('worker'));
    lifecycle.onStop('not-ready', 'health', () => void order.push('health'));

    expect(lifecycle.stopping).toBe(false);
    expect(await Promise.all([lifecycle.stop('test'), lifecycle.stop('again')])).toEqual([
      true,
      true,
    ]);
    expect(lifecycle.stopping).toBe(true);
    expect(order).toEqual(['health', 'worker', 'server', 'pool']);
  });

  test('continues after a failed step, and reports that the stop was not clean', async () => {
    const order: string[] = [];
    const lifecycle = createLifecycle({ log, graceMs: 1_000 });
    lifecycle.onStop('finish-running', 'requests', () => {
      throw new Error('stuck');
    });
    lifecycle.onStop('close-database', 'pool', () => void order.push('pool'));

    expect(await lifecycle.stop('test')).toBe(false);
    expect(order).toEqual(['pool']);
  });
});
