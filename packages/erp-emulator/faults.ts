import { failure, loyaltyFailure, revisionTooOld, toBytes } from './wire.ts';
import type { Answer } from './wire.ts';

const ANSWER_KINDS = [
  '400-loyalty',
  '401-once',
  '403',
  '408',
  '429',
  '500',
  '502-html',
  'truncated-json',
  'slow',
  'no-answer',
  'stalled',
] as const;

const ORDER_KINDS = ['order-error', 'order-error-later', 'order-stuck'] as const;
export const FAULT_KINDS = [...ANSWER_KINDS, ...ORDER_KINDS, 'revision-too-old'] as const;
type FaultKind = (typeof FAULT_KINDS)[number];

export type Fault = {
  readonly kind: FaultKind;
  /** By default, all endpoints except the access token. */
  readonly endpoint?: string;
  readonly times: number;
  /** Seconds for the `Retry-After` header of a 429. */
  readonly retryAfter?: number;
  /**
   * Delay of a slow answer in ms. If the answer is missing or stalls, the time until the connection
   * is cut, by default never.
   */
  readonly delayMs?: number;
  /** Error code of an order, or of a rejected loyalty call. */
  readonly code?: string;
};

/** Planned faults. If several match, the oldest is used first. */
export type Faults = {
  add(fault: Fault): void;
  /** Removes all faults, or those of the endpoint, and releases delayed answers. */
  clear(endpoint?: string): void;
  /** Resolves immediately; for a slow answer after its delay or at {@link clear}. */
  delay(fault: Fault | undefined): Promise<void>;
  /** Uses one occurrence of the next fault of this endpoint. */
  take(endpoint: string): Fault | undefined;
  list(): readonly Fault[];
};

const SLOW_MS = 5000;

export const TOKEN_ENDPOINT = '/api/v2/access_token';
export const CREATE_ENDPOINT = '/api/1/deliveries/create';
export const REVISION_ENDPOINT = '/api/1/deliveries/by_revision';

/** Faults that exist only for one endpoint. */
const HOMES: Readonly<Partial<Record<FaultKind, string>>> = {
  ...Object.fromEntries(ORDER_KINDS.map((kind) => [kind, CREATE_ENDPOINT])),
  'revision-too-old': REVISION_ENDPOINT,
};

export function createFaults(): Faults {
  let planned: Fault[] = [];
  const waiting = new Set<{ fault: Fault; goOn: () => void }>();
  const fits = (fault: Fault, endpoint: string): boolean => {
    const home = HOMES[fault.kind] ?? fault.endpoint;
    return home === undefined ? endpoint !== TOKEN_ENDPOINT : home === endpoint;
  };

  return {
    add(fault) {
      planned = [...planned, fault];
    },
    clear(endpoint) {
      const isMeant = (fault: Fault): boolean =>
        endpoint === undefined || fault.endpoint === endpoint;
      planned = planned.filter((fault) => !isMeant(fault));
      for (const { fault, goOn } of waiting) if (isMeant(fault)) goOn();
    },
    async delay(fault) {
      if (fault?.kind !== 'slow') return;
      const { promise, resolve: goOn } = Promise.withResolvers<void>();
      const wait = { fault, goOn };
      waiting.add(wait);
      const timer = setTimeout(goOn, fault.delayMs ?? SLOW_MS).unref();
      await promise;
      clearTimeout(timer);
      waiting.delete(wait);
    },
    take(endpoint) {
      const index = planned.findIndex((fault) => fits(fault, endpoint));
      const fault = planned[index];
      if (!fault) return undefined;
      planned =
        fault.times > 1
          ? planned.with(index, { ...fault, times: fault.times - 1 })
          : planned.toSpliced(index, 1);

      return fault;
    },
    list: () => planned,
  };
}

const HTML =
  '<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n';

/** Answers that replace the endpoint's own. Other faults modify the endpoint's answer. */
const INSTEAD: Readonly<Partial<Record<FaultKind, (fault: Fault) => Answer>>> = {
  '400-loyalty': ({ code }) =>
    loyaltyFailure(code ?? 'Transport_Refused', null, 'The call is refused.'),
  '401-once': () => failure(401, 'Login is not authorized.'),
  '403': () => failure(403, 'The login has no right for this operation.'),
  '429': ({ retryAfter }) => ({
    ...failure(429, 'Too many requests within the allowed period.', 'TOO_MANY_REQUESTS'),
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
  }),
  '408': () => failure(408, 'The terminal did not answer in time.', 'EXTERNAL_SYSTEM_TIMEOUT'),
  'revision-too-old': revisionTooOld,
  '500': () => failure(500, 'Unexpected error.'),
  '502-html': () => ({
    status: 502,
    body: Buffer.from(HTML),
    headers: { 'content-type': 'text/html' },
  }),
};

/** Calls `answer` only if the fault needs it. */
export function applyFault(fault: Fault | undefined, answer: () => Answer): Answer {
  const instead = fault === undefined ? undefined : INSTEAD[fault.kind];
  if (fault !== undefined && instead !== undefined) return instead(fault);
  const whole = answer();
  if (fault?.kind !== 'truncated-json') return whole;
  const bytes = toBytes(whole);

  return { ...whole, body: bytes.subarray(0, Math.floor(bytes.length / 2)) };
}
