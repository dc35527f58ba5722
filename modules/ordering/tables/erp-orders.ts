import { defineEntity, p } from '@mikro-orm/core';
import type { FulfillmentType } from '../../delivery/rules/status.ts';
import type { OrderState } from '../rules/order-states.ts';

/** A line of the last ERP report. Kopecks; ERP ids. */
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
 * An order from another channel. Of its guest, only a phone digest and the ERP's customer id are
 * stored.
 */
export const ErpOrder = defineEntity({
  name: 'ErpOrder',
  tableName: 'erp_order',
  properties: {
    /** ERP id. */
    id: p.uuid().primary(),
    connectionId: p.bigint('number'),
    organizationId: p.bigint('number'),
    /** Timestamp of the ERP. */
    erpTimestamp: p.bigint('number'),
    /** Id after a move; the order is then not shown. */
    movedTo: p.uuid().nullable(),
    number: p.text(),
    state: p.text().$type<OrderState>(),
    fulfillmentType: p.text().$type<FulfillmentType>(),
    paymentKind: p.text().nullable(),
    persons: p.integer(),
    timeZone: p.text(),
    placedAt: p.datetime(),
    isAsap: p.boolean(),
    /** Null if no time was requested. */
    dueAt: p.datetime().nullable(),
    totalKopecks: p.bigint('number'),
    lines: p.json<readonly ErpOrderLine[]>(),
    /** States with their first report (ISO 8601). */
    moves: p.json<readonly { state: OrderState; at: string }[]>(),
    phoneDigest: p.text().nullable(),
    erpCustomerId: p.uuid().nullable(),
    erasedAt: p.datetime().nullable(),
  },
});
