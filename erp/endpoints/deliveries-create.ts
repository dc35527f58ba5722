import type { Endpoint, EndpointGroup, CallOptions } from '../call.ts';
import { wireLocal } from '../erp-time.ts';
import { isErpFailure, type ErpFailure, type ErpFailureKind } from '../failure.ts';
import { checkCreated, type ErpDelivery } from '../schemas/deliveries.ts';
import type { ErpOrderBody } from '../schemas/order-body.ts';

const CREATE: Endpoint<{ correlationId: string; order: ErpDelivery }> = {
  path: '/api/1/deliveries/create',
  priority: 'ORDERS',
  personal: 'IN_BOTH',
  check: checkCreated,
};

/** The state of an order after it was sent (rule ERP-16). */
export type ErpCreation =
  /** The ERP has the order: in progress, or with its restaurant already. */
  | { outcome: 'TAKEN'; correlationId: string; order: ErpDelivery }
  /** An order with this id is there: an earlier call has created it. Read it by its id. */
  | { outcome: 'DUPLICATE' }
  /** The ERP does not take this order, and a repetition changes nothing. */
  | { outcome: 'REFUSED'; code: string | null; status: number | null; correlationId: string | null }
  /** The ERP has not processed the order. `retryable` is true if a later retry can help. */
  | { outcome: 'NOT_SENT'; kind: ErpFailureKind; retryable: boolean; retryAfterMs: number | null }
  /** The order may be there or not: send it again under the same id, or read it by its id. */
  | { outcome: 'UNKNOWN'; kind: ErpFailureKind; status: number | null };

export type DeliveryCreateCalls = {
  createDelivery(connectionId: number, body: ErpOrderBody, options?: CallOptions): Promise<ErpCreation>;
};

/** The ERP rejects these before it processes the order, or no request is sent. */
const NOT_LOOKED_AT: ReadonlySet<ErpFailureKind> = new Set([
  'RATE_LIMITED',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'CREDENTIALS_REFUSED',
  'CIRCUIT_OPEN',
  'DISABLED',
  'OWNER_INACTIVE',
  'NO_CONNECTION',
]);

const DUPLICATE = 'DuplicatedOrderId';
/** Codes of errors that do not concern the order. */
const INCONCLUSIVE = new Set(['InternalServerError', 'UnknownError', 'EntityAlreadyInUse']);

/**
 * Sends an order. A second call with the same order id is harmless: the ERP has the id and answers
 * DUPLICATE. The only automatic repetition is the one after a 401, which the ERP answers before it
 * processes the order. Failures of the ERP are outcomes; rejects only with the reason of the
 * caller's signal and with failures of our own database, and both leave open whether the order is
 * there.
 */
export const deliveryCreateCalls: EndpointGroup<DeliveryCreateCalls> = (call) => ({
  createDelivery: async (connectionId, body, options) => {
    try {
      const { completeBefore } = body.order;
      const order = { ...body.order, completeBefore: completeBefore === null ? null : wireLocal(completeBefore) };
      const { data } = await call(connectionId, CREATE, { ...body, order }, options);
      return outcomeOf(data, body.order.id);
    } catch (error) {
      if (isErpFailure(error)) return outcomeOfFailure(error);
      throw error;
    }
  },
});

function outcomeOf({ correlationId, order }: { correlationId: string; order: ErpDelivery }, id: string): ErpCreation {
  if (order.id !== id.toLowerCase()) return { outcome: 'UNKNOWN', kind: 'INVALID_ANSWER', status: 200 };
  if (order.creation !== 'ERROR') return { outcome: 'TAKEN', correlationId, order };
  return outcomeOfCode(order.errorCode, 200, correlationId);
}

function outcomeOfCode(code: string | null, status: number | null, correlationId: string | null): ErpCreation {
  if (code === DUPLICATE) return { outcome: 'DUPLICATE' };
  if (code !== null && INCONCLUSIVE.has(code)) return { outcome: 'UNKNOWN', kind: 'CLIENT', status };
  return { outcome: 'REFUSED', code, status, correlationId };
}

function outcomeOfFailure(failure: ErpFailure): ErpCreation {
  const { kind, endpoint, unsent, retryable, retryAfterMs = null, status = null } = failure;
  // Without a token the order itself was not sent.
  if (unsent || endpoint !== CREATE.path || NOT_LOOKED_AT.has(kind)) {
    return { outcome: 'NOT_SENT', kind, retryable, retryAfterMs };
  }
  // Proxies between us and the ERP also answers 4xx: only a rejection with the ERP's own id
  // is one of the order.
  const isOfErp = kind === 'CLIENT' && failure.correlationId !== undefined;
  if (!isOfErp && failure.code !== DUPLICATE) return { outcome: 'UNKNOWN', kind, status };
  return outcomeOfCode(failure.code ?? null, status, failure.correlationId ?? null);
}
