import { Pool } from 'undici';
import { repeatingProgress, reportProgress } from '../platform/progress.ts';
import { inSpan } from '../platform/tracing.ts';
import type { OpenSpan, SpanAbout } from '../platform/tracer.ts';
import { ErpFailure, type ErpFailureKind } from './failure.ts';

export type RawAnswer = {
  status: number;
  contentType: string;
  retryAfter: string | undefined;
  body: Buffer;
};

export type RawRequest = {
  path: string;
  body: string;
  token: string | undefined;
  readMs: number;
  signal: AbortSignal | undefined;
};

export type Transport = { post(request: RawRequest): Promise<RawAnswer>; close(): Promise<void> };

/** Connections per process. Further calls wait. */
const CONNECTIONS = 32;
/** A menu is about 5 MB. Larger answers would exhaust the process. */
const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024;

/** Kinds by error code. Others mean that the connection failed. */
const KINDS: Readonly<Record<string, ErpFailureKind>> = {
  UND_ERR_CONNECT_TIMEOUT: 'TIMEOUT',
  UND_ERR_HEADERS_TIMEOUT: 'TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'TIMEOUT',
  ETIMEDOUT: 'TIMEOUT',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'INVALID_ANSWER',
};

/** Errors before a request is sent. Others may also end a running exchange. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * `connectMs` limits connecting, `readMs` the wait for headers and for each chunk, and three times
 * `readMs` the whole request. Rejects with an ErpFailure or the reason of the caller's signal. Does
 * not follow redirects or send traces.
 */
export function createTransport(baseUrl: string, connectMs: number): Transport {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const pool = new Pool(base.origin, {
    connections: CONNECTIONS,
    connect: { timeout: connectMs },
    maxResponseSize: LARGEST_ANSWER_BYTES,
  });

  const post = async (
    { path, body, token, readMs, signal }: RawRequest,
    span: OpenSpan | null,
  ): Promise<RawAnswer> => {
    const whole = AbortSignal.timeout(longestMs(connectMs, readMs));
    let status: number | undefined;

    try {
      const response = await repeatingProgress(longestMs(connectMs, readMs), () =>
        pool.request({
          method: 'POST',
          path: prefix + path,
          body,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          headersTimeout: readMs,
          bodyTimeout: readMs,
          signal: signal === undefined ? whole : AbortSignal.any([signal, whole]),
        }),
      );

      status = response.statusCode;
      span?.set({ 'http.response.status_code': status });

      return {
        status,
        contentType: pickFirst(response.headers['content-type']) ?? '',
        retryAfter: pickFirst(response.headers['retry-after']),
        body: await receive(response.body),
      };
    } catch (error) {
      signal?.throwIfAborted();
      const code = findCode(error);
      const kind = whole.aborted ? 'TIMEOUT' : (KINDS[code] ?? 'CONNECT');
      const description = whole.aborted ? 'took too long' : code;
      throw new ErpFailure(kind, { endpoint: path, status, description, unsent: UNSENT.has(code) });
    }
  };

  const about = (path: string): SpanAbout => ({
    name: `POST ${path}`,
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'url.template': path,
      'server.address': base.hostname,
      'server.port': Number(base.port) || (base.protocol === 'https:' ? 443 : 80),
    },
  });

  return {
    post: (request) =>
      inSpan(
        () => about(request.path),
        (span) => post(request, span),
      ),
    close: () => pool.destroy(),
  };
}

/** Each chunk counts as progress. */
async function receive(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;

  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    reportProgress({ bytes });
  }

  return Buffer.concat(pieces, bytes);
}

export function longestMs(connectMs: number, readMs: number): number {
  return connectMs + 3 * readMs;
}

function pickFirst(field: string | string[] | undefined): string | undefined {
  return Array.isArray(field) ? field[0] : field;
}

type Coded = { code?: unknown; cause?: unknown } | null | undefined;

/** Returns the code of the error or its causes. Messages may quote the request. */
function findCode(error: unknown): string {
  for (
    let entry = error as Coded;
    entry !== null && typeof entry === 'object';
    entry = entry.cause as Coded
  ) {
    if (typeof entry.code === 'string') return entry.code;
  }

  return 'connection failed';
}
