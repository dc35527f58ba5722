import type { Endpoint, EndpointGroup, CallOptions } from '../call.ts';
import { isErpFailure, isTooMuchData } from '../failure.ts';
import { wireLocal } from '../erp-time.ts';
import { checkOf, checkThen } from '../schemas/check.ts';
import { DeliveriesAnswer, readDeliveries, RevisedAnswer, type ErpDeliveries } from '../schemas/deliveries.ts';

const BY_ID: Endpoint<ErpDeliveries> = {
  path: '/api/1/deliveries/by_id',
  priority: 'ORDERS',
  personal: 'IN_ANSWER',
  check: checkThen(checkOf(DeliveriesAnswer), ({ orders }) => readDeliveries(orders)),
};

/** Orders, and where the next question by revision begins. */
export type ErpRevision = ErpDeliveries & { maxRevision: number };

const checkRevised = checkThen(checkOf(RevisedAnswer), ({ maxRevision, ordersByOrganizations }): ErpRevision => ({
  maxRevision,
  ...readDeliveries(ordersByOrganizations.flatMap(({ orders }) => orders)),
}));

const BY_REVISION: Endpoint<ErpRevision> = {
  path: '/api/1/deliveries/by_revision',
  priority: 'CHANGES',
  personal: 'IN_ANSWER',
  check: checkRevised,
};

const BY_PHONE: Endpoint<ErpRevision> = {
  path: '/api/1/deliveries/by_delivery_date_and_phone',
  personal: 'IN_BOTH',
  check: checkRevised,
};

const HISTORY: Endpoint<ErpRevision> = {
  path: '/api/1/deliveries/history/by_delivery_date_and_phone',
  personal: 'IN_BOTH',
  check: checkRevised,
};

/** Orders in one answer about the history of a phone; an answer with as many may lack others. */
export const MOST_HISTORY_ROWS = 200;

/** More ids in one request are rejected. */
export const MOST_IDS = 200;

/** The ERP reports it only as a sentence, in the language of the account. */
const TOO_OLD = /revision.*\bold\b|\bold\b.*revision|ревизи.*(?:стар|устар)|(?:стар|устар).*ревизи/i;

export type DeliverySearch = {
  organizationIds: string[];
  /** In the form +79990001122; null finds orders of all clients. */
  phone: string | null;
  /** Wall-clock times of the restaurant. More than a day is rejected as too much data. */
  from?: Temporal.PlainDateTime;
  to?: Temporal.PlainDateTime;
  sourceKeys?: string[];
  rowsCount?: number;
};

export type DeliveryReadCalls = {
  deliveriesById(
    connectionId: number,
    organizationId: string,
    orderIds: readonly string[],
    options?: CallOptions,
  ): Promise<ErpDeliveries>;
  deliveriesByRevision(
    connectionId: number,
    request: { organizationIds: string[]; startRevision: number; sourceKeys?: string[] },
    options?: CallOptions,
  ): Promise<({ kind: 'ORDERS' } & ErpRevision) | { kind: 'REVISION_TOO_OLD' }>;
  deliveriesByPhone(connectionId: number, search: DeliverySearch, options?: CallOptions): Promise<ErpRevision>;
  deliveryHistory(connectionId: number, search: HistorySearch, options?: CallOptions): Promise<ErpDeliveries>;
};

/** A phone in the form +79990001122, and wall-clock times of the restaurant. */
export type HistorySearch = {
  organizationIds: string[];
  phone: string;
  from: Temporal.PlainDateTime;
  to: Temporal.PlainDateTime;
};

/**
 * Reads orders: by id (those of the last 7 days; an unknown one is left out, which proves nothing
 * while its creation is under way), everything that changed after a revision (at most 3 hours back,
 * else REVISION_TOO_OLD: search by date and continue from its `maxRevision`), by phone and date
 * (422 as CLIENT with TOO_MANY_DATA_REQUESTED for more than about a day), and the history of one
 * phone, 200 orders at most and those of 90 days. All are reads: repeating one is harmless.
 */
export const deliveryReadCalls: EndpointGroup<DeliveryReadCalls> = (call) => ({
  deliveriesById: async (connectionId, organizationId, orderIds, options) => {
    const found: ErpDeliveries = { orders: [], unreadable: 0 };
    for (let from = 0; from < orderIds.length; from += MOST_IDS) {
      const body = { organizationId, orderIds: orderIds.slice(from, from + MOST_IDS) };
      const { data } = await call(connectionId, BY_ID, body, options);
      found.orders.push(...data.orders);
      found.unreadable += data.unreadable;
    }
    return found;
  },
  deliveriesByRevision: async (connectionId, request, options) => {
    try {
      return { kind: 'ORDERS', ...(await call(connectionId, BY_REVISION, request, options)).data };
    } catch (error) {
      const isTooOld = isErpFailure(error) && error.kind === 'CLIENT' && TOO_OLD.test(error.message);
      // Changes are read by date as well if they are too many for one answer.
      if (isTooOld || isTooMuchData(error)) return { kind: 'REVISION_TOO_OLD' };
      throw error;
    }
  },
  deliveriesByPhone: async (connectionId, { from, to, ...search }, options) => {
    const body = {
      ...search,
      ...(from === undefined ? {} : { deliveryDateFrom: wireLocal(from) }),
      ...(to === undefined ? {} : { deliveryDateTo: wireLocal(to) }),
    };
    return (await call(connectionId, BY_PHONE, body, options)).data;
  },
  deliveryHistory: async (connectionId, { organizationIds, phone, from, to }, options) => {
    const period = { deliveryDateFrom: wireLocal(from), deliveryDateTo: wireLocal(to) };
    const body = { organizationIds, phone, ...period, rowsCount: MOST_HISTORY_ROWS };
    return (await call(connectionId, HISTORY, body, options)).data;
  },
});
