import { tellLeftBehind } from '../../../modules/delivery/configuration/left-behind.ts';
import { raiseNotification } from '../../../modules/notifications/raise-notification.ts';
import { tellFeeInWords } from '../../../modules/ordering/at-erp/delivery-fee-item.ts';
import { holdOrder } from '../../../modules/ordering/orders/order-row.ts';
import { eventually } from '../processes.ts';
import { BLOCK } from '../gifts/gift-desk.ts';
import { menuRows } from '../menu-rows.ts';
import type { Provocations } from './provocations.ts';
import type { RunbookProduct } from './fixture.ts';
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

/** Adds a failed delivery. `accepted` is the age of the last accepted event. */
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

const readIds = async ({ desk }: RunbookProduct, order: string) => ({
  order,
  id: order,
  number: (await desk.row(order)).number,
});

async function placed(fixture: RunbookProduct, fields: Fields = {}): Promise<string> {
  const id = await fixture.desk.accepted(fields);
  await fixture.deliver();
  return id;
}

const until = (
  fixture: RunbookProduct,
  id: string,
  fields: Partial<Awaited<ReturnType<RunbookProduct['desk']['row']>>>,
) =>
  eventually(`the order has ${JSON.stringify(fields)}`, async () => {
    const row = await fixture.desk.row(id);
    return Object.entries(fields).every(([name, value]) => row[name as keyof typeof row] === value)
      ? row
      : undefined;
  });

export const ORDER_ALERTS: Provocations = {
  CarteOrderDivergence: {
    procedures: ['A restaurant has another state'],
    provoke: async (fixture) => {
      await fixture.fault('order-error', { endpoint: CREATE, code: 'ProductNotFound' });
      const id = await placed(fixture);
      await until(fixture, id, { state: 'FAILED' });
      return {
        row: { order_id: id },
        ofProcedure: { state: 'FAILED', by: 'ERP' },
        ids: await readIds(fixture, id),
      };
    },
  },
  CarteOrderNotSent: {
    provoke: async (fixture) => {
      const id = await placed(fixture, { sendForMs: 1 });
      await until(fixture, id, { state: 'FAILED' });
      return { row: { order_id: id }, ids: await readIds(fixture, id) };
    },
  },
  CarteOrderStuck: {
    provoke: async (fixture) => {
      await fixture.fault('order-stuck', { endpoint: CREATE });
      const id = await placed(fixture);
      await until(fixture, id, { state: 'SENT' });
      await updateRows(
        fixture.db,
        'customer_order',
        { sentAt: plus('sentAt', '-5 minutes') },
        { id },
      );
      await fixture.tell(id);
      await until(fixture, id, { problem: 'STUCK_IN_PROGRESS' });
      return {
        row: { id },
        ids: await readIds(fixture, id),
        undo: () => fixture.emulator.control('settle-delivery', { orderId: id }),
      };
    },
  },
  CarteOrdersNotPolled: {
    provoke: async (fixture) => {
      const { db, connectionId } = fixture;
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
    provoke: async (fixture) => {
      const { db, connectionId, organization } = fixture;
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
    provoke: async (fixture) => {
      const { gifts, deliver } = fixture;
      await fixture.fault('order-stuck', { endpoint: CREATE });
      const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
      const { orderId: id, announce } = await gifts.orderedWith(client);
      await announce();
      await deliver();
      await until(fixture, id, { state: 'SENT' });
      await updateRows(fixture.db, 'customer_order', { dueAt: ago('9 days') }, { id });
      await fixture.tell(id);
      await until(fixture, id, { problem: 'NEVER_ENDED' });
      // The outcome at the restaurant is unknown, so its gift waits for staff.
      return { row: { id, state: 'FAILED' }, ids: await readIds(fixture, id) };
    },
  },
  CarteOrdersNotConfigured: {
    provoke: async (fixture) => {
      const id = await placed(fixture, { paymentMethod: 'SBP' });
      await until(fixture, id, { problem: 'NOT_CONFIGURED' });
      return {
        row: { connection_id: fixture.connectionId, chosen: null },
        ids: await readIds(fixture, id),
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
    provoke: async (fixture) => {
      const { endpointId, id, subject } = await failedDelivery(fixture, {
        failingFor: '2 hours',
        accepted: null,
      });
      await eventually('staff are notified', async () =>
        (await openNotifications(fixture, 'WEBHOOK_EVENTS_REFUSED')).includes(String(endpointId))
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
    provoke: async (fixture) => {
      const { endpointId, id, subject } = await failedDelivery(fixture, {
        failingFor: '73 hours',
        accepted: '1 hour',
      });
      await eventually('the event was set aside', async () =>
        (await openNotifications(fixture, 'WEBHOOK_EVENT_FAILED')).includes(String(endpointId))
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
    provoke: async (fixture) => {
      const { db, organization, connectionId } = fixture;
      const rows = menuRows(db);
      const former = await rows.organization(await rows.connection('DISABLED'), {
        erp_id: organization.erpId,
        inactive_at: new Date(),
      });
      const moved = ['ordering_config', 'ordering_schedule'];
      for (const table of moved)
        await fixture.sql(`update ${table} set organization_id = $2 where organization_id = $1`, [
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
    provoke: async (fixture) => {
      const { db, desk, connectionId } = fixture;
      const id = await placed(fixture, { deliveryFeeKopecks: 19_900 });
      await until(fixture, id, { state: 'CONFIRMED' });
      await fixture.sql(
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
        ids: { ...(await readIds(fixture, id)), connection: connectionId },
      };
    },
  },
};
