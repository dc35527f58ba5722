import { watchOrders } from '../../modules/ordering/polling/watch-orders.ts';
import { orderQueues } from '../../kernel/pure/queues.ts';
import { createErpStreets } from '../../modules/delivery/addresses/erp-streets.ts';
import { type OrderPace, orderWorkflow } from '../../modules/ordering/messages/ordering.ts';
import type { OrderState } from '../../modules/ordering/rules/order-states.ts';
import { testSecrets } from './connection.ts';
import { importBasics, mirrorFixture } from './mirror.ts';
import { orderDesk } from './orders.ts';
import { eventually } from './processes.ts';
import { ago, databaseNow, deleteRows, updateRows } from './rows.ts';
import { syncWorker, type SyncWorker } from './sync-worker.ts';

/** Milliseconds. */
export const PACE: OrderPace = {
  sendMs: 50,
  longestSendMs: 200,
  lookMs: 30,
  longestLookMs: 100,
  followMs: 60_000,
  longestFollowMs: 60_000,
  stuckMs: 60_000,
  missingMs: 300,
  pausesPerRun: 1_000,
};

type Override = NonNullable<Parameters<SyncWorker['start']>[0]>;

export type OrderFixture = Awaited<ReturnType<typeof orderFixture>>;

export async function orderFixture(
  override: (activities: SyncWorker['activities']) => Override = () => ({}),
) {
  const fixture = await mirrorFixture();
  const sync = await syncWorker(fixture);
  const menuId = await importBasics(fixture);
  await updateRows(fixture.db, 'outbox', { deliveredAt: databaseNow() });
  const desk = await orderDesk(fixture);
  await fixture.emulator.control('delivery-settings', { settleMs: 20, cookMs: 0 });
  const workers = await sync.start(override(sync.activities));

  const orderDeps = () => ({
    ...fixture.deps,
    metrics: fixture.metrics,
    secrets: testSecrets,
    erpStreets: createErpStreets(fixture.deps.erp),
  });
  const pollDeps = () => ({
    ...orderDeps(),
    temporal: sync.temporal,
    queues: sync.queues,
    env: { SYNC_TIME_ZONE: 'UTC' },
  });

  const run = (orderId: string, pace: Partial<OrderPace> = {}) =>
    sync.temporal.workflow.start('order', {
      workflowId: orderWorkflow.id({ orderId }),
      taskQueue: sync.queues.workflows,
      args: [{ orderId, queues: orderQueues(sync.queues), pace: { ...PACE, ...pace } }],
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  const reaches = (orderId: string, state: OrderState) =>
    eventually(`the order is ${state}`, async () => {
      const row = await desk.row(orderId);
      return row.state === state ? row : undefined;
    });
  const status = (orderId: string, to: string) =>
    fixture.emulator.control('delivery-status', { orderId, status: to });
  const tell = (orderId: string) =>
    sync.temporal.workflow.getHandle(orderWorkflow.id({ orderId })).signal('erpStatusChanged');
  /** Waits for the workflow, which a delivery of the outbox starts. */
  const terminate = (orderId: string) =>
    eventually('the workflow of the order is terminated', () =>
      sync.temporal.workflow.getHandle(orderWorkflow.id({ orderId })).terminate(),
    );
  const fault = (kind: string, more: object = {}) =>
    fixture.emulator.control('fault', { kind, ...more });
  const notes = (kind: string, subject: string) =>
    fixture.db.db
      .selectFrom('notification')
      .where('kind', '=', kind)
      .where('subjectId', '=', subject)
      .select((row) => ['details', row('resolvedAt', 'is', null).as('open')])
      .execute();
  async function orderNotes(kind: string, orderId: string) {
    const rows = await fixture.db.db
      .selectFrom('notification')
      .innerJoin('notification_member as member', 'member.notificationId', 'notification.id')
      .where('kind', '=', kind)
      .where('member.memberId', '=', orderId)
      .select((row) => ['details', row('notification.resolvedAt', 'is', null).as('open')])
      .execute();
    return rows.map(({ details, open }) => {
      const members = details['members'] as Record<string, unknown>[];
      return { details: members.find((member) => member['orderId'] === orderId), open };
    });
  }
  /** Adds an order whose workflow only the test starts. */
  async function ordered(
    fields: Parameters<typeof desk.accepted>[0] = {},
    pace: Partial<OrderPace> = {},
  ) {
    const id = await desk.accepted({ ...fields, isAnnounced: false });
    return { id, handle: await run(id, pace) };
  }
  const watch = () =>
    watchOrders({ ...sync.product, failpoint: fixture.deps.failpoint }, fixture.connectionId, {});
  const calls = async (endpoint: string) =>
    (await fixture.emulator.control<{ calls: unknown[] }>(`calls?endpoint=${endpoint}`)).calls
      .length;

  /** Removes the faults of the ERP, and the stored circuit state of former tests. */
  async function erpIsBack(): Promise<void> {
    await fixture.emulator.control('clear-faults');
    await deleteRows(fixture.db, 'erp_circuit');
    await deleteRows(fixture.db, 'erp_hold');
  }
  async function reset(): Promise<void> {
    await erpIsBack();
    // A recent poll would delay the orders of the next test.
    await updateRows(fixture.db, 'order_revision', { polledAt: ago('3 minutes') });
  }
  async function close(): Promise<void> {
    await workers.stop();
    await sync.close();
    await fixture.close();
  }
  const steps = {
    run,
    reaches,
    status,
    tell,
    terminate,
    fault,
    notes,
    orderNotes,
    ordered,
    watch,
    calls,
    erpIsBack,
  };
  return { fixture, sync, desk, menuId, orderDeps, pollDeps, ...steps, reset, close };
}
