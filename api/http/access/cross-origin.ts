import cors from '@koa/cors';
import type { Env } from '../../../modules/env.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import type { Api } from '../route.ts';

export type Origins = Pick<Env, 'PUBLIC_ORIGINS' | 'ADMIN_ORIGINS'>;

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

const ALLOWED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  // Lets browsers begin traces (rule HTTP-64).
  'traceparent',
  'tracestate',
];

/** Returns the value of Access-Control-Allow-Origin, empty for an unlisted origin. */
export function allowedOrigin(origins: Origins, api: Api, origin: string): string {
  const list = api === 'admin' ? origins.ADMIN_ORIGINS : origins.PUBLIC_ORIGINS;
  if (list.includes('*')) return '*';
  return list.includes(origin) ? origin : '';
}

/** Handles CORS. Only the admin API allows credentials. */
export function crossOrigin(env: Origins): HttpMiddleware {
  const options = (api: Api) => ({
    origin: (ctx: { get: (name: string) => string }) => allowedOrigin(env, api, ctx.get('Origin')),
    exposeHeaders: [...EXPOSED_HEADERS],
    allowMethods: ALLOWED_METHODS,
    allowHeaders: ALLOWED_HEADERS,
    maxAge: 600,
  });

  const byApi: Record<Api, HttpMiddleware> = {
    public: env.PUBLIC_ORIGINS.includes('*')
      ? openTo(options('public'))
      : (cors(options('public')) as HttpMiddleware),
    admin: cors({ ...options('admin'), credentials: true }) as HttpMiddleware,
    // Only servers call webhooks.
    webhooks: (_ctx, next) => next(),
  };

  return (ctx: HttpContext, next) =>
    byApi[ctx.state.api](ctx as Parameters<HttpMiddleware>[0], next);
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects changes through the admin API from pages of other origins (rule ACC-12). Programs send
 * no origin.
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

type Preflight = {
  exposeHeaders: string[];
  allowMethods: string[];
  allowHeaders: string[];
  maxAge: number;
};
