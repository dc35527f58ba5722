import { randomUUID } from 'node:crypto';
import { systemActor } from '../../../kernel/actor.ts';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import {
  GIFT_ALERTS as CONDITIONS,
  raiseGiftAlerts,
} from '../../../modules/gifts/reconciliation/gift-alerts.ts';
import { noteCandidates } from '../../../modules/gifts/cards/note-candidates.ts';
import { moveRights } from '../../../modules/gifts/rights/move-rights.ts';
import { returnGifts } from '../../../modules/gifts/orders/return-gifts.ts';
import { wakeClearing } from '../../../modules/gifts/markers/start-clearing.ts';
import { COMPARISON_ALERTS } from '../../../modules/ordering/gift-days/check-gift-days.ts';
import {
  raiseNotification,
  resolveNotifications,
} from '../../../modules/notifications/raise-notification.ts';
import { BLOCK } from '../gifts/gift-desk.ts';
import { eventually } from '../processes.ts';
import { grantTo } from '../rights.ts';
import {
  above,
  addRow,
  ago,
  databaseNow,
  saveSetting,
  selectRow,
  selectRows,
  updateRows,
} from '../rows.ts';
import { erpIsBack } from './imports.ts';
import type { Provocations } from './provocations.ts';
import type { RunbookProduct } from './fixture.ts';

type Reward = { id: number; version: number; erpItemId: string; code: string };

const aClient = async ({ db, secrets, connectionId }: RunbookProduct) => {
  const erpCustomerId = randomUUID();
  return db
    .transaction((tx) => ensureClient(tx, { secrets }, { connectionId, erpCustomerId }))
    .then((clientId) => ({ clientId, erpCustomerId }));
};

const demoGift = ({ one }: RunbookProduct) =>
  one<Reward>(
    `select id, version, erp_item_id as "erpItemId", code from reward
      where exists (select from compensation where reward_id = reward.id and status = 'GRANTED') and code <> 'tart' order by id limit 1`,
  );

const evaluate = ({ db }: RunbookProduct) =>
  raiseGiftAlerts({ db }, { ...CONDITIONS, ...COMPARISON_ALERTS });

const faultyCard = async (
  fixture: RunbookProduct,
  usual: 'COMMENT' | 'CATEGORY',
  row: { damaged?: number; withoutReward?: number },
) => {
  const { clientId, erpCustomerId } = await aClient(fixture);
  await saveSetting(fixture.db, 'gift_markers', { usual, connections: {} });
  const read = { readAt: databaseNow(), promisesReadAt: databaseNow() };
  await addRow(fixture.db, 'client_card', { clientId, ...read, ...row });
  await evaluate(fixture);
  return { erp_customer_id: erpCustomerId };
};

/** Redeems a right whose marker the ERP does not remove. */
async function heldMarker({ gifts }: RunbookProduct) {
  const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
  await client.redeem();
  await client.wake();
  await eventually('the marker is held', async () =>
    (await client.clearing())?.state === 'HELD' ? true : undefined,
  );
  return client;
}

