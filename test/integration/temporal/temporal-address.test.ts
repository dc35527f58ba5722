import { expect, test } from '@jest/globals';
import { describeStartFailure } from '../../../platform/start-failure.ts';
import { connectTemporal } from '../../../platform/temporal.ts';

test('a Temporal that does not answer ends a start with one sentence and no stack', async () => {
  const failed = await connectTemporal({ address: '127.0.0.1:1', namespace: 'default', identity: 'review' }).then(
    () => 'connected',
    describeStartFailure,
  );

  expect(failed).toBe('Temporal does not answer at 127.0.0.1:1; check TEMPORAL_ADDRESS.');
});
