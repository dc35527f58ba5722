import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type Koa from 'koa';

/** Answers the request and returns true, or leaves it untouched and returns false. */
export type HotPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * One HTTP server for the pre-Koa reads and Koa. A request must have arrived within 30 s; connections are kept a little
 * longer than the usual 60 s of a load balancer, so that it is never the balancer that meets a closed one.
 */
export function createHttpServer<State>(options: { hot: HotPath; app: Koa<State> }): Server {
  const koa = options.app.callback();
  const server = createServer((request, response) => {
    if (!options.hot(request, response)) void koa(request, response);
  });
  server.requestTimeout = 30_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000;
  return server;
}
