import { randomUUID } from 'node:crypto';
import { clientOf } from '../../../modules/gifts/clients.ts';
import { noteCandidates } from '../../../modules/gifts/note-candidates.ts';
import { wakeClearing } from '../../../modules/gifts/start-clearing.ts';
import { raiseNotification, resolveNotifications } from '../../../modules/notifications/raise-notification.ts';
import { BLOCK } from '../gifts/gift-desk.ts';
import { eventually } from '../processes.ts';
import { grantTo } from '../rights.ts';
import { addRow } from '../rows.ts';
import { erpIsBack } from './imports.ts';
import type { Provocations } from './provocations.ts';
import type { RunbookWorld } from './world.ts';

type Reward = { id: number; version: number; erpItemId: string; code: string };

/** A client of whom only what a test says is known. */
const aClient = async ({ db, secrets, connectionId }: RunbookWorld) => {
  const erpCustomerId = randomUUID();
  return db
    .transaction((tx) => clientOf(tx, { secrets }, { connectionId, erpCustomerId }))
    .then((clientId) => ({ clientId, erpCustomerId }));
};

/** The gift of the demo that its guest was promised. */
const demoGift = ({ one }: RunbookWorld) =>
  one<Reward>(
    `select id, version, erp_item_id as "erpItemId", code from reward
      where exists (select from compensation where reward_id = reward.id and status = 'GRANTED') and code <> 'tart' order by id limit 1`,
  );

const faultyCard = async (world: RunbookWorld, row: { damaged?: number; withoutReward?: number }) => {
  const { clientId, erpCustomerId } = await aClient(world);
  await addRow(world.db, 'client_card', { clientId, readAt: new Date(), ...row });
  return { erp_customer_id: erpCustomerId };
};

/** Redeems a right whose marker the ERP does not let us take away. */
async function heldMarker({ gifts }: RunbookWorld) {
  const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
  await client.redeem();
  await client.wake();
  await eventually('the marker is held', async () => ((await client.clearing())?.state === 'HELD' ? true : undefined));
  return client;
}

