import { tellLeftBehind } from '../../../modules/delivery/configuration/left-behind.ts';
import { raiseNotification } from '../../../modules/notifications/raise-notification.ts';
import { tellFeeInWords } from '../../../modules/ordering/at-erp/delivery-fee-item.ts';
import { holdOrder } from '../../../modules/ordering/orders/order-row.ts';
import { eventually } from '../processes.ts';
import { BLOCK } from '../gifts/gift-desk.ts';
import { menuRows } from '../menu-rows.ts';
import type { Provocations } from './provocations.ts';
import type { RunbookProduct } from './world.ts';
import {
  addRow,
  ago,
  databaseNow,
  deleteRows,
  not,
  plus,
  selectRow,
  selectRows,
  updateRows,
} from '../rows.ts';

type Fields = Parameters<RunbookProduct['desk']['accepted']>[0];
const CREATE = '/api/1/deliveries/create';

async function openNotifications({ db }: RunbookProduct, kind: string): Promise<string[]> {
  const rows = await selectRows(db, 'notification', ['subjectId'], { kind, resolvedAt: null });
  return rows.map(({ subjectId }) => subjectId);
}

/**
 * Adds an endpoint with one event that has failed for this long and fails again: its host does not
 * exist. `accepted`: age of the last accepted event.
 */
async function failedDelivery(
  { admin, db }: RunbookProduct,
  { failingFor, accepted }: { failingFor: string; accepted: string | null },
): Promise<{ endpointId: number; id: number; subject: string }> {
  const { id: endpointId } = await admin.post<{ id: number }>('/webhook-endpoints', {
    url: 'https://receiver.invalid/',
    types: ['order.accepted'],
  });
  if (accepted !== null)
    await updateRows(db, 'webhook_endpoint', { lastAcceptedAt: ago(accepted) }, { id: endpointId });
  const event = await selectRow(
    db,
    'public_event',
    ['id', 'subject'],
    { id: not(null) },
    { orderBy: 'id', limit: 1 },
  );
  const { subject } = event;
  const { id } = await addRow(db, 'webhook_delivery', {
    endpointId,
    eventId: event.id!,
    subject,
    failingSince: ago(failingFor),
  });
  await addRow(db, 'webhook_queue', { endpointId, isReplay: false, subject, isFailing: true });
  return { endpointId, id, subject };
}

const idsOf = async ({ desk }: RunbookProduct, order: string) => ({
  order,
  id: order,
  number: (await desk.row(order)).number,
});

async function placed(world: RunbookProduct, fields: Fields = {}): Promise<string> {
  const id = await world.desk.accepted(fields);
  await world.deliver();
  return id;
}

const until = (
  world: RunbookProduct,
  id: string,
  fields: Partial<Awaited<ReturnType<RunbookProduct['desk']['row']>>>,
) =>
  eventually(`the order has ${JSON.stringify(fields)}`, async () => {
    const row = await world.desk.row(id);
    return Object.entries(fields).every(([name, value]) => row[name as keyof typeof row] === value)
      ? row
      : undefined;
  });

