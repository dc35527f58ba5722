import cors from '@koa/cors';
import type { Env } from '../../../modules/env.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import type { Api } from '../route.ts';

export type Origins = Pick<Env, 'PUBLIC_ORIGINS' | 'ADMIN_ORIGINS'>;

/** Headers a page on another origin may read, of every answer: the hot path sends the same list. */
export const EXPOSED_HEADERS = [
  'ETag',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Content-Location',
  'Link',
  'Idempotent-Replayed',
] as const;

/** Methods that a page on another origin may use. */
const ALLOWED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  // Browsers with tracing continue their trace here (rule HTTP-64).
  'traceparent',
  'tracestate',
];

/**
 * The value of Access-Control-Allow-Origin for a request's Origin; empty when the API does not list
 * it.
 */
export function allowedOrigin(origins: Origins, api: Api, origin: string): string {
  const list = api === 'admin' ? origins.ADMIN_ORIGINS : origins.PUBLIC_ORIGINS;
  if (list.includes('*')) return '*';
  return list.includes(origin) ? origin : '';
}

/**
 * CORS of both APIs. Pages call the storefront API without credentials: the identity of a guest is
 * in a header or a field. The admin API carries the cookie of the session.
 */
export function crossOrigin(env: Origins): HttpMiddleware {
  const options = (api: Api) => ({
    origin: (ctx: { get: (name: string) => string }) => allowedOrigin(env, api, ctx.get('Origin')),
    exposeHeaders: [...EXPOSED_HEADERS],
    allowMethods: ALLOWED_METHODS,
    allowHeaders: ALLOWED_HEADERS,
    maxAge: 600,
  });
  const byApi: Record<Api, HttpMiddleware> = {
    public: env.PUBLIC_ORIGINS.includes('*') ? openTo(options('public')) : (cors(options('public')) as HttpMiddleware),
    admin: cors({ ...options('admin'), credentials: true }) as HttpMiddleware,
    // Called by a server, never by a page.
    webhooks: (_ctx, next) => next(),
  };
  return (ctx: HttpContext, next) => byApi[ctx.state.api](ctx as Parameters<HttpMiddleware>[0], next);
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects changes through the admin API by a page of another origin: the browser sends cookies with
 * requests of any page (rule ACC-12). Programs send no origin.
 */
export function ownPagesOnly(env: Origins): HttpMiddleware {
  return async (ctx, next) => {
    const origin = ctx.get('Origin');
    if (ctx.state.api !== 'admin' || SAFE_METHODS.has(ctx.method) || origin === '') return next();
    const isOwn = URL.parse(origin)?.host === ctx.get('Host');
    if (!isOwn && allowedOrigin(env, 'admin', origin) === '')
      throw new Problem('forbidden', {
        detail: 'Pages of this origin may change nothing here: ADMIN_ORIGINS does not name it.',
      });
    return next();
  };
}

/**
 * The same for all callers, like the hot reads: the answer does not depend on the origin, so caches
 * need not distinguish origins.
 */
function openTo({ exposeHeaders, allowMethods, allowHeaders, maxAge }: Preflight): HttpMiddleware {
  return async (ctx, next) => {
    ctx.set('Access-Control-Allow-Origin', '*');
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') {
      ctx.set('Access-Control-Expose-Headers', exposeHeaders.join(','));
      return next();
    }
    ctx.set('Access-Control-Allow-Methods', allowMethods.join(','));
    ctx.set('Access-Control-Allow-Headers', allowHeaders.join(','));
    ctx.set('Access-Control-Max-Age', String(maxAge));
    ctx.status = 204;
    return undefined;
  };
}

type Preflight = { exposeHeaders: string[]; allowMethods: string[]; allowHeaders: string[]; maxAge: number };
