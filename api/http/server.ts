import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { KeyCheck } from './caller.ts';
import { Problem } from '../../kernel/problem.ts';
import { PROBLEMS } from '../../kernel/pure/problems.ts';
import { PROBLEM_TYPE, problemText } from './problems/problem-body.ts';

/** Answers the request and returns true, or leaves it untouched and returns false. */
export type HotPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/** All headers of a request together, its first line among them. */
const MAX_HEADER_BYTES = 16_384;

/**
 * Time without reading or sending after which a client counts as disconnected; its resources are
 * released.
 */
const IDLE_MS = 60_000;
/** Requests that last longer than this are looked after. */
const SWEEP_MS = 1_000;
/**
 * Limit of connections without those of event streams. Behind the gateway there are a few hundred;
 * more than this is an attack, and each costs memory.
 */
const MOST_CONNECTIONS = 10_000;

/**
 * One HTTP server for the pre-Koa reads and Koa. A request must have arrived within two minutes (10
 * MB over 1 Mbit/s take 84 s), its headers within 15 s; connections are kept a little longer than
 * the usual 60 s of a load balancer, so that it is never the balancer that meets a closed one. A
 * connection on which nothing moves for `idleMs` in the middle of a request is ended (rule
 * HTTP-21).
 */
export function createHttpServer<State>(options: {
  hot: HotPath;
  app: Koa<State>;
  checkKey?: KeyCheck;
  idleMs?: number;
  /** Connections that event streams may have in addition. */
  streams?: number;
}): Server {
  const koa = options.app.callback();
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, optimizeEmptyRequests: true }, (request, response) => {
    if (!takePath(request)) refuseTarget(response);
    else {
      const checking = options.checkKey?.(request) ?? null;
      if (checking === null) answer(request, response);
      else void checking.then((isValid) => void (isValid ? answer(request, response) : koa(request, response)));
    }
  });
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

/**
 * Ends connections on which nothing moves for `idleMs` in the middle of a request. Node's own
 * `server.timeout` does that with a timer for each request, which costs a menu a fiftieth of its
 * time; here only those get one that a look each second finds.
 */
function endIdleRequests(server: Server, idleMs: number): void {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const sweep = setInterval(
    () => {
      // Between two requests the time-out is that of keep-alive; it is none while a request is
      // answered.
      for (const socket of connections) if ((socket.timeout ?? 0) === 0) socket.setTimeout(idleMs);
    },
    Math.min(SWEEP_MS, idleMs / 4),
  );
  sweep.unref();
  server.once('close', () => clearInterval(sweep));
}

/**
 * Leaves the path and the query in `request.url`: a URL with scheme and host, as proxies may write
 * it, loses them, and so does one with a fragment, which the reads before Koa and Koa would
 * understand differently. False when the URL cannot be read.
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

/** Node's own field: the answer that is being written to a connection, if there is one. */
type Answering = { _httpMessage?: { headersSent: boolean } | null };

/**
 * Answers a connection that did not send a valid HTTP request, was too slow or sent too large
 * headers, if it can still be written to and no other answer on it is half sent: that one would
 * swallow this.
 */
function refuseUnparsed(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || (socket as Duplex & Answering)._httpMessage?.headersSent === true) {
    socket.destroy();
    return;
  }
  const problem = new Problem(error.code === 'HPE_HEADER_OVERFLOW' ? 'headers-too-large' : 'malformed-request');
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : PROBLEMS[problem.kind].status;
  const requestId = randomUUID();
  // A client that was too slow gets no explanation.
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