export const ORDER_ALERTS: Provocations = {
  CarteOrderDivergence: {
    procedures: ['A restaurant has another state'],
    provoke: async (world) => {
      await world.fault('order-error', { endpoint: CREATE, code: 'ProductNotFound' });
      const id = await placed(world);
      await until(world, id, { state: 'FAILED' });
      return {
        row: { order_id: id },
        ofProcedure: { state: 'FAILED', by: 'ERP' },
        ids: await idsOf(world, id),
      };
    },
  },
  CarteOrderNotSent: {
    provoke: async (world) => {
      const id = await placed(world, { sendForMs: 1 });
      await until(world, id, { state: 'FAILED' });
      return { row: { order_id: id }, ids: await idsOf(world, id) };
    },
  },
  CarteOrderStuck: {
    provoke: async (world) => {
      await world.fault('order-stuck', { endpoint: CREATE });
      const id = await placed(world);
      await until(world, id, { state: 'SENT' });
      await updateRows(
        world.db,
        'customer_order',
        { sentAt: plus('sentAt', '-5 minutes') },
        { id },
      );
      await world.tell(id);
      await until(world, id, { problem: 'STUCK_IN_PROGRESS' });
      return {
        row: { id },
        ids: await idsOf(world, id),
        undo: () => world.emulator.control('settle-delivery', { orderId: id }),
      };
    },
  },
  CarteOrdersNotPolled: {
    provoke: async (world) => {
      const { db, connectionId } = world;
      await addRow(db, 'order_poll', { connectionId }).catch(() => undefined);
      await updateRows(db, 'order_poll', { succeededAt: ago('6 minutes') }, { connectionId });
      return {
        row: { connection_id: connectionId },
        ids: { connection: connectionId },
        undo: () => updateRows(db, 'order_poll', { succeededAt: databaseNow() }, { connectionId }),
      };
    },
  },
  CarteNoOrders: {
    made: 'orders of a week ago',
    provoke: async (world) => {
      const { db, connectionId, organization } = world;
      await updateRows(
        db,
        'customer_order',
        { acceptedAt: plus('acceptedAt', '-2 hours') },
        { connectionId },
      );
      const acceptedAt = ago('168 hours 30 minutes');
      for (let at = 0; at < 10; at += 1)
        await addRow(db, 'customer_order', {
          connectionId,
          organizationId: organization.id,
          number: `week-${at}`,
          acceptedAt,
        });
      return {
        row: { connection_id: connectionId },
        ids: { connection: connectionId },
        undo: () =>
          deleteRows(db, 'customer_order', {
            number: Array.from({ length: 10 }, (_, at) => `week-${at}`),
          }),
      };
    },
  },
  CarteOrderNeverEnded: {
    provoke: async (world) => {
      const { gifts, deliver } = world;
      await world.fault('order-stuck', { endpoint: CREATE });
      const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
      const { orderId: id, announce } = await gifts.orderedWith(client);
      await announce();
      await deliver();
      await until(world, id, { state: 'SENT' });
      await updateRows(world.db, 'customer_order', { dueAt: ago('9 days') }, { id });
      await world.tell(id);
      await until(world, id, { problem: 'NEVER_ENDED' });
      // The outcome at the restaurant is unknown, so its gift waits for staff.
      return { row: { id, state: 'FAILED' }, ids: await idsOf(world, id) };
    },
  },
  CarteOrdersNotConfigured: {
    provoke: async (world) => {
      const id = await placed(world, { paymentMethod: 'SBP' });
      await until(world, id, { problem: 'NOT_CONFIGURED' });
      return {
        row: { connection_id: world.connectionId, chosen: null },
        ids: await idsOf(world, id),
      };
    },
  },
  CarteWebhookEndpointDisabled: {
    made: 'the endpoint; a receiver would have to answer 410',
    provoke: async ({ db }) => {
      const { id } = await addRow(db, 'webhook_endpoint', {
        url: 'https://receiver.example/',
        secretEncrypted: 'sealed',
        readTo: 0,
        isEnabled: false,
        disabledReason: 'GONE',
      });
      await db.transaction((tx) =>
        raiseNotification(tx, {
          kind: 'WEBHOOK_ENDPOINT_DISABLED',
          subjectType: 'webhook-endpoint',
          subjectId: id,
          details: { endpointId: id, reason: 'GONE' },
        }),
      );
      return { row: { id, disabled_reason: 'GONE' }, ids: { id } };
    },
  },
  CarteWebhookEventsRefused: {
    made: 'the age of the failures',
    provoke: async (world) => {
      const { endpointId, id, subject } = await failedDelivery(world, {
        failingFor: '2 hours',
        accepted: null,
      });
      await eventually('staff are notified', async () =>
        (await openNotifications(world, 'WEBHOOK_EVENTS_REFUSED')).includes(String(endpointId))
          ? true
          : undefined,
      );
      return {
        row: { endpoint_id: endpointId, id, subject },
        ids: { id: endpointId, delivery: id },
      };
    },
  },
  CarteWebhookEventFailed: {
    made: 'the age of the failures, and an accepted event of another subject',
    provoke: async (world) => {
      const { endpointId, id, subject } = await failedDelivery(world, {
        failingFor: '73 hours',
        accepted: '1 hour',
      });
      await eventually('the event was set aside', async () =>
        (await openNotifications(world, 'WEBHOOK_EVENT_FAILED')).includes(String(endpointId))
          ? true
          : undefined,
      );
      return {
        row: { endpoint_id: endpointId, id, subject },
        ids: { id: endpointId, delivery: id },
      };
    },
  },
  CarteOrderingLeftBehind: {
    made: 'the former row of the restaurant; the list of another account would take an hour to be believed',
    provoke: async (world) => {
      const { db, organization, connectionId } = world;
      const rows = menuRows(db);
      const former = await rows.organization(await rows.connection('DISABLED'), {
        erp_id: organization.erpId,
        inactive_at: new Date(),
      });
      const moved = ['ordering_config', 'ordering_schedule'];
      for (const table of moved)
        await world.sql(`update ${table} set organization_id = $2 where organization_id = $1`, [
          organization.id,
          former.id,
        ]);
      await tellLeftBehind(db, [organization.id]);
      return {
        row: { organization_id: String(organization.id) },
        ids: { connection: connectionId, id: organization.id, from: former.id },
      };
    },
  },
  CarteDeliveryFeeInWords: {
    made: 'the role and what the sending of an order with a fee reports',
    provoke: async (world) => {
      const { db, desk, connectionId } = world;
      const id = await placed(world, { deliveryFeeKopecks: 19_900 });
      await until(world, id, { state: 'CONFIRMED' });
      await world.sql(
        `insert into service_role (role, erp_item_id) values ('DELIVERY_FEE', $1) on conflict do nothing`,
        [desk.sold[1]!.productId],
      );
      await db.transaction(async (tx) => {
        const { number, organizationId } = await holdOrder(tx, id);
        await tellFeeInWords(tx, {
          connectionId,
          organizationId,
          orderId: id,
          number,
          deliveryFee: 19_900,
          deliveryFeeItem: null,
        });
      });
      return {
        row: { connection_id: String(connectionId) },
        ids: { ...(await idsOf(world, id)), connection: connectionId },
      };
    },
  },
};
