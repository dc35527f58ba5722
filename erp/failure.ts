/** The kind of a failed call to the ERP. */
export type ErpFailureKind =
  | 'TIMEOUT'
  | 'CONNECT'
  | 'SERVER'
  | 'RATE_LIMITED'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'CLIENT'
  | 'GONE'
  | 'INVALID_ANSWER'
  | 'NOT_JSON'
  | 'CIRCUIT_OPEN'
  /**
   * The ERP rejects the apiLogin, or a token that is fresh: nothing but a change of the account or
   * the credential helps.
   */
  | 'CREDENTIALS_REFUSED'
  /** The connection may not be used now; no request was made. */
  | 'DISABLED'
  | 'OWNER_INACTIVE'
  | 'NO_CONNECTION';

export type ErpFailureDetails = {
  endpoint: string;
  status?: number | undefined;
  /** The ERP's machine code, for example TOO_MANY_REQUESTS. */
  code?: string | undefined;
  /** Delay in ms that the ERP or the open circuit requires. */
  retryAfterMs?: number | undefined;
  correlationId?: string | undefined;
  /** A short masked sentence. */
  description?: string | undefined;
  /**
   * True when it is certain that the request has not left: there was no connection to send it over.
   */
  unsent?: boolean | undefined;
};

const RETRYABLE: ReadonlySet<ErpFailureKind> = new Set([
  'TIMEOUT',
  'CONNECT',
  'SERVER',
  'RATE_LIMITED',
  // The circuit opens only on failures of this list, and returns the time to wait.
  'CIRCUIT_OPEN',
]);

/**
 * The one error of the ERP client. It never carries a token, an apiLogin or an answer body, and has
 * no `cause`: messages of the parser and the transport may quote the request. Recognise it with
 * `isErpFailure`.
 */
export class ErpFailure extends Error {
  readonly kind: ErpFailureKind;
  readonly endpoint: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly correlationId: string | undefined;
  /**
   * True for 5xx, 429, 408, time-outs, connection errors and an open circuit; everything else
   * repeats its answer.
   */
  readonly retryable: boolean;
  readonly unsent: boolean;

  constructor(kind: ErpFailureKind, details: ErpFailureDetails) {
    const status = details.status === undefined ? '' : ` ${details.status}`;
    const description = details.description === undefined ? '' : `: ${details.description}`;
    super(`ERP ${details.endpoint} ${kind}${status}${description}`);
    this.name = 'ErpFailure';
    this.kind = kind;
    this.endpoint = details.endpoint;
    this.status = details.status;
    this.code = details.code;
    this.retryAfterMs = details.retryAfterMs;
    this.correlationId = details.correlationId;
    this.retryable = RETRYABLE.has(kind);
    this.unsent = details.unsent ?? false;
  }
}

/** True when `error` is an ErpFailure of any realm. */
export function isErpFailure(error: unknown): error is ErpFailure {
  return (error as { name?: unknown } | null | undefined)?.name === 'ErpFailure';
}

/**
 * True when the ERP rejects a request because its answer would be too large: it is repeated for
 * less.
 */
export function isTooMuchData(error: unknown): error is ErpFailure {
  return isErpFailure(error) && error.code === 'TOO_MANY_DATA_REQUESTED';
}
