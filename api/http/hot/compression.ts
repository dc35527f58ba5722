import { constants } from 'node:zlib';
import compress from 'koa-compress';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { bestEncoding, type Encoding } from './hot-negotiation.ts';
import type { Api } from '../route.ts';

export const OFFERED_ENCODINGS: Readonly<Record<Api, readonly Encoding[]>> = {
  public: ['br', 'gzip', 'identity'],
  admin: ['gzip', 'identity'],
  webhooks: ['identity'],
};

export const PACKED_FROM_BYTES = 1024;
export const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/**
 * Compresses responses with br or gzip, except small responses (rule HTTP-14). The admin API uses
 * only gzip.
 */
export function compression(): HttpMiddleware {
  const threshold = PACKED_FROM_BYTES;
  const byApi = {
    public: compress({
      threshold,
      br: BROTLI,
      deflate: false,
      zstd: false,
    } as compress.CompressOptions),
    admin: compress({
      threshold,
      br: false,
      deflate: false,
      zstd: false,
    } as compress.CompressOptions),
    webhooks: (_ctx: unknown, next: () => Promise<unknown>) => next(),
  } as unknown as Record<Api, HttpMiddleware>;

  return (ctx: HttpContext, next) => {
    // The library responds with 500 to clients that reject every encoding.
    const { headers } = ctx.req;
    headers['accept-encoding'] = bestEncoding(
      headers['accept-encoding'],
      OFFERED_ENCODINGS[ctx.state.api],
    );

    return byApi[ctx.state.api](ctx as Parameters<HttpMiddleware>[0], next);
  };
}
