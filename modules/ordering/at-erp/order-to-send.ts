import { sql, type Nullable } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import { nestRows, unnestRows } from '../../../platform/db/nested-rows.ts';
import type { Row } from '../../../platform/db/row.ts';
import { modifiersToSend, type OrderToSend } from '../rules/erp-order.ts';
import { matchStreet } from '../../delivery/rules/addresses/match-address.ts';
import { chooseErpNames, type ErpChoices } from '../../delivery/rules/erp-names.ts';
import type { PaymentCode } from '../../delivery/rules/payment-methods.ts';
import { ASAP } from '../rules/gate.ts';
import { organizationSwitches } from '../../mirror/rules/organization-switches.ts';
import { switchFields } from '../../mirror/switch-fields.ts';
import { readPersonal } from '../../access/customers/personal-data.ts';
import { selectCallCenter } from '../../delivery/configuration/erp-choices.ts';
import type { ErpStreets } from '../../delivery/addresses/erp-streets.ts';
import { settingRows, toSettings } from '../../settings/read-settings.ts';
import type { OrderDeps } from '../orders/order-row.ts';
import type { OrderPersonal } from '../orders/order-personal.ts';
import { findFeeItem } from './delivery-fee-item.ts';

export type NotSendable = {
  missing: 'PAYMENT_TYPE' | 'DISCOUNT_TYPE' | 'MARKETING_SOURCE' | 'PERSONAL_DATA';
};

/** Returns an order for the ERP, or what it lacks (rule ORD-54). */
export async function readOrderToSend(
  { db, secrets, erpStreets }: Pick<OrderDeps, 'db' | 'secrets' | 'erpStreets'>,
  orderId: string,
  choices: ErpChoices,
): Promise<OrderToSend | NotSendable> {
  const { lines, settings, ...order } = await readStored(db, orderId);
  const { personalDataId, organizationErpId, discountKopecks, totalKopecks } = order;
  const personal =
    personalDataId === null
      ? undefined
      : (await readPersonal<OrderPersonal>(db, { secrets }, [personalDataId])).get(personalDataId);
  if (personal === undefined) return { missing: 'PERSONAL_DATA' };

  const chosen = {
    paymentTypes: order.chosenPayments ?? {},
    discountTypeId: order.chosenDiscount,
    marketingSourceId: order.chosenSource,
  };

  const { createdIn } = order;
  const isOwn = createdIn === organizationErpId;
  const names = chooseErpNames(createdIn, choices, chosen);
  const payment = names.payments[order.paymentMethod as PaymentCode];
  if (payment === undefined) return { missing: 'PAYMENT_TYPE' };
  const discountType = discountKopecks === 0 ? null : names.discountTypeId;
  if (discountKopecks > 0 && discountType === null) return { missing: 'DISCOUNT_TYPE' };
  const { address, lineComments } = personal;
  const deliveryFeeItem = await findFeeItem(db, order);
  const { addressFormat, ...switches } = organizationSwitches(order.switches ?? undefined);
  const isUnsourced = switches.needsMarketingSource && chosen.marketingSourceId === null;
  if (isUnsourced && order.fulfillmentType === 'DELIVERY') return { missing: 'MARKETING_SOURCE' };

  return {
    orderId,
    number: order.number,
    organizationErpId: createdIn,
    terminalGroupErpId: isOwn ? order.terminalGroupErpId : null,
    ...(await findMenu(db, { orderId, organizationId: order.organizationId, deliveryFeeItem })),
    fulfillment: order.fulfillmentType,
    orderTypeErpId: null,
    completeBefore: order.slotId === ASAP ? null : wallClock(order.dueAt, order.timeZone),
    customer: personal.customer,
    addressFormat,
    address:
      order.fulfillmentType === 'PICKUP' || address === null
        ? null
        : {
            ...address,
            streetErpId:
              addressFormat === 'CITY' ? null : await findStreetId(erpStreets, order, address),
          },
    comment: personal.comment,
    leaveAtDoor: order.leaveAtDoor,
    changeFrom: order.changeFromKopecks,
    persons: order.persons,
    marketingSourceErpId: chosen.marketingSourceId,
    lineCommentsAs: switches.takesLineComments ? 'FIELDS' : 'COMMENT',
    personsAs: toSettings(unnestRows(settings), ['structured_cutlery']).structured_cutlery,
    deliveryFee: order.deliveryFeeKopecks,
    deliveryFeeItem,
    lines: unnestRows(lines).map((line) => ({
      erpId: line.erpItemId,
      name: line.name,
      sizeErpId: line.erpSizeId,
      isCompound: Boolean(line.isCompound),
      quantity: line.quantity,
      price: line.basePriceKopecks,
      comment: lineComments[String(line.position)] ?? null,
      modifiers: modifiersToSend(line.modifiers),
      compensationId: line.compensationId,
    })),
    discounts: discountType === null ? [] : [{ typeErpId: discountType, amount: discountKopecks }],
    payment: {
      typeErpId: payment.id,
      kind: payment.kind,
      amount: deliveryFeeItem === null ? totalKopecks - order.deliveryFeeKopecks : totalKopecks,
    },
  };
}

