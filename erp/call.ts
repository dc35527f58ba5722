import type { CallOptions, ErpAnswer, ErpClient, ErpClientOptions, ErpTimeouts } from './client.ts';
import { readAnswer } from './answer.ts';
import { createBreakers, type Breakers } from './breaker.ts';
import { isErpFailure } from './failure.ts';
import { maskText } from './masking.ts';
import type { HeldToken, TokenRequest } from './ports.ts';
import type { Check } from './schemas/check.ts';
import { createTransport } from './transport.ts';

/** One address of the ERP: what its answer must look like, and which read time-out it has. */
export type Endpoint<T> = { path: string; check: Check<T>; read?: 'menu' };

/** Calls an endpoint with the token of the connection; after a 401 once more with a new one. */
export type Call = <T>(
  connectionId: number,
  endpoint: Endpoint<T>,
  body: object,
  options: CallOptions | undefined,
) => Promise<ErpAnswer<T>>;

/** The methods of one endpoint group, made from the shared call. */
export type EndpointGroup<Methods extends keyof ErpClient> = (call: Call) => Pick<ErpClient, Methods>;

export type Caller = {
  call: Call;
  /** The connection's token, obtained when there is none that satisfies the request. */
  token(connectionId: number, request: Omit<TokenRequest, 'obtain'>): Promise<HeldToken>;
  breakers: Breakers;
  close(): Promise<void>;
};

type Exchange<T> = {
  connectionId: number;
  endpoint: Endpoint<T>;
  body: object;
  token: string | undefined;
  secrets: readonly string[];
  signal: AbortSignal | undefined;
};

const TIMEOUTS: ErpTimeouts = { connectMs: 5_000, readMs: 15_000, menuReadMs: 120_000 };

/** Everything the endpoints share: token, circuit, limiter, transport, log and metrics, in that order. */
export function createCaller(options: ErpClientOptions, tokenEndpoint: Endpoint<{ token: string }>): Caller {
  const { limiter, log, tokens, exchangeLog } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const transport = createTransport(options.baseUrl, timeouts.connectMs);
  const breakers = createBreakers({ size: options.breaker?.size ?? 20, openMs: options.breaker?.openMs ?? 60_000 });

  async function exchange<T>({ connectionId, endpoint, ...rest }: Exchange<T>): Promise<ErpAnswer<T>> {
    const { secrets, signal, token } = rest;
    const request = JSON.stringify(rest.body);
    const readMs = endpoint.read === 'menu' ? timeouts.menuReadMs : timeouts.readMs;
    const startedAt = performance.now();
    let status: number | string = 'ABORTED';
    let answer: Buffer = Buffer.alloc(0);
    try {
      const raw = await transport.post({ path: endpoint.path, body: request, token, readMs, signal });
      status = raw.status;
      answer = raw.body;
      return { data: readAnswer(endpoint.path, raw, endpoint.check, secrets), bytes: answer.length };
    } catch (error) {
      if (isErpFailure(error)) status = error.status ?? error.kind;
      throw error;
    } finally {
      const ms = Math.round(performance.now() - startedAt);
      const event = { connectionId, endpoint: endpoint.path, status, ms, bytes: answer.length };
      log.debug(event, 'ERP request');
      options.onRequest?.(event);
      await exchangeLog?.write({
        ...event,
        request: maskText(request, secrets),
        answer: maskText(answer.toString('utf8'), secrets),
      });
    }
  }

  const guarded = <T>(request: Exchange<T>): Promise<ErpAnswer<T>> =>
    breakers.run(request.connectionId, request.endpoint.path, async () => {
      await limiter.acquire(request.signal);
      return exchange(request);
    });

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
        });
        return answer.data.token;
      },
    });

  const call: Call = async (connectionId, endpoint, body, callOptions) => {
    const signal = callOptions?.signal;
    const waiting = signal === undefined ? {} : { signal };
    const send = (held: HeldToken) =>
      guarded({ connectionId, endpoint, body, token: held.token, secrets: [held.token], signal });
    const held = await token(connectionId, waiting);
    try {
      return await send(held);
    } catch (error) {
      if (!isErpFailure(error) || error.kind !== 'UNAUTHORIZED') throw error;
    }
    // Once only: a 401 may also mean a missing right, and no new token cures that.
    return send(await token(connectionId, { ...waiting, rejected: held.generation }));
  };

  return {
    call,
    token,
    breakers,
    async close() {
      await transport.close();
      await exchangeLog?.close();
    },
  };
}
