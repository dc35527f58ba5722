import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { BROTLI, PACKED_FROM_BYTES } from './compression.ts';
import type { HttpContext } from '../context.ts';
import type { RawHeaders } from './hot-headers.ts';
import type { Encoding } from './hot-negotiation.ts';
import { matchesEtag, weakEtag } from './kept-answer.ts';
import type { Route } from '../route.ts';

export type AnswerContent = { text: string; headers: Readonly<Record<string, string>> };

export type StoredAnswer = {
  readonly route: Route;
  readonly basis: string;
  readonly etag: string;
  /** In memory. */
  bytes(): number;
  /** Sends the response and stores Koa's headers. */
  send(ctx: HttpContext): Promise<void>;
  /** Undefined before Koa has sent the encoding. */
  ready(encoding: Encoding): ReadyAnswer | undefined;
  /** Undefined until Koa has sent the response. */
  notModified(): RawHeaders | undefined;
};

export type ReadyAnswer = { headers: RawHeaders; body: Buffer };

const OVERHEAD_BYTES = 4_096;

const TYPE = 'application/json; charset=utf-8';

const PACKERS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  identity: (bytes) => Promise.resolve(bytes),
  gzip: (bytes) => promisify(gzip)(bytes),
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
};

const OF_ONE_REQUEST = new Set([
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'access-control-allow-origin',
  'access-control-expose-headers',
]);

/**
 * Creates a response for both paths, with and without Koa. `requestHeaders` are empty. `grown` is
 * called when it needs more memory.
 */
export function createStoredAnswer(
  { route, basis }: Pick<StoredAnswer, 'route' | 'basis'>,
  content: AnswerContent,
  { requestHeaders, grown }: { requestHeaders: RawHeaders; grown: () => void },
): StoredAnswer {
  const identity = Buffer.from(content.text);
  const { headers } = content;
  const etag = weakEtag(identity);
  const packed = new Map<Encoding, Promise<Buffer>>();
  const sent = new Map<Encoding, ReadyAnswer>();
  let unchanged: RawHeaders | undefined;

  function bodyIn(encoding: Encoding): Promise<Buffer> {
    const body = packed.get(encoding) ?? PACKERS[encoding](identity);
    packed.set(encoding, body);
    return body;
  }

  const fitting = (encoding: Encoding): Encoding =>
    identity.length < PACKED_FROM_BYTES ? 'identity' : encoding;

  /** Both paths send the same headers. */
  function copyHeaders(ctx: HttpContext): RawHeaders {
    return (unchanged ??= [
      ...Object.entries(ctx.response.headers).flatMap(([name, value]) =>
        OF_ONE_REQUEST.has(name) ? [] : [name, String(value)],
      ),
      ...requestHeaders,
    ]);
  }

  function note(encoding: Encoding, body: Buffer, shared: RawHeaders): void {
    if (sent.has(encoding)) return;
    const own = ['content-type', TYPE, 'content-length', String(body.length)];
    const packing = encoding === 'identity' ? [] : ['content-encoding', encoding];
    sent.set(encoding, { headers: [...own, ...packing, ...shared], body });
    grown();
  }

  return {
    route,
    basis,
    etag,
    bytes: () =>
      [...sent.values()].reduce(
        (sum, { body }) => sum + body.length,
        identity.length + OVERHEAD_BYTES,
      ),
    async send(ctx) {
      ctx.status = 200;
      ctx.set(headers);
      ctx.set('ETag', etag);
      ctx.set('Cache-Control', route.cacheControl ?? 'no-cache');
      const shared = copyHeaders(ctx);
      if (matchesEtag(ctx.req.headers['if-none-match'], etag)) {
        ctx.status = 304;
        ctx.body = null;
        return;
      }

      const encoding = fitting(ctx.get('Accept-Encoding') as Encoding);
      const body = await bodyIn(encoding);
      ctx.type = TYPE;
      if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
      note(encoding, body, shared);
      ctx.body = body;
    },
    ready: (encoding) => sent.get(fitting(encoding)),
    notModified: () => unchanged,
  };
}
