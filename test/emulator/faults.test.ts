import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from '@jest/globals';
import { startEmulator } from '../../packages/erp-emulator/server.ts';
import type { Emulator } from '../../packages/erp-emulator/server.ts';
import { eventually } from '../support/processes.ts';
import { login, post } from './client.ts';
import type { Reply } from './client.ts';

const ENDPOINT = '/api/1/organizations';

let emulator: Emulator;
let token: string;
beforeAll(async () => {
  emulator = await startEmulator({ size: 'small' });
});
beforeEach(async () => {
  await emulator.control('clear-faults');
  token = await login(emulator);
});
afterAll(() => emulator.stop());

const ask = (path = ENDPOINT): Promise<Reply> => post(emulator, path, {}, token);

describe('the faults of the emulator', () => {
  test.each([
    ['401-once', 401],
    ['429', 429],
    ['500', 500],
  ])('answer for %s its status with the usual error body', async (kind, status) => {
    await emulator.control('fault', { kind, times: 1 });

    const [broken, well] = [await ask(), await ask()];

    expect(broken.status).toBe(status);
    expect(broken.body).toMatchObject({
      correlationId: expect.any(String),
      errorDescription: expect.any(String),
    });
    expect(well.status).toBe(200);
  });

  it('contain with 429 the time to wait', async () => {
    await emulator.control('fault', { kind: '429', times: 1, retryAfter: 7 });

    const reply = await ask();

    expect(reply.headers.get('retry-after')).toBe('7');
    expect(reply.body.error).toBe('TOO_MANY_REQUESTS');
  });

  it('return no JSON with 502-html', async () => {
    await emulator.control('fault', { kind: '502-html', times: 1 });

    const reply = await ask();

    expect([reply.status, reply.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(reply.text).toContain('<html>');
  });

  it('send the first half with status 200 with truncated-json', async () => {
    const whole = await ask();
    await emulator.control('fault', { kind: 'truncated-json', times: 1 });

    const half = await ask();

    expect(half.status).toBe(200);
    expect(half.text.length).toBeLessThan(whole.text.length);
    expect(half.body).toEqual({});
  });

  it('wait before a normal answer with slow', async () => {
    await emulator.control('fault', { kind: 'slow', times: 1, delayMs: 150 });
    const startedAt = performance.now();

    const reply = await ask();

    expect(reply.status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(140);
  });

  it('end early with slow when faults are cleared', async () => {
    await emulator.control('fault', { kind: 'slow', times: 1, delayMs: 3_600_000 });
    const answered = ask();
    await eventually('the call has come', async () => {
      const { calls } = await emulator.control<{ calls: { status: number | null }[] }>('calls');
      return calls.at(-1)?.status === null ? true : undefined;
    });

    await emulator.control('clear-faults');

    expect((await answered).status).toBe(200);
  });

  it('come as many times as requested, on their endpoint only', async () => {
    await emulator.control('fault', { kind: '500', endpoint: ENDPOINT, times: 2 });

    const statuses = [await ask('/api/2/menu'), await ask(), await ask(), await ask()].map(
      ({ status }) => status,
    );

    expect(statuses).toEqual([200, 500, 500, 200]);
  });

  it('spare the access token unless it is named', async () => {
    await emulator.control('fault', { kind: '500', times: 1 });
    const spared = await post(emulator, '/api/v2/access_token', { apiLogin: emulator.apiLogin });
    await emulator.control('clear-faults');
    await emulator.control('fault', { kind: '500', endpoint: '/api/v2/access_token', times: 1 });
    const hit = await post(emulator, '/api/v2/access_token', { apiLogin: emulator.apiLogin });

    expect([spared.status, hit.status]).toEqual([200, 500]);
  });

  it('appear in the log of calls', async () => {
    await emulator.control('fault', { kind: '500', times: 1 });
    await ask();

    const { calls } = await emulator.control<{ calls: object[] }>('calls');

    expect(calls.at(-1)).toMatchObject({ endpoint: ENDPOINT, status: 500, fault: '500' });
  });

  it('appear as 499 in the log for a client that aborts early', async () => {
    await emulator.control('fault', { kind: 'slow', times: 1, delayMs: 60_000 });
    const impatient = fetch(`${emulator.url}${ENDPOINT}`, {
      method: 'POST',
      signal: AbortSignal.timeout(50),
    });

    await expect(impatient).rejects.toMatchObject({ name: 'TimeoutError' });

    expect(await lastFinishedCall()).toMatchObject({ endpoint: ENDPOINT, status: 499 });
  });
});

/** The server may notice late that a client has left. */
async function lastFinishedCall(): Promise<object | undefined> {
  return eventually('the call is over', async () => {
    const { calls } = await emulator.control<{ calls: { status: number | null }[] }>('calls');
    const call = calls.at(-1);
    return call?.status === null ? undefined : call;
  });
}
