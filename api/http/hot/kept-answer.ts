import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpContext } from '../context.ts';

/** Cache-Control of URLs with a digest. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Clients revalidate each time, mostly with 304. */
export const REVALIDATED = 'no-cache';

/** Smaller responses are not compressed. */
const PACKED_FROM_BYTES = 1024;

const PACKERS: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

export type KeptAnswer = {
  /** Makes URLs that change with the content. */
  digest: string;
  /** Responds with 200 or 304. Each encoding is made on first use. */
  send(ctx: HttpContext): Promise<void>;
};

/**
 * Prepares constant content. An earlier middleware may override `cacheControl` (`no-store` of the
 * admin API).
 */
export function keptAnswer(
  type: string,
  content: string | Buffer,
  cacheControl: string,
): KeptAnswer {
  const bytes = Buffer.from(content);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const etag = `W/"${digest}"`;
  const packed = new Map<string, Promise<Buffer>>();
  const inEncoding = (
    encoding: string,
    pack: (bytes: Buffer) => Promise<Buffer>,
  ): Promise<Buffer> => {
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

      const encoding = ctx.get('Accept-Encoding');
      const pack = bytes.length < PACKED_FROM_BYTES ? undefined : PACKERS[encoding];
      if (pack !== undefined) ctx.set('Content-Encoding', encoding);
      ctx.body = pack === undefined ? bytes : await inEncoding(encoding, pack);
    },
  };
}

/** Returns a weak ETag, because all encodings share it. */
export function weakEtag(content: string | Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('hex')}"`;
}

/** Compares If-None-Match weakly (RFC 9110). Ignores `no-cache`, which `fetch` adds. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.split(',').some((part) => part.trim() === '*' || opaque(part) === opaque(etag));
}
