import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { OrderingActivities } from '../../activities/ordering.ts';
import { lookAtOrder } from '../../modules/ordering/at-erp/look-at-order.ts';
import { orderWorkflow } from '../../modules/ordering/messages/ordering.ts';
import { orderFixture, type OrderFixture } from '../support/order-fixture.ts';
import { eventually } from '../support/processes.ts';
import type { SyncWorker } from '../support/sync-worker.ts';

let orders: OrderFixture;
beforeAll(async () => {
  const sendOrder = ({ send }: SyncWorker['activities']) =>
    (send as Pick<OrderingActivities, 'sendOrder'>).sendOrder;
  orders = await orderFixture((activities) => ({
    send: {
      sendOrder: async (input: { orderId: string }) => {
        await sendOrder(activities)(input);
        // A poll is faster than the answer: the restaurant accepts the order before the step ends.
        const handle = orders.sync.temporal.workflow.getHandle(orderWorkflow.id(input));
        await handle.signal('erpStatusChanged', {
          stage: 'AWAITED',
          state: 'SENT',
          problem: null,
          retryAfterMs: null,
          outcome: null,
        });
        const deps = {
          ...orders.orderDeps(),
          ...orders.pollDeps(),
          failpoint: orders.fixture.deps.failpoint,
        };
        return eventually('the restaurant has it', async () => {
          const standing = await lookAtOrder(deps, input.orderId, {
            stuckMs: 60_000,
            missingMs: 60_000,
          });
          return standing.stage === 'AT_RESTAURANT' ? standing : undefined;
        });
      },
    },
  }));
});
afterAll(() => orders?.close());

test('[ORD-165] a state reported during a step does not replace the newer result of the step', async () => {
  const { id, handle } = await orders.ordered();
  await orders.reaches(id, 'CONFIRMED');
  await orders.status(id, 'Closed');
  await orders.watch();

  expect(await handle.result()).toEqual({ state: 'CLOSED', problem: null });
});
