/** 401: this generation's token was rejected when new. 403: the account lacks a right. */
export type Refusal = { endpoint: string; generation: number; status: 401 | 403 };

/** `generation` increments with every new token of the connection. */
export type HeldToken = { token: string; generation: number; refusals: readonly Refusal[] };

export type ObtainToken = (apiLogin: string, signal: AbortSignal) => Promise<string>;

export type TokenRequest = {
  obtain: ObtainToken;
  /** Rejected with 401: only a newer generation is returned. */
  rejected?: number;
  /** In ms, default 0. */
  minimumLifeMs?: number;
  signal?: AbortSignal;
};

/**
 * One `obtain` runs per connection over all processes (ERP-3). A disabled connection or inactive
 * owner gets no token (CON-7). A rejected credential is retried only after it is replaced or has
 * rested.
 */
export type TokenStore = {
  token(connectionId: number, request: TokenRequest): Promise<HeldToken>;
  /** Records the rejection for all processes, and notifies administrators. */
  refused(connectionId: number, refusal: Refusal): Promise<void>;
  /** Deletes the record after an answer of the endpoint. */
  accepted(connectionId: number, endpoint: string): Promise<void>;
};

/**
 * Most urgent first (ERP-24), with the share of each second's budget that a class may use while
 * more urgent classes may need the rest.
 */
export const PRIORITY_SHARES = {
  ORDERS: 1,
  /** Requests of guests: cards, and delivery locations. */
  GUESTS: 0.7,
  /** Changes that the ERP announces: stop-lists and orders. */
  CHANGES: 0.6,
  REST: 0.5,
} as const;

export type Priority = keyof typeof PRIORITY_SHARES;

/** Limits requests of all processes: resolves when one more may be sent. Default priority REST. */
export type Limiter = {
  acquire(options?: { signal?: AbortSignal | undefined; priority?: Priority }): Promise<void>;
};

/** Groups share a circuit. By path prefix; the first match counts (ERP-26). */
export const ENDPOINT_GROUPS = {
  TOKENS: ['/api/v2/access_token'],
  /** Orders, and what a new order refers to. */
  ORDERS: ['/api/1/deliveries/', '/api/1/payment_types', '/api/1/discounts'],
  LOYALTY: ['/api/1/loyalty/'],
  ADDRESSES: ['/api/1/cities', '/api/1/streets/', '/api/1/delivery_restrictions'],
  /** Everything else that imports read. */
  MENUS: [''],
} as const satisfies Record<string, readonly string[]>;

export type EndpointGroupName = keyof typeof ENDPOINT_GROUPS;
export const ENDPOINT_GROUP_NAMES = Object.keys(ENDPOINT_GROUPS) as EndpointGroupName[];

export const groupOfEndpoint = (endpoint: string): EndpointGroupName =>
  ENDPOINT_GROUP_NAMES.find((name) =>
    ENDPOINT_GROUPS[name].some((path) => endpoint.startsWith(path)),
  )!;

export type CircuitKey = { connectionId: number; group: EndpointGroupName };

/** PROBE: this request tests an open circuit. `leftMs`: remaining time. */
export type Passage = { state: 'FREE' | 'PROBE' } | { state: 'OPEN' | 'HELD'; leftMs: number };

/**
 * `longestMs`: time limit of the request. A hurried request is never the PROBE, because its
 * caller may give up.
 */
export type EnteringRequest = {
  connectionId: number;
  endpoint: string;
  longestMs: number;
  isHurried?: boolean;
};

/**
 * Shared by all processes. Each circuit has one PROBE at a time, until its request must have
 * ended.
 */
export type Circuits = {
  enter(request: EnteringRequest): Promise<Passage>;
  open(circuit: CircuitKey, openMs: number): Promise<void>;
  close(circuit: CircuitKey): Promise<void>;
  /** For all processes. */
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

/** Complete exchanges with masked secrets, too large for the general log. */
export type ExchangeLog = { write(entry: ExchangeEntry): Promise<void>; close(): Promise<void> };
export type ExchangeEntry = ErpRequestEvent & { request: string; answer: string };
