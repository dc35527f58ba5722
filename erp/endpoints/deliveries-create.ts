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

/** ERP-16. */
export type ErpCreation =
  /** Creation may be in progress. */
  | { outcome: 'TAKEN'; correlationId: string; order: ErpDelivery }
  /** An earlier call has created the order. Read it by its id. */
  | { outcome: 'DUPLICATE' }
  /** The ERP rejects this order. Do not retry. */
  | { outcome: 'REFUSED'; code: string | null; status: number | null; correlationId: string | null }
  /** The order was not processed. `retryable`: a later retry may succeed. */
  | { outcome: 'NOT_SENT'; kind: ErpFailureKind; retryable: boolean; retryAfterMs: number | null }
  /** The order may exist: send it again with the same id, or read it. */
  | { outcome: 'UNKNOWN'; kind: ErpFailureKind; status: number | null };

export type DeliveryCreateCalls = {
  createDelivery(
    connectionId: number,
    body: ErpOrderBody,
    options?: CallOptions,
  ): Promise<ErpCreation>;
};

/** Failures that occur before the ERP processes the order, or before a request is sent. */
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
/** Error codes that do not concern the order. */
const INCONCLUSIVE = new Set(['InternalServerError', 'UnknownError', 'EntityAlreadyInUse']);

/**
 * Idempotent by order id: a second call returns DUPLICATE. Repeated automatically only after a 401.
 * Failures of the ERP are outcomes. Rejects if the caller aborts or our database fails, and then
 * the order may exist.
 */
export const deliveryCreateCalls: EndpointGroup<DeliveryCreateCalls> = (call) => ({
  createDelivery: async (connectionId, body, options) => {
    try {
      const { completeBefore } = body.order;
      const order = {
        ...body.order,
        completeBefore: completeBefore === null ? null : wireLocal(completeBefore),
      };
      const { data } = await call(connectionId, CREATE, { ...body, order }, options);

      return toCreation(data, body.order.id);
    } catch (error) {
      if (isErpFailure(error)) return outcomeOfFailure(error);
      throw error;
    }
  },
});

function toCreation(
  { correlationId, order }: { correlationId: string; order: ErpDelivery },
  id: string,
): ErpCreation {
  if (order.id !== id.toLowerCase())
    return { outcome: 'UNKNOWN', kind: 'INVALID_ANSWER', status: 200 };
  if (order.creation !== 'ERROR') return { outcome: 'TAKEN', correlationId, order };
  return outcomeOfCode(order.errorCode, 200, correlationId);
}

function outcomeOfCode(
  code: string | null,
  status: number | null,
  correlationId: string | null,
): ErpCreation {
  if (code === DUPLICATE) return { outcome: 'DUPLICATE' };
  if (code !== null && INCONCLUSIVE.has(code))
    return { outcome: 'UNKNOWN', kind: 'CLIENT', status };
  return { outcome: 'REFUSED', code, status, correlationId };
}

function outcomeOfFailure(failure: ErpFailure): ErpCreation {
  const { kind, endpoint, unsent, retryable, retryAfterMs = null, status = null } = failure;
  // The token call failed, so the order was not sent.
  if (unsent || endpoint !== CREATE.path || NOT_LOOKED_AT.has(kind)) {
    return { outcome: 'NOT_SENT', kind, retryable, retryAfterMs };
  }
  // Proxies also send 4xx. Only a rejection with the ERP's own correlation id concerns the order.
  const isOfErp = kind === 'CLIENT' && failure.correlationId !== undefined;
  if (!isOfErp && failure.code !== DUPLICATE) return { outcome: 'UNKNOWN', kind, status };

  return outcomeOfCode(failure.code ?? null, status, failure.correlationId ?? null);
}
