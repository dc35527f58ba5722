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
  | 'CREDENTIALS_REFUSED'
  /** No request was sent. */
  | 'DISABLED'
  | 'OWNER_INACTIVE'
  | 'NO_CONNECTION';

export type ErpFailureDetails = {
  endpoint: string;
  status?: number | undefined;
  /** The ERP's machine code, such as TOO_MANY_REQUESTS. */
  code?: string | undefined;
  /** Delay that the ERP or the open circuit requires, ms. */
  retryAfterMs?: number | undefined;
  correlationId?: string | undefined;
  /** A short masked sentence. */
  description?: string | undefined;
  unsent?: boolean | undefined;
};

const RETRYABLE: ReadonlySet<ErpFailureKind> = new Set([
  'TIMEOUT',
  'CONNECT',
  'SERVER',
  'RATE_LIMITED',
  // Opens only on retryable failures, and returns the time to wait.
  'CIRCUIT_OPEN',
]);

/**
 * Contains no token, apiLogin, answer body or `cause`: messages of parser and transport may quote
 * the request. Identify it with `isErpFailure`.
 */
export class ErpFailure extends Error {
  readonly kind: ErpFailureKind;
  readonly endpoint: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly correlationId: string | undefined;
  /** True for 5xx, 429, 408, time-outs, connection errors and an open circuit. */
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

/** Works across realms. */
export function isErpFailure(error: unknown): error is ErpFailure {
  return (error as { name?: unknown } | null | undefined)?.name === 'ErpFailure';
}

/** Returns true if the answer would be too large: request less. */
export function isTooMuchData(error: unknown): error is ErpFailure {
  return isErpFailure(error) && error.code === 'TOO_MANY_DATA_REQUESTED';
}
