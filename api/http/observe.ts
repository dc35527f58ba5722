import type { ServerResponse } from 'node:http';
import { withLogContext } from '../../platform/log-context.ts';
import type { OpenSpan } from '../../platform/tracer.ts';
import { currentTracer } from '../../platform/tracing.ts';
import type { Deps } from '../deps.ts';
import type { HttpMiddleware, HttpState } from './context.ts';
import { chooseRequestId } from './request-id.ts';
import { findApi } from './route.ts';
import { fullPath } from './router.ts';

type ObserveDeps = Pick<Deps, 'log' | 'metrics'>;

/**
 * Logs no query values, bodies, header values, addresses, user names or variable parts of paths.
 * Callers' traces are not continued, because strangers would decide what is recorded (decision
 * 120).
 */
export function observe(deps: ObserveDeps): HttpMiddleware {
  return async (ctx, next) => {
    ctx.state.requestId = chooseRequestId(ctx.req.headers['x-request-id']);
    ctx.state.api = findApi(ctx.path);
    ctx.state.route = null;
    ctx.state.userId = null;
    ctx.state.refusedKey = null;
    const span = observeAnswer(deps, ctx.method, ctx.res, ctx.state);
    ctx.set('X-Request-Id', ctx.state.requestId);
    const { requestId, traceId } = ctx.state;
    const work = () => withLogContext({ requestId, traceId }, next);
    await (span === undefined ? work() : span.within(work));
  };
}

/** Opens the span of a traced request. After the response, closes it, counts and logs. */
export function observeAnswer(
  { log, metrics }: ObserveDeps,
  method: string,
  response: ServerResponse,
  state: HttpState,
): OpenSpan | undefined {
  const startedAt = performance.now();
  const span = currentTracer()?.open({
    name: method,
    kind: 'server',
    parent: null,
    attributes: { 'http.request.method': method },
  });

  state.traceId = span?.traceId;
  response.once('close', () => {
    const { requestId, traceId, api, route } = state;
    const seconds = (performance.now() - startedAt) / 1000;
    const name = route === null ? 'other' : `${route.method} ${route.path}`;
    // 499: the client disconnected.
    const status = response.writableFinished ? response.statusCode : 499;
    metrics.httpRequests.inc({ api, route: name, status });
    metrics.httpDuration.observe({ api, route: name }, seconds);
    const ms = Math.round(seconds * 1000);
    log.info({ requestId, traceId, api, method, route: name, status, ms }, 'request');
    if (route !== null)
      span?.set({ 'http.route': fullPath(route) }, `${method} ${fullPath(route)}`);
    span?.set({ 'http.response.status_code': status });
    if (status >= 500) span?.fail({ code: status });
    span?.end();
  });

  return span;
}
