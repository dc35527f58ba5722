import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

export type Encoded = { etag: string; identity: Buffer; gzip: Buffer; br: Buffer };

/** Returns a weak tag of the uncompressed bytes, shared by all encodings (SNP-15). */
export function computeEtag(identity: Buffer | string): string {
  return `W/"${createHash('sha256').update(identity).digest('hex')}"`;
}

/** Higher levels take twice as long for 3 % of the bytes, and a stop-list patch has 50 ms. */
export async function encode(text: string): Promise<Encoded> {
  const identity = Buffer.from(text);
  const [zipped, br] = await Promise.all([
    compressGzip(identity, { level: 5 }),
    compressBrotli(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
      },
    }),
  ]);

  return { etag: computeEtag(identity), identity, gzip: zipped, br };
}
