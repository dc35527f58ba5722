import { constants } from 'node:zlib';
import compress from 'koa-compress';
import type { HttpContext, HttpMiddleware } from './context.ts';
import type { Contour } from './route.ts';

/** Public answers are packed with br or gzip, admin answers with gzip (spec 1, Limits). Small ones stay as they are. */
export function compression(): HttpMiddleware {
  const threshold = 1024;
  const br = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
  const byContour = {
    public: compress({ threshold, br, deflate: false, zstd: false } as compress.CompressOptions),
    admin: compress({ threshold, br: false, deflate: false, zstd: false } as compress.CompressOptions),
    webhooks: (_ctx: unknown, next: () => Promise<unknown>) => next(),
  } as unknown as Record<Contour, HttpMiddleware>;
  return (ctx: HttpContext, next) => byContour[ctx.state.contour](ctx as Parameters<HttpMiddleware>[0], next);
}