export const GIFT_ALERTS: Provocations = {
  CarteGiftMarkersWaiting: {
    provoke: async (fixture) => {
      const { gifts, db, client } = fixture;
      await fixture.fault('500', { endpoint: '/api/1/loyalty/erp/customer/info', times: 200 });
      const held = await heldMarker(fixture);
      await wakeClearing(fixture.temporal, { clientId: held.clientId, source: 'ERP_CATEGORY' });
      await updateRows(db, 'marker_clearing', { waitsSince: ago('2 hours') });
      // A gift of an order whose workflow runs.
      const company = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
      const { orderId, announce } = await gifts.orderedWith(company);
      await announce();
      await fixture.deliver();
      await eventually('the gift is accompanied', () =>
        client.workflow.getHandle(`order/${orderId}/gift/${company.right}`).describe(),
      );
      await evaluate(fixture);
      return {
        row: {
          erp_customer_id: held.customerId,
          source: 'ERP_COMMENT',
          held_by: 'ERP_UNAVAILABLE',
        },
        ids: { client: held.clientId, order: orderId, compensation: company.right, id: held.right },
        undo: () => erpIsBack(fixture),
      };
    },
  },
  CarteGiftReservedTooLong: {
    provoke: async (fixture) => {
      const { gifts, db } = fixture;
      const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
      await fixture.fault('order-stuck', { endpoint: '/api/1/deliveries/create' });
      const { orderId, announce } = await gifts.orderedWith(client);
      await announce();
      await fixture.deliver();
      await updateRows(db, 'compensation', { reservedAt: ago('2 hours') }, { id: client.right });
      await evaluate(fixture);
      const { number } = await fixture.desk.row(orderId);
      return {
        row: { id: client.right, reserved_order_id: orderId },
        ids: { order: orderId, id: orderId, number },
      };
    },
  },
  CarteGiftStopped: {
    provoke: async (fixture) => {
      const { db, emulator, organization, run } = fixture;
      const gift = await demoGift(fixture);
      await emulator.control('stop', {
        organizationId: organization.erpId,
        itemIds: [gift.erpItemId],
      });
      await run('STOP_LIST');
      await updateRows(
        db,
        'mirror_stop_list',
        { addedAt: ago('2 hours') },
        { itemErpId: gift.erpItemId },
      );
      await evaluate(fixture);
      return {
        row: { id: gift.id, organization_id: organization.id },
        ids: { id: gift.id, version: gift.version },
        undo: async () => {
          await emulator.control('unstop', { organizationId: organization.erpId });
          await run('STOP_LIST');
          await evaluate(fixture);
        },
      };
    },
  },
  CarteGiftCardsFaulty: {
    made: 'the card as a reading of it leaves its row',
    provoke: async (fixture) => ({
      row: { ...(await faultyCard(fixture, 'COMMENT', { damaged: 1 })), damaged: 1 },
    }),
  },
  CarteGiftCategoryWithoutReward: {
    made: 'the card as a reading of it leaves its row',
    provoke: async (fixture) => ({
      row: { ...(await faultyCard(fixture, 'CATEGORY', { withoutReward: 1 })), without_reward: 1 },
    }),
  },
  CarteGiftCandidatesWaiting: {
    provoke: async (fixture) => {
      const { db, secrets, connectionId, organization } = fixture;
      const { clientId, erpCustomerId } = await aClient(fixture);
      const reading = {
        clientId,
        connectionId,
        organizationId: organization.id,
        customer: { comment: 'Гостю должны ролл. И ещё раз должны ролл.' },
        askedAt: new Date(),
      };
      await db.transaction((tx) =>
        noteCandidates(tx, { secrets }, reading as Parameters<typeof noteCandidates>[2], [
          'должны ролл',
        ]),
      );
      const [first, second] = await selectRows(
        fixture.db,
        'compensation_candidate',
        ['id'],
        { clientId },
        { orderBy: 'id' },
      );
      const notification = await selectRow(fixture.db, 'notification', ['id'], {
        kind: 'COMPENSATION_CANDIDATES',
      });
      return {
        row: { id: first!.id, erp_customer_id: erpCustomerId },
        ids: { confirmed: first!.id, dismissed: second!.id, notification: notification.id },
      };
    },
  },
  CarteUnauthorizedCompensation: {
    provoke: async (fixture) => {
      const { emulator, organization, connectionId, db, poll } = fixture;
      const gift = await demoGift(fixture);
      const order = { organizationId: organization.erpId, phone: '+79990009988', daysAgo: 1 };
      const items = [{ productId: gift.erpItemId }];
      const { orderInfo } = await emulator.control<{ orderInfo: { id: string } }>('put-delivery', {
        ...order,
        items,
      });
      await poll('ORDERS');
      const { id } = await db.db
        .selectFrom('unauthorized_gift as gift')
        .innerJoin('erp_gift_order as order', 'order.id', 'gift.giftOrderId')
        .where('order.erpOrderId', '=', orderInfo.id)
        .select('gift.id')
        .executeTakeFirstOrThrow();
      return {
        row: { id, kind: 'NO_RIGHT', erp_order_id: orderInfo.id },
        ids: { connection: connectionId, id },
      };
    },
  },
  CarteGiftsDiffer: {
    made: 'the gift of the alert before is taken out of what accounts for it; the comparison of the day finds that',
    provoke: async (fixture) => {
      const { db, trigger, connectionId, organization } = fixture;
      await updateRows(db, 'unauthorized_gift', { status: 'WITHDRAWN', closedAt: databaseNow() });
      await trigger(`schedule/gift-reconciliation/${connectionId}`, 'giftReconciliation');
      const found = await selectRow(db, 'gift_reconciliation', ['day', 'fingerprint'], {
        differingOrders: above(0),
      });
      return {
        row: {
          organization_erp_id: organization.erpId,
          at_erp: 1,
          unauthorized: 0,
          differing_orders: 1,
        },
        ids: { day: found.day, fingerprint: found.fingerprint!, organization: organization.erpId },
      };
    },
  },
  CarteGiftsNotCompared: {
    provoke: async (fixture) => {
      const { db, connectionId } = fixture;
      await updateRows(db, 'gift_reconciliation', { checkedAt: ago('31 hours') });
      await evaluate(fixture);
      return {
        row: { id: connectionId },
        ids: { connection: connectionId },
        undo: async () => {
          await updateRows(db, 'gift_reconciliation', { checkedAt: databaseNow() });
          await evaluate(fixture);
        },
      };
    },
  },
  CarteCompensationDivergence: {
    made: 'the notification, as an order elsewhere leaves it that takes a reserved right',
    provoke: async (fixture) => {
      const { db, gifts } = fixture;
      const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
      const { orderId } = await gifts.orderedWith(client);
      const details = { what: 'TAKEN_ELSEWHERE', reservedFor: orderId } as const;
      const id = await db.transaction((tx) =>
        raiseNotification(tx, {
          kind: 'COMPENSATION_DIVERGENCE',
          subjectType: 'compensation',
          subjectId: client.right,
          details,
        }),
      );
      return {
        row: { id, compensation_id: client.right },
        ids: {
          connection: fixture.connectionId,
          order: orderId,
          id: orderId,
          reservedFor: orderId,
        },
      };
    },
  },
  CarteCompensationReturned: {
    made: 'the cancellation of the order at the ERP, as the workflow of the order applies it',
    provoke: async (fixture) => {
      const { db, gifts } = fixture;
      const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
      const { orderId } = await gifts.orderedWith(client);
      await db.transaction(async (tx) => {
        const at = new Date();
        await moveRights(
          tx,
          systemActor('test'),
          { ids: [client.right] },
          { move: 'REDEEM', orderId, at },
        );
        await returnGifts(tx, { orderId, orderIds: [orderId] }, at);
      });
      const { id: compensationId } = await selectRow(db, 'compensation', ['id'], {
        sourceOrderId: orderId,
      });
      const { id } = await selectRow(db, 'notification', ['id'], { kind: 'COMPENSATION_RETURNED' });
      return {
        row: { id, compensation_id: compensationId },
        ids: { connection: fixture.connectionId, order: orderId, id: compensationId },
      };
    },
  },
  CarteGiftHistoriesMissed: {
    made: 'the gap; a real one is seven days of silence',
    provoke: async (fixture) => {
      const { clientId } = await aClient(fixture);
      const [from, since] = [
        new Date(Date.now() - 12 * 86_400_000),
        new Date(Date.now() - 2 * 86_400_000),
      ];
      const { connectionId } = fixture;
      await addRow(fixture.db, 'client_history', {
        clientId,
        connectionId,
        ordersFrom: from,
        ordersTo: since,
        since,
      });
      await evaluate(fixture);
      return {
        row: { connection_id: connectionId, clients: 1 },
        ids: { connection: connectionId },
      };
    },
  },
  CarteGiftLimited: {
    provoke: async (fixture) => {
      const { emulator, menuId, admin, run } = fixture;
      const gift = await demoGift(fixture);
      const { organizations } = await fixture.state();
      await emulator.control('reprice', {
        menuId,
        itemId: gift.erpItemId,
        organizationId: organizations[1]!.id,
        price: 100,
      });
      await run('MENU', 'FULL');
      await admin.post(`/rewards/${gift.id}/check`);
      return { row: { reward_id: String(gift.id) }, ids: { id: gift.id, version: gift.version } };
    },
  },
  CarteGiftBroken: {
    provoke: async (fixture) => {
      const { db, admin } = fixture;
      // The item of the gift does not exist at the ERP, which is reported unless the gift is
      // disabled.
      const { id, version } = await selectRow(fixture.db, 'reward', ['id', 'version'], {
        code: 'tart',
      });
      await updateRows(db, 'reward', { isActive: false }, { id });
      await db.transaction((tx) => resolveNotifications(tx, 'GIFT_BROKEN', 'reward', [id]));
      const before = await fixture.scrape();
      await updateRows(db, 'reward', { isActive: true }, { id });
      const { clientId } = await aClient(fixture);
      const right = await grantTo(db, { clientId, rewardId: id });
      await admin.post(`/rewards/${id}/check`);
      return { row: { id, code: 'tart' }, ids: { id, version, right }, before };
    },
  },
};
