import { anyOf, json, type Sql, type Tx } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { keepPersonal } from '../../access/customers/personal-data.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import { recordEvents } from '../../events/record-events.ts';
import { phoneDigest } from '../../gifts/clients/clients.ts';
import { localTime } from '../../delivery/rules/schedule.ts';
import type { OrderPersonal } from '../orders/order-personal.ts';
import { ASAP } from '../rules/gate.ts';
import type { OrderWitness } from './lost-executions.ts';
import type { CartRow, Lost, Stored } from './lost-order.ts';

/** Used for a slot of unknown length. */
const SLOT_MINUTES = 30;

type ToInsert = Lost & { organizationId: number; stored: Stored; cart: CartRow | null };

/** Inserts a lost order as sent, with lines and moves (rule ORD-113). */
export async function insertOrder(
  tx: Tx,
  deps: { secrets: SecretBox },
  { orderId, fact, witness, connectionId, organizationId, stored, cart }: ToInsert,
): Promise<void> {
  const { timeZone, placedAt, totalKopecks } = stored;
  const dueAt = stored.dueAt ?? placedAt;
  const subtotalKopecks = Math.max(
    totalKopecks,
    stored.lines.reduce((sum, line) => sum + line.lineTotalKopecks, 0),
  );

  const phone = normalPhone(fact.content.phone ?? '');
  const personal: OrderPersonal = {
    customer: { name: '', phone: phone ?? '' },
    address: null,
    comment: null,
    lineComments: {},
  };

  const day = localTime(placedAt.getTime(), timeZone).toPlainDate().toString();
  const formerNumber = fact.externalNumber ?? stored.number;
  const number = await freeNumber(tx, { organizationId, day, wanted: formerNumber, orderId });
  await tx.db
    .insertInto('customer_order')
    .values({
      id: orderId,
      number,
      day,
      organizationId,
      connectionId,
      customerId: cart?.customerId ?? null,
      // The column requires an id.
      cartId: witness?.cartId ?? cart?.id ?? orderId,
      cartVersion: cart?.version ?? 1,
      fulfillmentType: stored.fulfillmentType,
      slotId: stored.isAsap ? ASAP : toSlotId(dueAt, timeZone),
      timeZone,
      dueAt,
      etaMinutes: Math.max(0, Math.round((dueAt.getTime() - placedAt.getTime()) / 60_000)),
      paymentMethod:
        stored.paymentKind === 'Cash' || stored.paymentKind === null ? 'CASH' : 'CARD_COURIER',
      leaveAtDoor: false,
      persons: stored.persons,
      terminalGroupErpId: fact.terminalGroupId,
      personalDataId:
        phone === null
          ? null
          : await keepPersonal(tx, deps, 'ORDER', personal, {
              createdAt: placedAt,
              phoneDigest: phoneDigest(deps, phone),
            }),
      subtotalKopecks,
      discountKopecks: subtotalKopecks - totalKopecks,
      deliveryFeeKopecks: 0,
      totalKopecks,
      state: 'SENT',
      acceptedAt: placedAt,
      sentAt: placedAt,
      sendUntil: placedAt,
      erpOrderId: fact.id,
      erpOrganizationErpId: fact.organizationId,
    })
    .execute();

  await insertLines(tx, orderId, stored, witness);
  await tx.db
    .insertInto('order_move')
    .values([
      { orderId, state: 'ACCEPTED', by: 'CUSTOMER', at: placedAt },
      { orderId, state: 'SENT', by: 'CARTE', at: placedAt },
    ])
    .execute();

  await recordEvents(tx, 'order.accepted', [
    { id: orderId, organizationId, data: { orderId, number } },
  ]);
  await recordEvents(tx, 'order.status_changed', [
    { id: orderId, organizationId, data: { orderId, previousStatus: 'ACCEPTED', status: 'SENT' } },
  ]);
}

const toSlotId = (at: Date, timeZone: string): string =>
  `${localTime(at.getTime(), timeZone).toString({ smallestUnit: 'minute', timeZoneName: 'never' })}/PT${SLOT_MINUTES}M`;

/** Returns part of the order id if the number is taken that day. */
async function freeNumber(
  { db }: Sql,
  {
    organizationId,
    day,
    wanted,
    orderId,
  }: { organizationId: number; day: string; wanted: string; orderId: string },
): Promise<string> {
  const namesake = await db
    .selectFrom('customer_order')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('day', '=', day)
    .where('number', '=', wanted)
    .executeTakeFirst();

  return namesake === undefined && wanted !== '' ? wanted : orderId.slice(0, 8);
}

/** A free dish that matches a right is its gift. */
async function insertLines(
  tx: Tx,
  orderId: string,
  { lines }: Stored,
  witness: OrderWitness | null,
): Promise<void> {
  const rights = await tx.db
    .selectFrom('compensation')
    .innerJoin('reward', 'reward.id', 'compensation.rewardId')
    .select(['compensation.id', 'reward.erpItemId'])
    .where('compensation.id', '=', anyOf([...(witness?.gifts ?? [])], 'uuid'))
    .orderBy('compensation.id')
    .execute();

  if (lines.length === 0) return;
  const rows = lines.map((line, position) => {
    const at =
      line.lineTotalKopecks === 0
        ? rights.findIndex(({ erpItemId }) => erpItemId === line.itemId)
        : -1;

    const [right] = at < 0 ? [] : rights.splice(at, 1);
    const kind = right === undefined ? ('ITEM' as const) : ('COMPENSATION' as const);

    return {
      orderId,
      position,
      kind,
      erpItemId: line.itemId,
      erpSizeId: line.sizeId,
      name: line.name,
      variantName: line.sizeName,
      quantity: Math.max(1, Math.round(line.quantity)),
      modifiers: json(
        line.modifiers.map(({ itemId, groupId, name, quantity, unitPriceKopecks }) => ({
          groupKey: groupId ?? '~',
          groupErpId: groupId,
          modifierId: itemId,
          name,
          quantity,
          freeQuantity: 0,
          unitPriceKopecks,
        })),
      ),
      basePriceKopecks: line.unitPriceKopecks,
      unitPriceKopecks: line.unitPriceKopecks,
      lineTotalKopecks: line.lineTotalKopecks,
      compensationId: right?.id ?? null,
    };
  });

  await tx.db.insertInto('order_line').values(rows).execute();
}
