import type { Endpoint, EndpointGroup, CallOptions } from '../call.ts';
import { isErpFailure, isTooMuchData } from '../failure.ts';
import { wireLocal } from '../erp-time.ts';
import { checkThen, createCheck } from '../schemas/check.ts';
import {
  DeliveriesAnswer,
  readDeliveries,
  RevisedAnswer,
  type ErpDeliveries,
} from '../schemas/deliveries.ts';

const BY_ID: Endpoint<ErpDeliveries> = {
  path: '/api/1/deliveries/by_id',
  priority: 'ORDERS',
  personal: 'IN_ANSWER',
  check: checkThen(createCheck(DeliveriesAnswer), ({ orders }) => readDeliveries(orders)),
};

/** `maxRevision`: start of the next request. */
export type ErpRevision = ErpDeliveries & { maxRevision: number };

const checkRevised = checkThen(
  createCheck(RevisedAnswer),
  ({ maxRevision, ordersByOrganizations }): ErpRevision => ({
    maxRevision,
    ...readDeliveries(ordersByOrganizations.flatMap(({ orders }) => orders)),
  }),
);

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

/** Maximum number of orders per answer. Further orders may be missing. */
export const MOST_HISTORY_ROWS = 200;

/** Maximum number of ids per request. */
export const MOST_IDS = 200;

/** The ERP reports this only as a sentence in the account's language. */
const TOO_OLD =
  /revision.*\bold\b|\bold\b.*revision|ревизи.*(?:стар|устар)|(?:стар|устар).*ревизи/i;

export type DeliverySearch = {
  organizationIds: string[];
  /** A phone like +79990001122, or null for all clients. */
  phone: string | null;
  /** Local times of the restaurant, at most a day apart. */
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
  deliveriesByPhone(
    connectionId: number,
    search: DeliverySearch,
    options?: CallOptions,
  ): Promise<ErpRevision>;
  deliveryHistory(
    connectionId: number,
    search: HistorySearch,
    options?: CallOptions,
  ): Promise<ErpDeliveries>;
};

/** `phone` like +79990001122. Local time of the restaurant. */
export type HistorySearch = {
  organizationIds: string[];
  phone: string;
  from: Temporal.PlainDateTime;
  to: Temporal.PlainDateTime;
};

/**
 * Limits of the ERP. By id: the last 7 days, and a missing order may still be in creation. By
 * revision: 3 hours, else REVISION_TOO_OLD (search by date and continue from the `maxRevision` of
 * the answer). By phone and date: about a day, else CLIENT with TOO_MANY_DATA_REQUESTED. History of
 * a phone: 90 days, at most 200 orders.
 */
export const deliveryReadCalls: EndpointGroup<DeliveryReadCalls> = (call) => ({
  deliveriesById: async (connectionId, organizationId, orderIds, options) => {
    const deliveries: ErpDeliveries = { orders: [], unreadable: 0 };

    for (let from = 0; from < orderIds.length; from += MOST_IDS) {
      const body = { organizationId, orderIds: orderIds.slice(from, from + MOST_IDS) };
      const { data } = await call(connectionId, BY_ID, body, options);
      deliveries.orders.push(...data.orders);
      deliveries.unreadable += data.unreadable;
    }

    return deliveries;
  },
  deliveriesByRevision: async (connectionId, request, options) => {
    try {
      return { kind: 'ORDERS', ...(await call(connectionId, BY_REVISION, request, options)).data };
    } catch (error) {
      const isTooOld =
        isErpFailure(error) && error.kind === 'CLIENT' && TOO_OLD.test(error.message);
      // One answer cannot contain all changes, so they are also read by date.
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
