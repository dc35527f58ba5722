import { describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { createBreakers, type Breakers } from '../../../erp/breaker.ts';
import { ErpFailure, type ErpFailureKind } from '../../../erp/failure.ts';

const CONNECTION = 1;

async function call(breakers: Breakers, kind: ErpFailureKind | 'ok', connectionId = CONNECTION): Promise<string> {
  try {
    return await breakers.run(connectionId, '/x', async () => {
      if (kind !== 'ok') throw new ErpFailure(kind, { endpoint: '/x' });
      return 'ok';
    });
  } catch (error) {
    return (error as ErpFailure).kind;
  }
}

async function calls(breakers: Breakers, kinds: (ErpFailureKind | 'ok')[]): Promise<void> {
  for (const kind of kinds) await call(breakers, kind);
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('the circuit of a connection', () => {
  test('stays closed below half of the last 20 requests', async () => {
    const breakers = createBreakers({ size: 20, openMs: 60_000 });
    await calls(breakers, [...times(11, 'ok' as const), ...times(9, 'SERVER' as const)]);
    expect(breakers.state(CONNECTION)).toBe('CLOSED');
  });

  test('opens at half of the last 20 requests and says when to come back', async () => {
    const breakers = createBreakers({ size: 20, openMs: 60_000 });
    await calls(breakers, [...times(10, 'ok' as const), ...times(10, 'TIMEOUT' as const)]);
    expect(breakers.state(CONNECTION)).toBe('OPEN');
    const refused = await breakers.run(CONNECTION, '/x', async () => 'never').catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'ErpFailure', kind: 'CIRCUIT_OPEN', retryable: true });
    const { retryAfterMs } = refused as ErpFailure;
    expect(retryAfterMs).toBeGreaterThan(55_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  test('does not open before 20 requests were made', async () => {
    const breakers = createBreakers({ size: 20, openMs: 60_000 });
    await calls(breakers, times(19, 'SERVER' as const));
    expect(breakers.state(CONNECTION)).toBe('CLOSED');
    await call(breakers, 'SERVER');
    expect(breakers.state(CONNECTION)).toBe('OPEN');
  });

  test('refused requests show that the ERP works', async () => {
    const breakers = createBreakers({ size: 4, openMs: 60_000 });
    await calls(breakers, ['CLIENT', 'UNAUTHORIZED', 'INVALID_ANSWER', 'GONE', 'FORBIDDEN', 'CLIENT']);
    expect(breakers.state(CONNECTION)).toBe('CLOSED');
    // They fill the window: one fault among three of them is not half.
    await call(breakers, 'SERVER');
    expect(breakers.state(CONNECTION)).toBe('CLOSED');
  });

  test('connections do not share a circuit', async () => {
    const breakers = createBreakers({ size: 2, openMs: 60_000 });
    await calls(breakers, ['SERVER', 'SERVER']);
    expect(breakers.state(CONNECTION)).toBe('OPEN');
    expect(await call(breakers, 'ok', 2)).toBe('ok');
  });

  test('one probe after the pause closes it or opens it again', async () => {
    const breakers = createBreakers({ size: 2, openMs: 40 });
    await calls(breakers, ['SERVER', 'SERVER']);
    await delay(60);
    expect(await call(breakers, 'SERVER')).toBe('SERVER');
    expect(await call(breakers, 'ok')).toBe('CIRCUIT_OPEN');
    await delay(60);
    expect(await call(breakers, 'ok')).toBe('ok');
    expect(breakers.state(CONNECTION)).toBe('CLOSED');
  });

  test('an interrupted probe proves nothing: the circuit opens again', async () => {
    const breakers = createBreakers({ size: 2, openMs: 40 });
    await calls(breakers, ['SERVER', 'SERVER']);
    await delay(60);
    const gone = new Error('caller gone');
    await expect(breakers.run(CONNECTION, '/x', () => Promise.reject(gone))).rejects.toBe(gone);
    expect(breakers.state(CONNECTION)).toBe('OPEN');
  });
});
