import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TypedSearchAttributes, defineSearchAttributeKey } from '@temporalio/common';
import { connectTemporal } from '../../../platform/temporal.ts';
import { freeLowPort } from '../../../tools/ports.ts';
import { testTemporal } from '../../support/temporal.ts';

let temporal: Awaited<ReturnType<typeof testTemporal>>;
beforeAll(async () => {
  temporal = await testTemporal();
});
afterAll(async () => temporal.stop());

describe('connectTemporal', () => {
  test('gives a client of the namespace that knows the search attributes', async () => {
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

  test('names the address when no server answers', async () => {
    const address = `127.0.0.1:${await freeLowPort()}`;

    await expect(connectTemporal({ address, namespace: 'default', identity: 'test' })).rejects.toThrow(address);
  });
});
