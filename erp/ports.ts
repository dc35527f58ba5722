/** A token as the store hands it out; `generation` grows with every token obtained for the connection. */
export type HeldToken = { token: string; generation: number };

/** Asks the ERP for a new token with the credential the store has decrypted. */
export type ObtainToken = (apiLogin: string, signal: AbortSignal) => Promise<string>;

export type TokenRequest = {
  obtain: ObtainToken;
  /** Generation the ERP has refused with 401: never handed out again, but a newer one is. */
  rejected?: number;
  /** The token must stay valid at least this long, milliseconds; 0 when absent. */
  minimumLifeMs?: number;
  signal?: AbortSignal;
};

/**
 * Where tokens live. For one connection at most one `obtain` runs at a time over all processes; everybody else waits
 * for its result (spec 2, Authentication 3).
 */
export type TokenStore = { token(connectionId: number, request: TokenRequest): Promise<HeldToken> };

/** The limiter over all outgoing requests of all processes: resolves when one more request may be sent. */
export type Limiter = { acquire(signal?: AbortSignal): Promise<void> };

/** One request as it ended; `status` is the HTTP status or the kind of the failure when there was none. */
export type ErpRequestEvent = {
  connectionId: number;
  endpoint: string;
  status: number | string;
  ms: number;
  bytes: number;
};

/** Full requests and answers, with masked secrets; far too large for the general log. */
export type ExchangeLog = { write(entry: ExchangeEntry): Promise<void>; close(): Promise<void> };
export type ExchangeEntry = ErpRequestEvent & { request: string; answer: string };