/** Gifts that clients were promised. */
export const GIFT_ALERTS: Provocations = {
  CarteGiftMarkersWaiting: {
    provoke: async (world) => {
      const { gifts, sql, client } = world;
      await world.fault('500', { endpoint: '/api/1/loyalty/erp/customer/info', times: 200 });
      const held = await heldMarker(world);
      await wakeClearing(world.temporal, { clientId: held.clientId, source: 'ERP_CATEGORY' });
      await sql(`update marker_clearing set waits_since = now() - interval '2 hours'`);
      // A gift of an order that is accompanied to the restaurant.
      const company = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
      const { orderId, announce } = await gifts.orderedWith(company);
      await announce();
      await world.deliver();
      await eventually('the gift is accompanied', () =>
        client.workflow.getHandle(`order/${orderId}/gift/${company.right}`).describe(),
      );
      return {
        row: { erp_customer_id: held.customerId, source: 'ERP_COMMENT', held_by: 'ERP_UNAVAILABLE' },
        ids: { client: held.clientId, order: orderId, compensation: company.right, id: held.right },
        undo: () => erpIsBack(world),
      };
    },
  },
  CarteGiftReservedTooLong: {
    provoke: async (world) => {
      const { gifts, sql } = world;
      const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
      await world.fault('order-stuck', { endpoint: '/api/1/deliveries/create' });
      const { orderId, announce } = await gifts.orderedWith(client);
      await announce();
      await world.deliver();
      await sql(`update compensation set reserved_at = now() - interval '2 hours' where id = $1`, [client.right]);
      return { row: { id: client.right, reserved_order_id: orderId }, ids: { order: orderId, id: orderId } };
    },
  },
  CarteGiftStopped: {
    provoke: async (world) => {
      const { emulator, organization, run } = world;
      const gift = await demoGift(world);
      await emulator.control('stop', { organizationId: organization.erpId, itemIds: [gift.erpItemId] });
      await run('STOP_LIST');
      return {
        row: { id: gift.id, organization_id: organization.id },
        ids: { id: gift.id, version: gift.version },
        undo: async () => {
          await emulator.control('unstop', { organizationId: organization.erpId });
          await run('STOP_LIST');
        },
      };
    },
  },
  CarteGiftCardsFaulty: {
    made: 'the card as a reading of it leaves its row',
    provoke: async (world) => ({ row: { ...(await faultyCard(world, { damaged: 1 })), damaged: 1 } }),
  },
  CarteGiftCategoryWithoutReward: {
    made: 'the card as a reading of it leaves its row',
    provoke: async (world) => ({ row: { ...(await faultyCard(world, { withoutReward: 1 })), without_reward: 1 } }),
  },
  CarteGiftCandidatesWaiting: {
    provoke: async (world) => {
      const { db, secrets, connectionId, organization } = world;
      const { clientId, erpCustomerId } = await aClient(world);
      const reading = {
        clientId,
        connectionId,
        organizationId: organization.id,
        customer: { comment: 'Гостю должны ролл. И ещё раз должны ролл.' },
        askedAt: new Date(),
      };
      await db.transaction((tx) =>
        noteCandidates(tx, { secrets }, reading as Parameters<typeof noteCandidates>[2], ['должны ролл']),
      );
      const [first, second] = await world.sql<{ id: number }>(
        'select id from compensation_candidate where client_id = $1 order by id',
        [clientId],
      );
      const notification = await world.one(`select id from notification where kind = 'COMPENSATION_CANDIDATES'`);
      return {
        row: { id: first!.id, erp_customer_id: erpCustomerId },
        ids: { confirmed: first!.id, dismissed: second!.id, notification: notification.id },
      };
    },
  },
  CarteUnauthorizedCompensation: {
    provoke: async (world) => {
      const { emulator, organization, connectionId, one, trigger } = world;
      const gift = await demoGift(world);
      const order = { organizationId: organization.erpId, phone: '+79990009988', daysAgo: 1 };
      const items = [{ productId: gift.erpItemId }];
      const { orderInfo } = await emulator.control<{ orderInfo: { id: string } }>('put-delivery', { ...order, items });
      await trigger(`schedule/order-watch/${connectionId}`, 'orderWatch');
      const { id } = await one(
        `select gift.id from unauthorized_gift gift join erp_gift_order "order" on "order".id = gift.gift_order_id where erp_order_id = $1`,
        [orderInfo.id],
      );
      return { row: { id, kind: 'NO_RIGHT', erp_order_id: orderInfo.id }, ids: { connection: connectionId, id } };
    },
  },
  CarteGiftsDiffer: {
    made: 'the gift of the alert before is taken out of what accounts for it; the comparison of the day finds that',
    provoke: async (world) => {
      const { sql, one, trigger, connectionId, organization } = world;
      await sql(`update unauthorized_gift set status = 'WITHDRAWN', closed_at = now()`);
      await trigger(`schedule/gift-reconciliation/${connectionId}`, 'giftReconciliation');
      const found = await one<{ day: string; fingerprint: string }>(
        'select day, fingerprint from gift_reconciliation where differing_orders > 0',
      );
      return {
        row: { organization_erp_id: organization.erpId, at_erp: 1, unauthorized: 0, differing_orders: 1 },
        ids: { ...found, organization: organization.erpId },
      };
    },
  },
  CarteGiftsNotCompared: {
    provoke: async (world) => {
      const { sql, connectionId } = world;
      await sql(`update gift_reconciliation set checked_at = now() - interval '31 hours'`);
      return {
        row: { id: connectionId },
        ids: { connection: connectionId },
        undo: () => sql('update gift_reconciliation set checked_at = now()'),
      };
    },
  },
  CarteCompensationDivergence: {
    made: 'the notification, as an order elsewhere leaves it that takes a reserved right',
    provoke: async (world) => {
      const { db, gifts } = world;
      const client = await gifts.promised('ERP_COMMENT', { comment: BLOCK });
      const { orderId } = await gifts.orderedWith(client);
      const details = { what: 'TAKEN_ELSEWHERE', reservedFor: orderId };
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
        ids: { connection: world.connectionId, order: orderId, id: orderId, reservedFor: orderId },
      };
    },
  },
  CarteGiftHistoriesMissed: {
    made: 'the gap; a real one is seven days of silence',
    provoke: async (world) => {
      const { clientId } = await aClient(world);
      const [from, since] = [new Date(Date.now() - 12 * 86_400_000), new Date(Date.now() - 2 * 86_400_000)];
      const { connectionId } = world;
      await addRow(world.db, 'client_history', { clientId, connectionId, ordersFrom: from, ordersTo: since, since });
      return { row: { connection_id: connectionId, clients: 1 }, ids: { connection: connectionId } };
    },
  },
  CarteGiftLimited: {
    provoke: async (world) => {
      const { emulator, menuId, admin, run } = world;
      const gift = await demoGift(world);
      const { organizations } = await world.state();
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
    provoke: async (world) => {
      const { db, admin, sql } = world;
      // Its item is none of the ERP's: it is told of from the beginning, and not while it is not given.
      const { id, version } = await world.one<Reward>(`select id, version from reward where code = 'tart'`);
      await sql('update reward set is_active = false where id = $1', [id]);
      await db.transaction((tx) => resolveNotifications(tx, 'GIFT_BROKEN', 'reward', [id]));
      const before = await world.scrape();
      await sql('update reward set is_active = true where id = $1', [id]);
      const { clientId } = await aClient(world);
      const right = await grantTo(db, { clientId, rewardId: id });
      await admin.post(`/rewards/${id}/check`);
      return { row: { id, code: 'tart' }, ids: { id, version, right }, before };
    },
  },
};
