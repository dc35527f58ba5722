import { describe, expect, test } from '@jest/globals';
import { IllegalStateError, type State } from '@temporalio/worker';
import { runToEnd } from '../../../workers/temporal-workers.ts';

const IN_USE = new IllegalStateError('Worker still in use: Expected 1 reference, but got 2');
const ending = (error: Error, state: State) => ({
  run: () => Promise.reject(error),
  getState: () => state,
});

describe('the end of a worker', () => {
  test('succeeds if the SDK releases a drained worker a moment too late', async () => {
    await expect(runToEnd(ending(IN_USE, 'STOPPED'))).resolves.toBeUndefined();
  });

  test.each([
    ['the worker has not drained', IN_USE, 'FAILED'],
    [
      'it is another state that is not allowed',
      new IllegalStateError('Poller was already started'),
      'STOPPED',
    ],
    ['it is another error', new Error('Worker still in use'), 'STOPPED'],
  ] as const)('fails if %s', async (_, error, state) => {
    await expect(runToEnd(ending(error, state))).rejects.toBe(error);
  });
});
