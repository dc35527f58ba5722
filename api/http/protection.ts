import helmet from 'koa-helmet';
import type { HttpContext, HttpMiddleware } from './context.ts';
import type { Api } from './route.ts';

/** Security headers. Public answers and images may be embedded by storefronts of other origins. */
export function protection(): HttpMiddleware {
  const byApi: Record<Api, HttpMiddleware> = {
    public: helmet({ crossOriginResourcePolicy: { policy: 'cross-origin' } }) as HttpMiddleware,
    admin: helmet({ crossOriginResourcePolicy: { policy: 'same-site' } }) as HttpMiddleware,
    webhooks: helmet() as HttpMiddleware,
  };
  return (ctx: HttpContext, next) => {
    if (ctx.state.api !== 'public') ctx.set('Cache-Control', 'no-store');
    return byApi[ctx.state.api](ctx as Parameters<HttpMiddleware>[0], next);
  };
}
