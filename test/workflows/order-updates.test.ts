import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { OrderingActivities } from '../../activities/ordering.ts';
import { PROBLEMS } from '../../kernel/pure/problems.ts';
import { updateOrder } from '../../modules/ordering/at-erp/accompany-order.ts';
import type { OperatorCancellation } from '../../modules/ordering/staff/cancel-for-operator.ts';
import {
  cancelUpdate,
  orderState,
  orderWorkflow,
} from '../../modules/ordering/messages/ordering.ts';
import { cancelStaffOrder } from '../../modules/ordering/staff/staff-orders.ts';
import { readAudit } from '../support/audit.ts';
import { STAFF } from '../support/catalog-fixtures.ts';
import { testSecrets } from '../support/connection.ts';
import { orderFixture, type OrderFixture } from '../support/order-fixture.ts';
import { eventually } from '../support/processes.ts';
import { holdRow } from '../support/races.ts';
import type { SyncWorker } from '../support/sync-worker.ts';
import { outcomeIn } from '../support/workflow-outcomes.ts';
import { countEvents, rejectionIn, rejectedUpdate } from '../support/workflow-updates.ts';

let orders: OrderFixture;
let fixture: OrderFixture['fixture'];
let sync: OrderFixture['sync'];
let desk: OrderFixture['desk'];
let ordered: OrderFixture['ordered'];
/** Until the gate opens, cancellations of operators wait. */
let gate = Promise.resolve();
beforeAll(async () => {
  const cancelOrder = ({ order }: SyncWorker['activities']) =>
    (order as Pick<OrderingActivities, 'cancelOrder'>).cancelOrder;
  orders = await orderFixture((activities) => ({
    order: {
      cancelOrder: async (input: OperatorCancellation) => {
        await gate;
        return cancelOrder(activities)(input);
      },
    },
  }));
  ({ fixture, sync, desk, ordered } = orders);
});
afterAll(() => orders?.close());

const CANCELLATION = { by: 'Anna', note: 'Ordered twice' };
const REQUEST = { update: cancelUpdate.name, input: CANCELLATION };
const NOT_CANCELLABLE = PROBLEMS['order-not-cancellable'].when;
/** The ERP has no name for this payment method, so the order waits here. */
const WAITING = { paymentMethod: 'SBP' } as const;
const audit = (orderId: string) =>
  readAudit({ db: fixture.db, secrets: testSecrets }, 'order', orderId);
const outcome = (sent: Promise<unknown>) =>
  sent.then(() => 'acted').catch((error) => rejectionIn(error).message);

async function waiting() {
  const { id, handle } = await ordered(WAITING, { sendMs: 60_000, longestSendMs: 60_000 });
  await eventually('it waits', async () => (await handle.query(orderState)) ?? undefined);
  return { id, handle };
}

