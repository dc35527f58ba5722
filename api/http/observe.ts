import { withLogContext } from '../../platform/log-context.ts';
import type { Deps } from '../deps.ts';
import type { HttpMiddleware } from './context.ts';
import { requestIdOf } from './request-id.ts';
import { apiOf } from './route.ts';

/**
 * First middleware: request id, api, one log line and the metrics of each request. Never logged: query values,
 * bodies, header values, addresses, users' names.
 */
export function observe({ log, metrics }: Pick<Deps, 'log' | 'metrics'>): HttpMiddleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    ctx.state.requestId = requestIdOf(ctx.req.headers['x-request-id']);
    ctx.state.api = apiOf(ctx.path);
    ctx.state.route = null;
    ctx.state.userId = null;
    ctx.set('X-Request-Id', ctx.state.requestId);
    ctx.res.once('close', () => {
      const { requestId, api, route } = ctx.state;
      const seconds = (performance.now() - startedAt) / 1000;
      const name = route === null ? 'other' : `${route.method} ${route.path}`;
      // 499: the client went away before the answer was complete.
      const status = ctx.res.writableFinished ? ctx.res.statusCode : 499;
      metrics.httpRequests.inc({ api, route: name, status });
      metrics.httpDuration.observe({ api, route: name }, seconds);
      log.info({ requestId, api, method: ctx.method, route: name, status, ms: Math.round(seconds * 1000) }, 'request');
    });
    await withLogContext({ requestId: ctx.state.requestId }, next);
  };
}
