import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { HttpContext } from '../context.ts';

/** Supported encodings of a body. */
const UNPACK: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Names of the one charset that JSON has (RFC 8259); no name is also right. */
const UTF8 = ['', 'utf-8', 'utf8'];

/**
 * Returns the largest number of values in a JSON body with this limit of bytes: a tree of 2,000
 * categories has 8,000, a megabyte of events of the ERP 35,000. Reading and validating more would
 * block all other requests.
 */
export function mostValues(mostBytes: number): number {
  return Math.max(5_000, Math.floor(mostBytes / 20));
}

/**
 * The parsed JSON of a body; undefined for an empty body. Throws `unsupported-media-type` for
 * another charset or packing, `payload-too-large` for more than `mostBytes` unpacked bytes,
 * `validation` for more values than `mostValues`, and `malformed-body` for invalid JSON or UTF-8:
 * an invalid byte would otherwise be stored as another character.
 */
export async function readJson(ctx: HttpContext, mostBytes: number): Promise<unknown> {
  if (!UTF8.includes(ctx.request.charset.toLowerCase()))
    throw new Problem('unsupported-media-type', { detail: 'This operation reads JSON in UTF-8.' });
  const bytes = await readBytes(ctx.req, mostBytes);
  const most = mostValues(mostBytes);
  if (holdsMoreValues(bytes, most)) throw invalidField('body', 'max_items', `must contain at most ${most} values`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    throw new Problem('malformed-body');
  }
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{') as unknown as [
  number,
  number,
  number,
  number,
  number,
];

/**
 * Counts without parsing: a comma or an opening bracket outside of texts precedes each value
 * but the first.
 */
function holdsMoreValues(json: Buffer, most: number): boolean {
  if (json.length <= most) return false;
  let values = 1;
  let isText = false;
  for (let at = 0; at < json.length && values <= most; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values += 1;
  }
  return values > most;
}

/** True for an empty body: no bytes, or `{}`, which many clients send without data. */
export async function saysNothing(request: IncomingMessage): Promise<boolean> {
  return readBytes(request, 16).then(
    (bytes) => /^\s*(?:\{\s*\})?\s*$/.test(bytes.toString()),
    () => false,
  );
}

/**
 * The unpacked bytes of a body. Throws as soon as there are more of them than that, and leaves the
 * rest of the request unread.
 */
async function readBytes(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const packing = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (packing === 'identity' || packing === '') {
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge(mostBytes);
    return collect(request, request, mostBytes);
  }
  const unpack = Object.hasOwn(UNPACK, packing) ? UNPACK[packing]?.() : undefined;
  if (unpack === undefined)
    throw new Problem('unsupported-media-type', {
      detail: 'This operation reads bodies packed with gzip, deflate or br.',
    });
  try {
    return await collect(request, request.pipe(unpack), mostBytes);
  } finally {
    request.unpipe(unpack);
    unpack.destroy();
  }
}

/**
 * Not with `for await`: leaving such a loop destroys the request, and with it the connection that
 * carries the answer.
 */
function collect(request: IncomingMessage, from: Readable, mostBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let received = 0;
  const take = (chunk: Buffer) => {
    received += chunk.length;
    if (received > mostBytes) reject(tooLarge(mostBytes));
    else chunks.push(chunk);
  };
  const finish = () => resolve(Buffer.concat(chunks));
  // Invalid compression, or the client disconnected.
  const fail = () => reject(new Problem('malformed-body'));
  const leave = () => !request.complete && fail();
  from.on('data', take).on('end', finish).on('error', fail);
  request.on('error', fail).on('close', leave);
  return promise.finally(() => {
    from.off('data', take).off('end', finish).pause();
    request.off('close', leave);
  });
}

function tooLarge(mostBytes: number): Problem {
  return new Problem('payload-too-large', { detail: `This operation reads at most ${mostBytes} bytes.` });
}
