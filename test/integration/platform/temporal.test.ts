import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { TypedSearchAttributes, defineSearchAttributeKey } from '@temporalio/common';
import { connectTemporal, lazyTemporal } from '../../../platform/temporal.ts';
import { eventually } from '../../support/processes.ts';
import { testTemporal } from '../../support/temporal.ts';

let temporal: Awaited<ReturnType<typeof testTemporal>>;
beforeAll(async () => {
  temporal = await testTemporal();
});
afterAll(async () => temporal.stop());

describe('the function connectTemporal', () => {
  test('returns a client of a namespace with the search attributes', async () => {
    const connected = await connectTemporal({ ...temporal, identity: 'test' });
    const handle = await connected.client.workflow.start('nothing', {
      workflowId: 'probe/1',
      taskQueue: 'nobody',
      typedSearchAttributes: new TypedSearchAttributes([
        { key: defineSearchAttributeKey('CarteCapability', 'KEYWORD'), value: 'mirror' },
      ]),
    });
    const described = await handle.describe();
    await handle.terminate();
    await connected.close();

    expect(described.status.name).toBe('RUNNING');
  });
});

test('[OPS-113] the closing of a client ends a running call, and none of its timers throws later', async () => {
  let tries = 0;
  // The server closes every connection, as if it were unavailable.
  const server = createServer((socket) => {
    tries += 1;
    socket.destroy();
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  const connected = lazyTemporal({
    address: `127.0.0.1:${port}`,
    namespace: 'default',
    identity: 'test',
  });
  const call = connected.client.workflow.count().then(
    () => 'answered',
    ({ name }: Error) => name,
  );
  await eventually(
    'the first try has failed',
    async () => (tries > 0 ? true : undefined),
    10_000,
    1,
  );
  await connected.close();

  expect(await call).toBe('ServiceError');
  server.close();
});
