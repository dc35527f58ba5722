import { defineEntity, p } from '@mikro-orm/core';
import type { FulfillmentType } from '../../delivery/rules/status.ts';
import type { OrderState } from '../rules/order-states.ts';

/**
 * A line of an order from another channel, from the last report of the ERP. Kopecks; ids of the
 * ERP.
 */
export type ErpOrderLine = {
  itemId: string;
  sizeId: string | null;
  name: string;
  sizeName: string | null;
  quantity: number;
  unitPriceKopecks: number;
  lineTotalKopecks: number;
  modifiers: readonly {
    itemId: string;
    groupId: string | null;
    name: string;
    quantity: number;
    unitPriceKopecks: number;
  }[];
};

/**
 * An order that the ERP reports and that was not made here. Of the guest only a digest of the phone
 * and the ERP's id are stored.
 */
export const ErpOrder = defineEntity({
  name: 'ErpOrder',
  tableName: 'erp_order',
  properties: {
    /** The ERP's id. */
    id: p.uuid().primary(),
    connectionId: p.bigint('number'),
    organizationId: p.bigint('number'),
    /** The ERP's count of the state that is stored. */
    erpTimestamp: p.bigint('number'),
    /** The id under which the order continues after it was moved; such a row is not shown. */
    movedTo: p.uuid().nullable(),
    number: p.text(),
    state: p.text().$type<OrderState>(),
    fulfillmentType: p.text().$type<FulfillmentType>(),
    paymentKind: p.text().nullable(),
    persons: p.integer(),
    timeZone: p.text(),
    placedAt: p.datetime(),
    isAsap: p.boolean(),
    /** The time for which the guest expects the order; null if not stated. */
    dueAt: p.datetime().nullable(),
    totalKopecks: p.bigint('number'),
    lines: p.json<readonly ErpOrderLine[]>(),
    /** States with the moments (ISO 8601) at which they were first reported. */
    moves: p.json<readonly { state: OrderState; at: string }[]>(),
    phoneDigest: p.text().nullable(),
    erpCustomerId: p.uuid().nullable(),
    /** Time at which the guest's data was erased. */
    erasedAt: p.datetime().nullable(),
  },
});
