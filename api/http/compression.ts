import { constants } from 'node:zlib';
import compress from 'koa-compress';
import type { HttpContext, HttpMiddleware } from './context.ts';
import { bestEncoding, type Encoding } from './hot-negotiation.ts';
import type { Api } from './route.ts';

const OFFERED: Readonly<Record<Api, readonly Encoding[]>> = {
  public: ['br', 'gzip', 'identity'],
  admin: ['gzip', 'identity'],
  webhooks: ['identity'],
};

/** Public answers are packed with br or gzip, admin answers with gzip (rule HTTP-14). Small ones stay as they are. */
export function compression(): HttpMiddleware {
  const threshold = 1024;
  const br = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
  const byApi = {
    public: compress({ threshold, br, deflate: false, zstd: false } as compress.CompressOptions),
    admin: compress({ threshold, br: false, deflate: false, zstd: false } as compress.CompressOptions),
    webhooks: (_ctx: unknown, next: () => Promise<unknown>) => next(),
  } as unknown as Record<Api, HttpMiddleware>;
  return (ctx: HttpContext, next) => {
    // Chosen as the reads before Koa choose: the library answers 500 to a client that refuses every encoding.
    const { headers } = ctx.req;
    headers['accept-encoding'] = bestEncoding(headers['accept-encoding'], OFFERED[ctx.state.api]);
    return byApi[ctx.state.api](ctx as Parameters<HttpMiddleware>[0], next);
  };
}
