import { stringList } from './wire.ts';
import type { Body } from './wire.ts';

type Call = {
  readonly sequence: number;
  readonly time: string;
  readonly endpoint: string;
  readonly account: string | null;
  /** Without secrets. */
  readonly request: Body;
  readonly organizationIds: readonly string[];
  /** Open calls of this endpoint, including this one. */
  readonly inFlight: number;
  /** Null while the call is open, 499 if the client disconnected first. */
  readonly status: number | null;
  readonly durationMs: number | null;
  readonly fault: string | null;
  readonly responseBytes: number | null;
};

type CallOutcome = Pick<Call, 'status' | 'account' | 'fault' | 'responseBytes'>;

export type CallLog = {
  /** Opens a call. `close` may be called a second time if a client has disconnected. */
  open(endpoint: string): {
    describe(body: Body): void;
    close(outcome: Partial<CallOutcome>): void;
  };
  /** Oldest first. */
  list(filter: { endpoint?: string; since?: number }): Call[];
};

const KEPT = 5000;
const SECRETS = new Set(['apiLogin', 'apiKey', 'clientSecret', 'authToken', 'token']);

function withoutSecrets(body: Body): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, SECRETS.has(name) ? '***' : value]),
  );
}

function listOrganizations(body: Body): string[] {
  const one = typeof body.organizationId === 'string' ? [body.organizationId] : [];
  return stringList(body.organizationIds) ?? one;
}

/** Keeps the last 5,000 calls. */
export function createCallLog(): CallLog {
  const calls: Call[] = [];
  const open = new Map<string, number>();
  let sequence = 0;

  return {
    open(endpoint) {
      const startedAt = performance.now();
      const inFlight = (open.get(endpoint) ?? 0) + 1;
      open.set(endpoint, inFlight);
      let isOpen = true;
      sequence += 1;
      const own = sequence;
      calls.push({
        sequence,
        time: new Date().toISOString(),
        endpoint,
        account: null,
        request: {},
        organizationIds: [],
        inFlight,
        status: null,
        durationMs: null,
        fault: null,
        responseBytes: null,
      });

      if (calls.length > KEPT) calls.shift();

      const update = (change: Partial<Call>): void => {
        const index = calls.findLastIndex((call) => call.sequence === own);
        const call = calls[index];
        if (call) calls[index] = { ...call, ...change };
      };

      return {
        describe: (body) =>
          update({ request: withoutSecrets(body), organizationIds: listOrganizations(body) }),
        close: (outcome) => {
          if (isOpen) open.set(endpoint, (open.get(endpoint) ?? 1) - 1);
          isOpen = false;
          update({ ...outcome, durationMs: Math.round(performance.now() - startedAt) });
        },
      };
    },
    list: ({ endpoint, since = 0 }) =>
      calls.filter(
        (call) => call.sequence > since && (endpoint === undefined || call.endpoint === endpoint),
      ),
  };
}
