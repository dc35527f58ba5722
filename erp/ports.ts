/**
 * An endpoint that rejects the connection: 401 although the token was fresh, with the generation of
 * that token, or 403, a right that the account lacks.
 */
export type Refusal = { endpoint: string; generation: number; status: 401 | 403 };

/**
 * A token as the store hands it out; `generation` grows with every token obtained for the
 * connection.
 */
export type HeldToken = { token: string; generation: number; refusals: readonly Refusal[] };

/** Requests a new token from the ERP with the decrypted credential. */
export type ObtainToken = (apiLogin: string, signal: AbortSignal) => Promise<string>;

export type TokenRequest = {
  obtain: ObtainToken;
  /** Generation the ERP has rejected with 401: never handed out again, but a newer one is. */
  rejected?: number;
  /** The token must stay valid at least this long, milliseconds; 0 when absent. */
  minimumLifeMs?: number;
  signal?: AbortSignal;
};

/**
 * The storage of tokens. For one connection at most one `obtain` runs at a time over all processes;
 * other callers wait for its result (rule ERP-3). A connection that is disabled, or whose owner is
 * not active, gets no token, so no request is sent for it (rule CON-7); a credential that was
 * rejected is not tried again until it is replaced or has rested.
 */
export type TokenStore = {
  token(connectionId: number, request: TokenRequest): Promise<HeldToken>;
  /**
   * Records, for all processes, that this endpoint rejects the connection; administrators are
   * notified.
   */
  refused(connectionId: number, refusal: Refusal): Promise<void>;
  /** Deletes the record: the endpoint has answered. */
  accepted(connectionId: number, endpoint: string): Promise<void>;
};

/**
 * Priority classes of requests, most urgent first (rule ERP-24). The value is the part of each
 * second's budget that the class can use while the more urgent classes may still need the rest.
 */
export const PRIORITY_SHARES = {
  /** Orders and tokens. */
  ORDERS: 1,
  /** Requests of guests: their cards, and the points of their deliveries. */
  GUESTS: 0.7,
  /** Changes that the ERP announces: stop-lists and changed orders. */
  CHANGES: 0.6,
  /** Everything else. */
  REST: 0.5,
} as const;

export type Priority = keyof typeof PRIORITY_SHARES;

/**
 * The limiter over all outgoing requests of all processes: resolves when one more request may be
 * sent. The default priority is REST.
 */
export type Limiter = {
  acquire(options?: { signal?: AbortSignal | undefined; priority?: Priority }): Promise<void>;
};

/**
 * Groups of endpoints that share a circuit, by the beginnings of their paths; the first match
 * counts (rule ERP-26).
 */
export const ENDPOINT_GROUPS = {
  TOKENS: ['/api/v2/access_token'],
  /** Orders, and the choices that a new one names. */
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
  ENDPOINT_GROUP_NAMES.find((name) => ENDPOINT_GROUPS[name].some((path) => endpoint.startsWith(path)))!;

/** One circuit: a group of endpoints of a connection. */
export type CircuitKey = { connectionId: number; group: EndpointGroupName };

/**
 * The permission of a request to go out: freely, as the one that tries an open circuit, or not
 * before this number of milliseconds has passed.
 */
export type Passage = { state: 'FREE' | 'PROBE' } | { state: 'OPEN' | 'HELD'; leftMs: number };

/**
 * A request before it is sent: it has ended after `longestMs` in any case. A hurried one is never
 * the PROBE: its caller may give up before the answer.
 */
export type EnteringRequest = { connectionId: number; endpoint: string; longestMs: number; isHurried?: boolean };

/**
 * The circuits of all connections and the pauses requested by `Retry-After` of the ERP, shared by
 * all processes. Per circuit at most one PROBE at a time is handed out; it is free again when the
 * request must have ended.
 */
export type Circuits = {
  enter(request: EnteringRequest): Promise<Passage>;
  open(circuit: CircuitKey, openMs: number): Promise<void>;
  close(circuit: CircuitKey): Promise<void>;
  /** Blocks one endpoint of a connection for all processes for this time. */
  hold(connectionId: number, endpoint: string, ms: number): Promise<void>;
};

/**
 * The result of one request. `status` is the HTTP status of a complete answer, else TIMEOUT,
 * CONNECT or INVALID_ANSWER (too large), ABORTED when the caller gave up, CIRCUIT_OPEN or HELD when
 * no request was made.
 */
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
