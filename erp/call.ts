import type { Log } from '../platform/log.ts';
import { repeatingProgress } from '../platform/progress.ts';
import { readAnswer } from './answer.ts';
import { createBreaker } from './breaker.ts';
import { ErpFailure, isErpFailure } from './failure.ts';
import { maskText } from './masking.ts';
import { maskPersonal, type Personal } from './personal.ts';
import type {
  Circuits,
  ErpRequestEvent,
  ExchangeLog,
  HeldToken,
  Limiter,
  Priority,
  TokenRequest,
  TokenStore,
} from './ports.ts';
import type { Check, OddRow } from './schemas/check.ts';
import { createTransport, longestMs } from './transport.ts';

/** `bytes`: size of the answer. `odd`: omitted rows. */
export type ErpAnswer<T> = { data: T; bytes: number; odd: readonly OddRow[] };

/** An aborted call rejects with `signal.reason`, other failures with ErpFailure. */
export type CallOptions = {
  signal?: AbortSignal;
  /** A guest waits: the request has priority GUESTS and never probes an open circuit. */
  isHurried?: boolean;
  priority?: Priority;
  /**
   * The request is for some organizations of a connection, so a 403 does not concern the endpoint.
   */
  isPart?: boolean;
  /**
   * The request is a part of a rejected one, so a 5xx does not prove a fault of the service
   * (ERP-27).
   */
  isSplit?: boolean;
};

export type ErpTimeouts = { connectMs: number; readMs: number; menuReadMs: number };

export type ErpClientOptions = {
  baseUrl: string;
  tokens: TokenStore;
  circuits: Circuits;
  limiter: Limiter;
  log: Log;
  /** Defaults: connect 5 s, read 15 s, menu 120 s (ERP-5). */
  timeouts?: Partial<ErpTimeouts>;
  /** Defaults: the last 20 requests, open for 60 s (ERP-9). */
  breaker?: { size?: number; openMs?: number };
  onRequest?: (event: ErpRequestEvent) => void;
  onOddRows?: (event: { connectionId: number; endpoint: string; rows: number }) => void;
  exchangeLog?: ExchangeLog;
};

/**
 * `body`: `MAY_BE_EMPTY`, or `EXACT` for texts that are sent back and must not be cleaned for the
 * database.
 */
export type Endpoint<T> = {
  path: string;
  check: Check<T>;
  read?: 'menu';
  /** See ERP-24. REST by default. */
  priority?: Priority;
  personal?: Personal;
  body?: 'EXACT' | 'MAY_BE_EMPTY';
};

/** Calls with the connection's token, after a 401 again with a new token. */
export type Call = <T>(
  connectionId: number,
  endpoint: Endpoint<T>,
  body: object,
  options: CallOptions | undefined,
) => Promise<ErpAnswer<T>>;

/** A new group is one new file. */
export type EndpointGroup<Methods> = (call: Call) => Methods;

export type Caller = {
  call: Call;
  /** Obtains a token if needed. */
  token(connectionId: number, request: Omit<TokenRequest, 'obtain'>): Promise<HeldToken>;
  close(): Promise<void>;
};

type Exchange<T> = {
  connectionId: number;
  endpoint: Endpoint<T>;
  body: object;
  token: string | undefined;
  secrets: readonly string[];
  signal: AbortSignal | undefined;
  isHurried: boolean;
  isSplit?: boolean;
  priority?: Priority | undefined;
};

/** Time in which a call that waits for the limiter reports progress. */
const LIMITER_MS = 60_000;

const TIMEOUTS: ErpTimeouts = { connectMs: 5_000, readMs: 15_000, menuReadMs: 120_000 };

/**
 * Creates what all endpoints share, in this order: token, circuit, limiter, transport, log and
 * metrics.
 */