/** Keeps the organization of a former call, because the ERP may have the order. */
function readStored({ db }: Sql, orderId: string) {
  const createdIn = sql<string>`coalesce(
    order_to_send.erp_organization_erp_id, ${selectCallCenter(sql.ref('orderToSend.connectionId'))}, organization.erp_id)`;
  return db
    .selectFrom('customer_order as orderToSend')
    .innerJoin(
      'mirror_organization as organization',
      'organization.id',
      'orderToSend.organizationId',
    )
    .leftJoin('order_sending as chosen', 'chosen.connectionId', 'orderToSend.connectionId')
    .select([
      'orderToSend.number',
      'orderToSend.organizationId',
      'orderToSend.connectionId',
      'orderToSend.personalDataId',
      'orderToSend.discountKopecks',
      'orderToSend.totalKopecks',
      'orderToSend.deliveryFeeKopecks',
      'orderToSend.paymentMethod',
      'orderToSend.fulfillmentType',
      'orderToSend.terminalGroupErpId',
      'orderToSend.slotId',
      'orderToSend.dueAt',
      'orderToSend.timeZone',
      'orderToSend.leaveAtDoor',
      'orderToSend.changeFromKopecks',
      'orderToSend.persons',
      'organization.erpId as organizationErpId',
      'chosen.paymentTypes as chosenPayments',
      'chosen.discountTypeId as chosenDiscount',
      'chosen.marketingSourceId as chosenSource',
      createdIn.as('createdIn'),
      nestRows(lineRows(db, orderId)).as('lines'),
      nestRows(settingRows(db, ['structured_cutlery'])).as('settings'),
    ])
    .select((eb) =>
      eb
        .selectFrom('mirror_organization as creating')
        .select(switchFields(sql.ref('creating.raw')).as('switches'))
        .whereRef('creating.connectionId', '=', 'orderToSend.connectionId')
        .where('creating.erpId', '=', createdIn)
        .as('switches'),
    )
    .where('orderToSend.id', '=', orderId)
    .executeTakeFirstOrThrow();
}

const lineRows = (db: Sql['db'], orderId: string) =>
  db
    .selectFrom('order_line')
    .select([
      'position',
      'erpItemId',
      'erpSizeId',
      'name',
      'quantity',
      'basePriceKopecks',
      'modifiers',
      'compensationId',
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('mirror_item as item')
            .select('item.id')
            .whereRef('item.erpId', '=', 'order_line.erpItemId')
            .where('item.role', '=', 'DISH')
            .where('item.orderItemType', '=', 'Compound'),
        )
        .as('isCompound'),
    )
    .where('orderId', '=', orderId)
    .where('leftOutAt', 'is', null)
    .orderBy('position');

/** Null if the ERP does not have the street or is slow (rule ORD-68). */
async function findStreetId(
  erpStreets: ErpStreets,
  {
    organizationId,
    organizationErpId,
    connectionId,
  }: { organizationId: number; organizationErpId: string; connectionId: number },
  address: NonNullable<OrderPersonal['address']>,
): Promise<string | null> {
  const streets = await erpStreets.of({
    id: organizationId,
    erpId: organizationErpId,
    connectionId,
  });

  return matchStreet(address, streets ?? [])?.id ?? null;
}

function wallClock(at: Date, timeZone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime();
}

type MenuRow = Row<'mirror_external_menu', 'erpId'> &
  Nullable<Row<'external_menu_setting', 'priceCategoryId'>>;
type MenuOfOrder = Pick<OrderToSend, 'externalMenuId' | 'priceCategoryErpId'>;

/**
 * Returns a menu only if it prices all lines, and a category only if all menus share it, because
 * the ERP validates prices.
 */
async function findMenu(
  { db }: Sql,
  {
    orderId,
    organizationId,
    deliveryFeeItem: fee,
  }: { orderId: string; organizationId: number; deliveryFeeItem: OrderToSend['deliveryFeeItem'] },
): Promise<MenuOfOrder> {
  const { rows } = await sql<MenuRow>`
    with line as (
      select erp_item_id, coalesce(erp_size_id::text, '') as erp_size_id from order_line where order_id = ${orderId}
      union select ${fee?.erpId ?? null}::uuid, ${fee?.sizeErpId ?? ''}),
    pricing as (
      select distinct on (line.erp_item_id, line.erp_size_id) menu.external_menu_id
        from line
        join mirror_item item on item.erp_id = line.erp_item_id
        join mirror_item_size size on size.item_id = item.id and size.erp_size_id = line.erp_size_id
        join mirror_price price on price.item_size_id = size.id and price.organization_id = ${organizationId}
        join menu_of_organization menu on menu.organization_id = price.organization_id and menu.external_menu_id = price.external_menu_id
       order by line.erp_item_id, line.erp_size_id, (item.role <> 'DISH'), menu.rank)
    select distinct menu.erp_id, setting.price_category_id
      from pricing join mirror_external_menu menu on menu.id = pricing.external_menu_id
      left join external_menu_setting setting on setting.external_menu_id = menu.id`.execute(db);

  const [first] = rows;
  if (first === undefined) return { externalMenuId: null, priceCategoryErpId: null };
  const categories = new Set(rows.map((row) => row.priceCategoryId));

  return {
    externalMenuId: rows.length === 1 ? first.erpId : null,
    priceCategoryErpId: categories.size === 1 ? first.priceCategoryId : null,
  };
}
