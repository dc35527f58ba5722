import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { retryAfterMs } from './pure/retry-after.ts';
import { isPublicAddress, namesPrivateHost } from './public-address.ts';

export type WebhookRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
};

/** `error` explains a missing status. `retryAfterMs`: requested by the receiver. */
export type WebhookResult = {
  status: number | null;
  error: WebhookFailure | null;
  durationMs: number;
  retryAfterMs?: number | undefined;
};

export type WebhookFailure = 'TIMEOUT' | 'ADDRESS_REFUSED' | 'CONNECTION_FAILED' | 'CANCELLED';

/** Never rejects. */
export type WebhookSender = (sent: WebhookRequest, signal?: AbortSignal) => Promise<WebhookResult>;

export const WEBHOOK_LIMIT_MS = 10_000;
/** Answers are read up to this size, so that the connection can be reused. */
const ANSWER_BYTES = 16 * 1024;
/** Our longest pause. */
const LONGEST_PAUSE_MS = 12 * 3_600_000;

class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * Creates a sender (EVT-13). Unless `allowsPrivate`, rejects names with an address that is not
 * public, resolved once per connection. Does not follow redirects.
 */
export function createWebhookSender({
  allowsPrivate,
  limitMs = WEBHOOK_LIMIT_MS,
}: {
  allowsPrivate: boolean;
  limitMs?: number;
}): WebhookSender {
  const agent = new Agent({
    connect: { timeout: limitMs, ...(allowsPrivate ? {} : { lookup: publicLookup }) },
    headersTimeout: limitMs,
    bodyTimeout: limitMs,
    maxHeaderSize: ANSWER_BYTES,
  });

  return async ({ url, headers, body }, signal) => {
    const began = performance.now();
    const limit = AbortSignal.timeout(limitMs);
    const ended = (status: number | null, error: WebhookFailure | null): WebhookResult => ({
      status,
      error,
      durationMs: Math.round(performance.now() - began),
    });

    try {
      if (!allowsPrivate && namesPrivateHost(new URL(url))) throw new AddressRefused();
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Carte-Webhooks', ...headers },
        body,
        dispatcher: agent,
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });

      // A long or broken answer only costs the connection.
      await answer.body.dump({ limit: ANSWER_BYTES }).catch(() => answer.body.destroy());
      const field = answer.headers['retry-after'];
      const pauseMs = retryAfterMs(
        Array.isArray(field) ? field[0] : field,
        Date.now(),
        LONGEST_PAUSE_MS,
      );

      return {
        ...ended(answer.statusCode, null),
        ...(pauseMs === undefined ? {} : { retryAfterMs: pauseMs }),
      };
    } catch (error) {
      if (signal?.aborted === true) return ended(null, 'CANCELLED');
      return ended(null, classifyFailure(error, limit.aborted));
    }
  };
}

const publicLookup: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new AddressRefused(), []);
    if (options.all === true) return callback(null, addresses);
    callback(null, addresses[0]!.address, addresses[0]!.family);
  });

function classifyFailure(error: unknown, isLate: boolean): WebhookFailure {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  if (code === 'ADDRESS_REFUSED' || cause?.code === 'ADDRESS_REFUSED') return 'ADDRESS_REFUSED';
  return isLate || /TIMEOUT/.test(String(code)) ? 'TIMEOUT' : 'CONNECTION_FAILED';
}
