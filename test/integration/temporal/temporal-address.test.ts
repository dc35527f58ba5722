import { expect, test } from '@jest/globals';
import { describeStartFailure } from '../../../platform/start-failure.ts';
import { connectTemporal } from '../../../platform/temporal.ts';

test('a start ends with one sentence and no stack if Temporal does not answer', async () => {
  const failed = await connectTemporal({
    address: '127.0.0.1:1',
    namespace: 'default',
    identity: 'review',
  }).then(() => 'connected', describeStartFailure);

  expect(failed).toBe('Temporal does not answer at 127.0.0.1:1; check TEMPORAL_ADDRESS.');
});
