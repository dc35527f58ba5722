import { randomUUID } from 'node:crypto';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { KeyCheck } from './caller.ts';
import { Problem } from '../../kernel/problem.ts';
import { PROBLEMS } from '../../kernel/pure/problems.ts';
import { PROBLEM_TYPE, problemText } from './problems/problem-body.ts';

/** Returns false if it does not serve the request. */
export type HotPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Includes the request line. */
const MAX_HEADER_BYTES = 16_384;

/** A client without traffic for this time counts as disconnected. */
const IDLE_MS = 60_000;
/** Longer requests get a timer. */
const SWEEP_MS = 1_000;
/** Excludes event streams. The gateway opens a few hundred connections; more are an attack. */
const MOST_CONNECTIONS = 10_000;

/**
 * Limits each request to two minutes (10 MB over 1 Mbit/s take 84 s), its headers to 15 s, and
 * silence within a request to `idleMs` (rule HTTP-21). Idle connections live longer than the 60 s
 * that load balancers usually keep them, so that a load balancer never uses a closed one.
 */
export function createHttpServer<State>(options: {
  hot: HotPath;
  app: Koa<State>;
  checkKey?: KeyCheck;
  idleMs?: number;
  streams?: number;
}): Server {
  const koa = options.app.callback();
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, optimizeEmptyRequests: true },
    (request, response) => {
      if (!takePath(request)) refuseTarget(response);
      else {
        const checking = options.checkKey?.(request) ?? null;
        if (checking === null) answer(request, response);
        else
          void checking.then(
            (isValid) => void (isValid ? answer(request, response) : koa(request, response)),
          );
      }
    },
  );

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (!options.hot(request, response)) void koa(request, response);
  };
  server.on('clientError', refuseUnparsed);
  server.requestTimeout = 120_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000;
  server.maxConnections = MOST_CONNECTIONS + (options.streams ?? 0);
  endIdleRequests(server, options.idleMs ?? IDLE_MS);

  return server;
}

/** Node's `server.timeout` sets a timer for each request, 2 % of the cost of a menu. */
function endIdleRequests(server: Server, idleMs: number): void {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  const sweep = setInterval(
    () => {
      // Keep-alive sets a time-out between requests. During a response there is none.
      for (const socket of connections) if ((socket.timeout ?? 0) === 0) socket.setTimeout(idleMs);
    },
    Math.min(SWEEP_MS, idleMs / 4),
  );

  sweep.unref();
  server.once('close', () => clearInterval(sweep));
}

/**
 * Removes scheme, host and fragment, which Koa and the reads before Koa would parse differently.
 * Returns false for an invalid URL.
 */
function takePath(request: IncomingMessage): boolean {
  const { url = '' } = request;
  if (url.startsWith('/') || url === '*') {
    const fragment = url.indexOf('#');
    if (fragment >= 0) request.url = url.slice(0, fragment);
    return true;
  }

  if (!URL.canParse(url)) return false;
  const { pathname, search } = new URL(url);
  request.url = pathname + search;

  return true;
}

function refuseTarget(response: ServerResponse): void {
  const requestId = randomUUID();
  const body = problemText(new Problem('malformed-request'), { instance: '', requestId });
  response
    .writeHead(PROBLEMS['malformed-request'].status, {
      'X-Request-Id': requestId,
      'Cache-Control': 'no-store',
      'Content-Type': PROBLEM_TYPE,
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    .end(body);
}

/** Node's internal field with the response in progress. */
type Answering = { _httpMessage?: { headersSent: boolean } | null };

/** Responds to an invalid or slow request. */
function refuseUnparsed(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || (socket as Duplex & Answering)._httpMessage?.headersSent === true) {
    socket.destroy();
    return;
  }

  const problem = new Problem(
    error.code === 'HPE_HEADER_OVERFLOW' ? 'headers-too-large' : 'malformed-request',
  );
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : PROBLEMS[problem.kind].status;
  const requestId = randomUUID();
  // A slow client gets no body.
  const body = status === 408 ? '' : problemText(problem, { instance: '', requestId });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...(body === '' ? [] : [`Content-Type: ${PROBLEM_TYPE}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];

  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
