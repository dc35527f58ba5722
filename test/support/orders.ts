import { randomUUID } from 'node:crypto';
import { useDiscounts } from '../../modules/ordering/promotions/discount-uses.ts';
import { reserveRights } from '../../modules/gifts/rights/move-rights.ts';
import { keepPersonal } from '../../modules/access/customers/personal-data.ts';
import type { OrderPersonal } from '../../modules/ordering/orders/order-personal.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import type { Emulator } from '../../packages/erp-emulator/server.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { testSecrets } from './connection.ts';
import { aPlaceToOrder, CANARY } from './erp-orders.ts';
import type { Database } from './text-database.ts';

type Fields = {
  fulfillmentType?: 'DELIVERY' | 'PICKUP';
  paymentMethod?: string;
  /** Default: the first dish that is sold. */
  dish?: { productId: string; sizeId: string | null };
  discountKopecks?: number;
  deliveryFeeKopecks?: number;
  /** Default: the price of the dish. */
  price?: number;
  place?: { city: string; street: string };
  /** Milliseconds from now until the order is no longer sent. */
  sendForMs?: number;
  gift?: string;
  cartId?: string;
  /** Used discounts. If the order has a cart, its event contains the discounts. */
  discountIds?: number[];
  /** False if the test starts the workflow. */
  isAnnounced?: boolean;
};

let counter = 0;

export async function orderDesk(
  { db, emulator }: { db: Database; emulator: Emulator },
  secrets: SecretBox = testSecrets,
) {
  const at = await aPlaceToOrder(emulator);
  const [dish] = at.sold;
  const organization = await db.db
    .selectFrom('mirror_organization')
    .select(['id', 'connectionId'])
    .where('erpId', '=', at.organizationId)
    .executeTakeFirstOrThrow();
  const price = Math.round(dish!.price! * 100);

  /** Adds an order of the canary as after checkout. Returns its id. */
  async function accepted(fields: Fields = {}): Promise<string> {
    const { fulfillmentType = 'DELIVERY', paymentMethod = 'CASH', sendForMs = 600_000 } = fields;
    const { discountKopecks = 0, deliveryFeeKopecks = 0 } = fields;
    const id = randomUUID();
    const personal: OrderPersonal = {
      customer: { name: CANARY.name, phone: CANARY.phone },
      address: {
        city: 'Калининград',
        street: CANARY.street,
        ...fields.place,
        house: CANARY.house,
        building: null,
        flat: '12',
        entrance: null,
        floor: null,
        doorphone: null,
        comment: CANARY.comment,
        coords: null,
      },
      comment: CANARY.comment,
      lineComments: { '0': CANARY.comment },
    };
    await db.transaction(async (tx) => {
      const personalDataId = await keepPersonal(tx, { secrets }, 'ORDER', personal);
      const dishKopecks = fields.price ?? price;
      const subtotalKopecks = 2 * dishKopecks;
      await tx.db
        .insertInto('customer_order')
        .values({
          id,
          number: `T-${(counter += 1)}`,
          day: '2026-11-22' as never,
          organizationId: organization.id,
          connectionId: organization.connectionId,
          cartId: fields.cartId ?? randomUUID(),
          cartVersion: 1,
          fulfillmentType,
          slotId: 'asap',
          timeZone: 'Europe/Kaliningrad',
          dueAt: new Date(Date.now() + 3_600_000),
          etaMinutes: 60,
          paymentMethod,
          leaveAtDoor: false,
          persons: 2,
          terminalGroupErpId: at.terminalGroupId,
          personalDataId,
          subtotalKopecks,
          discountKopecks,
          deliveryFeeKopecks,
          totalKopecks: subtotalKopecks - discountKopecks + deliveryFeeKopecks,
          sendUntil: new Date(Date.now() + sendForMs),
        })
        .execute();
      await tx.db
        .insertInto('order_line')
        .values({
          orderId: id,
          position: 0,
          kind: 'ITEM',
          erpItemId: (fields.dish ?? dish!).productId,
          erpSizeId: (fields.dish ?? dish!).sizeId,
          name: 'Блюдо',
          quantity: 2,
          basePriceKopecks: dishKopecks,
          unitPriceKopecks: dishKopecks,
          lineTotalKopecks: subtotalKopecks,
        })
        .execute();
      if (fields.gift !== undefined) {
        await tx.db
          .insertInto('order_line')
          .values({
            orderId: id,
            position: 1,
            kind: 'COMPENSATION',
            erpItemId: at.gift.productId,
            erpSizeId: at.gift.sizeId,
            name: 'Подарок',
            quantity: 1,
            basePriceKopecks: 0,
            unitPriceKopecks: 0,
            lineTotalKopecks: 0,
            compensationId: fields.gift,
          })
          .execute();
        await reserveRights(tx, { orderId: id, rights: [fields.gift] });
      }
      const { cartId, discountIds = [] } = fields;
      if (cartId !== undefined) await tx.db.deleteFrom('cart').where('id', '=', cartId).execute();
      await useDiscounts(tx, { orderId: id, customerId: null, discountIds });
      await tx.db
        .insertInto('order_move')
        .values({ orderId: id, state: 'ACCEPTED', by: 'CUSTOMER' })
        .execute();
      if (fields.isAnnounced !== false)
        await appendOutbox(tx, 'OrderAccepted', {
          orderId: id,
          organizationId: organization.id,
          ...(cartId === undefined
            ? {}
            : { cartId, discountIds, gifts: fields.gift === undefined ? [] : [fields.gift] }),
        });
    });
    return id;
  }

  const row = async (id: string) =>
    db.db.selectFrom('customer_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const states = async (id: string) =>
    (
      await db.db
        .selectFrom('order_move')
        .select('state')
        .where('orderId', '=', id)
        .orderBy('id')
        .execute()
    ).map((entry) => entry.state);

  type AtErp = {
    id: string;
    organizationId: string;
    creationStatus: string;
    terminalGroupId: string;
    order: {
      status: string;
      sum: number;
      items: { product: { id: string } }[];
      deliveryPoint: { address: { street: { id: string | null } } } | null;
    } | null;
  };
  /** There must never be two active orders with this number. */
  async function atErp(id: string): Promise<AtErp[]> {
    const { number } = await row(id);
    const { deliveries } = await emulator.control<{
      deliveries: (AtErp & { externalNumber: string | null })[];
    }>('deliveries');
    return deliveries.filter((delivery) => delivery.externalNumber === number);
  }

  return { ...at, organization, accepted, row, states, atErp };
}
