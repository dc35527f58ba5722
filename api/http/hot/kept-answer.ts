import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpContext } from '../context.ts';

/** `Cache-Control` of a URL that names its content by a digest. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** `Cache-Control` of a URL that clients revalidate each time, mostly with 304. */
export const REVALIDATED = 'no-cache';

/** Smaller ones are sent as they are. */
const PACKED_FROM_BYTES = 1024;

const PACKERS: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** An answer that stays the same as long as the process lives. */
export type KeptAnswer = {
  /** Hexadecimal digest of the content, for URLs that change with it. */
  digest: string;
  /**
   * Answers 200, or 304 when the client has these bytes. Each encoding is made once, for the first
   * request that needs it.
   */
  send(ctx: HttpContext): Promise<void>;
};

/**
 * Keeps `content` ready to send; `cacheControl` is set unless an earlier middleware has decided
 * (the admin API's `no-store`).
 */
export function keptAnswer(type: string, content: string | Buffer, cacheControl: string): KeptAnswer {
  const bytes = Buffer.from(content);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const etag = `W/"${digest}"`;
  const packed = new Map<string, Promise<Buffer>>();
  const inEncoding = (encoding: string, pack: (bytes: Buffer) => Promise<Buffer>): Promise<Buffer> => {
    const cached = packed.get(encoding) ?? pack(bytes);
    packed.set(encoding, cached);
    return cached;
  };
  return {
    digest,
    async send(ctx) {
      ctx.type = type;
      ctx.vary('Accept-Encoding');
      ctx.set('ETag', etag);
      if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', cacheControl);
      if (matchesEtag(ctx.req.headers['if-none-match'], etag)) {
        ctx.status = 304;
        return;
      }
      // The compression middleware has left one encoding there: the best that the client takes and
      // this API offers.
      const encoding = ctx.get('Accept-Encoding');
      const pack = bytes.length < PACKED_FROM_BYTES ? undefined : PACKERS[encoding];
      if (pack !== undefined) ctx.set('Content-Encoding', encoding);
      ctx.body = pack === undefined ? bytes : await inEncoding(encoding, pack);
    },
  };
}

/** ETag of an answer: weak, because all encodings share it. */
export function weakEtag(content: string | Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('hex')}"`;
}

/**
 * True when an If-None-Match header names this tag: a list, or `*`, compared weakly (RFC 9110).
 * Request directives such as `no-cache`, which browsers' fetch adds by itself, do not make a copy
 * older than it is.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.split(',').some((part) => part.trim() === '*' || opaque(part) === opaque(etag));
}
