import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { updateExecution } from '../../modules/update-execution.ts';
import { orderFixture, type OrderFixture } from '../support/order-fixture.ts';
import { root } from '../support/processes.ts';
import { selectRow } from '../support/rows.ts';

let orders: OrderFixture;
beforeAll(async () => {
  orders = await orderFixture();
});
afterAll(() => orders?.close());

const INPUT = '{"by": "Anna", "note": "Ordered twice"}';

const command = async (...args: string[]) => {
  const { fixture, sync } = orders;
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    DATABASE_URL: fixture.url,
    TEMPORAL_ADDRESS: sync.address,
    TEMPORAL_NAMESPACE: sync.namespace,
  };
  const options = ['--disable-warning=ExperimentalWarning', 'workers/temporal-update.ts', ...args];
  return promisify(execFile)(process.execPath, options, { cwd: root, env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  );
};

describe('the command temporal:update', () => {
  test('[OPS-186] sends an update to an order without an execution', async () => {
    const id = await orders.desk.accepted({ paymentMethod: 'SBP', isAnnounced: false });
    const canceled = await command(`order/${id}`, 'cancel', INPUT);
    const { problem } = await selectRow(orders.fixture.db, 'customer_order', ['problem'], { id });

    expect(canceled).toEqual({ code: 0, said: '{"state":"CANCELLED"}\n' });
    expect(problem).toBe('CANCELLED_BY_STAFF');
  });

  test('[OPS-186] prints the reason of a rejection', async () => {
    const id = await orders.desk.accepted({ paymentMethod: 'SBP', isAnnounced: false });

    expect(await command(`order/${id}`, 'cancel', '{"by": "Anna"}')).toEqual({
      code: 1,
      said: 'note: is required.\n',
    });
    expect(await command(`order/${id}`, 'cancel', 'hello')).toMatchObject({
      code: 1,
      said: expect.stringContaining('The input is not JSON. Usage:'),
    });
    await orders.sync.temporal.workflow.getHandle(`order/${id}`).terminate();
  });

  test.each(['incident/1', 'incident/x', 'sync/menu/1/1', `order/${randomUUID()}`])(
    '[OPS-186] finds nothing to update for %s',
    async (workflowId) => {
      await expect(
        updateExecution(orders.sync.product, workflowId, { update: 'dismiss', input: {} }),
      ).rejects.toMatchObject({ kind: 'not-found' });
    },
  );
});