describe('the update cancel of an order', () => {
  test('[ORD-163] cancels it with operator and reason, and ends its execution', async () => {
    const { id, handle } = await waiting();
    const result = await handle.executeUpdate(cancelUpdate, { args: [CANCELLATION] });
    const ended = await handle.result();

    expect(result).toEqual({ state: 'CANCELLED' });
    expect(ended).toEqual({ state: 'CANCELLED', problem: 'CANCELLED_BY_STAFF' });
    expect(await desk.atErp(id)).toEqual([]);
    expect(await audit(id)).toMatchObject([
      { action: 'cancel', actor: 'Temporal: Anna', reason: 'Ordered twice' },
    ]);
  });

  test('[ORD-163] starts the execution of an order that has none', async () => {
    const id = await desk.accepted({ ...WAITING, isAnnounced: false });
    const result = await updateOrder(sync.product, id, REQUEST);
    const workflowId = orderWorkflow.id({ orderId: id });
    const ended = await sync.temporal.workflow.getHandle(workflowId).result();

    expect(result).toEqual({ state: 'CANCELLED' });
    expect(ended).toEqual({ state: 'CANCELLED', problem: 'CANCELLED_BY_STAFF' });
    expect(await outcomeIn(sync.temporal, workflowId)).toBe('CANCELLED CANCELLED_BY_STAFF');
  });

  test('[OPS-184] fails with the sentence of the API if the ERP has the order', async () => {
    const { id, handle } = await ordered();
    await orders.reaches(id, 'CONFIRMED');
    const refusal = await rejectedUpdate(handle, cancelUpdate, CANCELLATION);
    const status = (await handle.describe()).status.name;
    await orders.status(id, 'Closed');
    await orders.tell(id);
    await handle.result();
    const started = await outcome(updateOrder(sync.product, id, REQUEST));

    expect(refusal).toEqual({
      message: NOT_CANCELLABLE,
      type: 'order-not-cancellable',
      isRetryable: false,
    });
    expect(status).toBe('RUNNING');
    expect(started).toBe(NOT_CANCELLABLE);
    expect(await audit(id)).toEqual([]);
    expect(await desk.row(id)).toMatchObject({ state: 'CLOSED' });
  });

  test('[OPS-184] the execution that accepted an update answers it', async () => {
    const { handle } = await ordered(WAITING, { sendMs: 20, longestSendMs: 20, pausesPerRun: 3 });
    const { promise, resolve: open } = Promise.withResolvers<void>();
    gate = promise;
    const sent = handle.executeUpdate(cancelUpdate, { args: [CANCELLATION] });
    const pauses = await eventually('the history is longer than it should be', async () => {
      const { events = [] } = await handle.fetchHistory();
      const isAccepted = events!.some(
        (event) => event.workflowExecutionUpdateAcceptedEventAttributes != null,
      );
      const fired = events!.filter((event) => event.timerFiredEventAttributes != null).length;
      return isAccepted && fired > 6 ? fired : undefined;
    });
    open();
    const result = await sent;
    const ended = await handle.result();

    expect(pauses).toBeGreaterThan(6);
    expect(result).toEqual({ state: 'CANCELLED' });
    expect(ended).toMatchObject({ state: 'CANCELLED' });
  });

  test('[ORD-163] starts no execution for an unknown order', async () => {
    const orderId = randomUUID();

    await expect(updateOrder(sync.product, orderId, REQUEST)).rejects.toMatchObject({
      kind: 'not-found',
    });
    await expect(
      sync.temporal.workflow.getHandle(orderWorkflow.id({ orderId })).describe(),
    ).rejects.toMatchObject({
      name: 'WorkflowNotFoundError',
    });
  });

  test('[ORD-163] takes effect once if two operators and the API cancel concurrently', async () => {
    const { id, handle } = await waiting();
    const row = await holdRow(fixture.db, 'customer_order', id);
    const deps = { ...orders.orderDeps(), db: fixture.db };
    const byApi = cancelStaffOrder(deps, STAFF, id, 'Ordered twice').then(
      () => 'acted',
      () => 'refused',
    );
    const byUpdates = ['Anna', 'Boris'].map((by) =>
      handle.executeUpdate(cancelUpdate, { args: [{ ...CANCELLATION, by }] }),
    );
    await row.waits(3);
    await row.release();
    const updated = await Promise.all(byUpdates);
    const api = await byApi;
    await handle.result();
    const entries = await audit(id);

    expect(updated).toEqual([{ state: 'CANCELLED' }, { state: 'CANCELLED' }]);
    expect(entries).toHaveLength(1);
    expect(api).toBe(entries[0]!.actor === null ? 'acted' : 'refused');
  });
});

describe('an order that waits to be sent', () => {
  let id: string;
  let handle: Awaited<ReturnType<typeof ordered>>['handle'];
  beforeAll(async () => {
    ({ id, handle } = await waiting());
  });
  afterAll(() => handle?.terminate());

  test.each<[string, unknown, string]>([
    ['empty texts', { by: '', note: '' }, 'by: must not be empty; note: must not be empty.'],
    ['a text instead of an object', 'hello', 'body: must be object.'],
    [
      'a note that is too long',
      { by: 'Anna', note: 'a'.repeat(501) },
      'note: must have at most 500 characters.',
    ],
    ['wrong types', { by: 1, note: null }, 'by: must be string; note: must be string.'],
    ['an unknown field', { ...CANCELLATION, reason: 'x' }, 'reason: is unknown.'],
  ])(
    '[OPS-184] rejects a cancellation with %s and records no event',
    async (_, input, sentence) => {
      const before = await countEvents(handle);
      const refusal = await rejectedUpdate(handle, cancelUpdate, input);

      expect(refusal).toEqual({ message: sentence, type: 'validation', isRetryable: false });
      expect(await countEvents(handle)).toBe(before);
      expect((await desk.row(id)).state).toBe('ACCEPTED');
    },
  );

  test('[OPS-185] shows and counts signals with an unknown name', async () => {
    const details = async () =>
      (await handle.query<{ currentDetails?: string }, []>('__temporal_workflow_metadata'))
        .currentDetails ?? '';
    const shown = (part: string) =>
      eventually(`the details show ${part}`, async () =>
        (await details()).includes(part) ? true : undefined,
      );
    await handle.signal('cancelRequested', 'hello');
    await shown('The requested cancellation was rejected: body: must be object.');
    await handle.signal('cancelRequested', { by: 'Anna' });
    await shown('rejected: by: must be one of CUSTOMER, STAFF.');
    await handle.signal('cancel', CANCELLATION);
    await shown('The signal cancel is unknown and was ignored.');
    const { values } = await fixture.metrics.workflowSignalsRejected.get();

    expect(values).toEqual([
      { labels: { workflow: 'order', signal: 'cancelRequested' }, value: 2 },
      { labels: { workflow: 'order', signal: 'unknown' }, value: 1 },
    ]);
    expect((await desk.row(id)).state).toBe('ACCEPTED');
  });
});
