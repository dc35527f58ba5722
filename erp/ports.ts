/**
 * An endpoint that rejects the connection: 401 with a new token (of that generation), or 403, a
 * right that the account lacks.
 */
export type Refusal = { endpoint: string; generation: number; status: 401 | 403 };

/** `generation` increments with every new token of the connection. */
export type HeldToken = { token: string; generation: number; refusals: readonly Refusal[] };

export type ObtainToken = (apiLogin: string, signal: AbortSignal) => Promise<string>;

export type TokenRequest = {
  obtain: ObtainToken;
  /** Generation that the ERP rejected with 401: only a newer one is returned. */
  rejected?: number;
  /** Minimum remaining validity, ms, default 0. */
  minimumLifeMs?: number;
  signal?: AbortSignal;
};

/**
 * Stores tokens. One `obtain` runs per connection over all processes, others wait for it (ERP-3). A
 * disabled connection or inactive owner gets no token, so nothing is sent (CON-7). A rejected
 * credential is not retried until it is replaced or has rested.
 */
export type TokenStore = {
  token(connectionId: number, request: TokenRequest): Promise<HeldToken>;
  /**
   * Records for all processes that this endpoint rejects the connection, and notifies
   * administrators.
   */
  refused(connectionId: number, refusal: Refusal): Promise<void>;
  /** Deletes the record after an answer of the endpoint. */
  accepted(connectionId: number, endpoint: string): Promise<void>;
};

/**
 * Priority classes, most urgent first (ERP-24), with the share of each second's budget that a class
 * may use while more urgent classes may need the rest.
 */
export const PRIORITY_SHARES = {
  /** Orders and tokens. */
  ORDERS: 1,
  /** Requests of guests: cards, and delivery locations. */
  GUESTS: 0.7,
  /** Changes that the ERP announces: stop-lists and orders. */
  CHANGES: 0.6,
  REST: 0.5,
} as const;

export type Priority = keyof typeof PRIORITY_SHARES;

/**
 * Limits outgoing requests of all processes: resolves when one more may be sent. Default priority
 * REST.
 */
export type Limiter = {
  acquire(options?: { signal?: AbortSignal | undefined; priority?: Priority }): Promise<void>;
};

/** Endpoint groups with a shared circuit, by path prefix; the first match counts (ERP-26). */
export const ENDPOINT_GROUPS = {
  TOKENS: ['/api/v2/access_token'],
  /** Orders, and what a new one refers to. */
  ORDERS: ['/api/1/deliveries/', '/api/1/payment_types', '/api/1/discounts'],
  LOYALTY: ['/api/1/loyalty/'],
  ADDRESSES: ['/api/1/cities', '/api/1/streets/', '/api/1/delivery_restrictions'],
  /** Menus and everything else that imports read. */
  MENUS: [''],
} as const satisfies Record<string, readonly string[]>;

export type EndpointGroupName = keyof typeof ENDPOINT_GROUPS;
export const ENDPOINT_GROUP_NAMES = Object.keys(ENDPOINT_GROUPS) as EndpointGroupName[];

/** Returns the group of an endpoint. */
export const groupOfEndpoint = (endpoint: string): EndpointGroupName =>
  ENDPOINT_GROUP_NAMES.find((name) =>
    ENDPOINT_GROUPS[name].some((path) => endpoint.startsWith(path)),
  )!;

export type CircuitKey = { connectionId: number; group: EndpointGroupName };

/** FREE, or PROBE for the request that tests an open circuit; otherwise the remaining time. */
export type Passage = { state: 'FREE' | 'PROBE' } | { state: 'OPEN' | 'HELD'; leftMs: number };

/**
 * `longestMs`: time limit of the request. A hurried one is never the PROBE, because its caller may
 * give up before the answer.
 */
export type EnteringRequest = {
  connectionId: number;
  endpoint: string;
  longestMs: number;
  isHurried?: boolean;
};

/**
 * Circuits and `Retry-After` pauses, shared by all processes. Each circuit has one PROBE at a time,
 * until its request must have ended.
 */
export type Circuits = {
  enter(request: EnteringRequest): Promise<Passage>;
  open(circuit: CircuitKey, openMs: number): Promise<void>;
  close(circuit: CircuitKey): Promise<void>;
  /** Blocks one endpoint of a connection for all processes. */
  hold(connectionId: number, endpoint: string, ms: number): Promise<void>;
};

/**
 * `status`: HTTP status of a complete answer, or TIMEOUT, CONNECT, INVALID_ANSWER (too large),
 * ABORTED, or, without a request, CIRCUIT_OPEN or HELD.
 */
export type ErpRequestEvent = {
  connectionId: number;
  endpoint: string;
  status: number | string;
  ms: number;
  bytes: number;
};

/** Complete requests and answers with masked secrets, too large for the general log. */
export type ExchangeLog = { write(entry: ExchangeEntry): Promise<void>; close(): Promise<void> };
export type ExchangeEntry = ErpRequestEvent & { request: string; answer: string };