export function createCaller(
  options: ErpClientOptions,
  tokenEndpoint: Endpoint<{ token: string }>,
): Caller {
  const { limiter, log, tokens, exchangeLog } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const transport = createTransport(options.baseUrl, timeouts.connectMs);
  const { size = 20, openMs = 60_000 } = options.breaker ?? {};
  const throughBreaker = createBreaker({ circuits: options.circuits, log, size, openMs });
  const chooseReadMs = ({ read }: Pick<Endpoint<unknown>, 'read'>): number =>
    read === 'menu' ? timeouts.menuReadMs : timeouts.readMs;

  function note(event: ErpRequestEvent): void {
    log.debug(event, 'ERP request');
    options.onRequest?.(event);
  }

  /** Paths and faults contain no values of an answer (MIR-65). */
  function noteOdd(endpoint: string, connectionId: number, odd: readonly OddRow[]): void {
    if (odd.length === 0) return;
    const faults = odd
      .slice(0, 3)
      .map(({ place, fault }) => (place === '' ? fault : `${place}: ${fault}`));
    log.warn(
      { connectionId, endpoint, rows: odd.length, faults },
      'unreadable rows of an ERP answer are left out',
    );

    options.onOddRows?.({ connectionId, endpoint, rows: odd.length });
  }

  async function exchange<T>({
    connectionId,
    endpoint,
    ...rest
  }: Exchange<T>): Promise<ErpAnswer<T>> {
    const { secrets, signal, token } = rest;
    const request = JSON.stringify(rest.body);
    const readMs = chooseReadMs(endpoint);
    const startedAt = performance.now();
    let status: number | string = 'ABORTED';
    let answer: Buffer = Buffer.alloc(0);

    try {
      const raw = await transport
        .post({ path: endpoint.path, body: request, token, readMs, signal })
        .catch((error: unknown) => {
          if (isErpFailure(error)) status = error.kind;
          throw error;
        });

      status = raw.status;
      answer = raw.body;
      const read = readAnswer(endpoint, raw, secrets);
      noteOdd(endpoint.path, connectionId, read.odd);

      return { ...read, bytes: answer.length };
    } finally {
      const ms = Math.round(performance.now() - startedAt);
      const event = { connectionId, endpoint: endpoint.path, status, ms, bytes: answer.length };
      note(event);
      const written = (text: string): string =>
        maskText(
          endpoint.personal === undefined || text === ''
            ? text
            : maskPersonal(text, endpoint.personal),
          secrets,
        );

      await exchangeLog?.write({
        ...event,
        request: written(request),
        answer: written(answer.toString('utf8')),
      });
    }
  }

  /** Counts rejections by the breaker too. */
  async function guarded<T>(request: Exchange<T>): Promise<ErpAnswer<T>> {
    const { connectionId, endpoint, signal, isHurried, isSplit = false } = request;
    let passed = false;

    try {
      return await throughBreaker(
        {
          connectionId,
          endpoint: endpoint.path,
          longestMs: longestMs(timeouts.connectMs, chooseReadMs(endpoint)),
          isHurried,
          isSplit,
        },
        async () => {
          passed = true;
          const priority =
            request.priority ?? (isHurried ? 'GUESTS' : (endpoint.priority ?? 'REST'));
          await repeatingProgress(LIMITER_MS, () => limiter.acquire({ signal, priority }));
          return exchange(request);
        },
      );
    } catch (error) {
      if (!passed && isErpFailure(error)) {
        const status = error.kind === 'CIRCUIT_OPEN' ? 'CIRCUIT_OPEN' : 'HELD';
        note({ connectionId, endpoint: endpoint.path, status, ms: 0, bytes: 0 });
      }

      throw error;
    }
  }

  const token: Caller['token'] = (connectionId, request) =>
    tokens.token(connectionId, {
      ...request,
      obtain: async (apiLogin, signal) => {
        const body = { apiLogin };
        const secrets = [apiLogin];
        const answer = await guarded({
          connectionId,
          endpoint: tokenEndpoint,
          body,
          token: undefined,
          secrets,
          signal,
          isHurried: false,
        });

        return answer.data.token;
      },
    });

  /** Reports a 403 once. The endpoint is still called: a right may return without a new token. */
  async function withReport(
    connectionId: number,
    { path }: Pick<Endpoint<unknown>, 'path'>,
    { generation, refusals }: HeldToken,
    error: unknown,
  ): Promise<unknown> {
    const isKnown = refusals.some((refusal) => refusal.endpoint === path && refusal.status === 403);
    if (isErpFailure(error) && error.kind === 'FORBIDDEN' && !isKnown)
      await tokens.refused(connectionId, { endpoint: path, generation, status: 403 });
    return error;
  }

  const call: Call = async (connectionId, endpoint, body, callOptions) => {
    const {
      signal,
      isHurried = false,
      priority,
      isPart = false,
      isSplit = false,
    } = callOptions ?? {};

    const waiting = signal === undefined ? {} : { signal };
    const send = (heldToken: HeldToken) =>
      guarded({
        connectionId,
        endpoint,
        body,
        token: heldToken.token,
        secrets: [heldToken.token],
        signal,
        isHurried,
        isSplit,
        priority,
      });

    const firstToken = await token(connectionId, waiting);
    const refusedBefore = firstToken.refusals.find((refusal) => refusal.endpoint === endpoint.path);
    const answered = async (token: HeldToken) => {
      const answer = await send(token);
      if (refusedBefore !== undefined) await tokens.accepted(connectionId, endpoint.path);
      return answer;
    };

    try {
      return await answered(firstToken);
    } catch (error) {
      if (!isUnauthorized(error))
        throw isPart ? error : await withReport(connectionId, endpoint, firstToken, error);
      // This token was rejected when it was new, so another will not help: a right is missing or
      // the path is wrong.
      if (refusedBefore?.status === 401 && refusedBefore.generation === firstToken.generation)
        throw refusedForGood(endpoint.path);
    }

    const renewed = await token(connectionId, { ...waiting, rejected: firstToken.generation });

    try {
      return await answered(renewed);
    } catch (error) {
      if (!isUnauthorized(error))
        throw isPart ? error : await withReport(connectionId, endpoint, renewed, error);
      await tokens.refused(connectionId, {
        endpoint: endpoint.path,
        generation: renewed.generation,
        status: 401,
      });

      throw refusedForGood(endpoint.path);
    }
  };

  return {
    call,
    token,
    async close() {
      await transport.close();
      await exchangeLog?.close();
    },
  };
}

function isUnauthorized(error: unknown): boolean {
  return isErpFailure(error) && error.kind === 'UNAUTHORIZED';
}

function refusedForGood(endpoint: string): ErpFailure {
  const description = 'a fresh token was rejected; the account may lack this right';
  return new ErpFailure('CREDENTIALS_REFUSED', { endpoint, status: 401, description });
}
