import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { HttpContext } from '../context.ts';

const UNPACK: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The only charset of JSON (RFC 8259). */
const UTF8 = ['', 'utf-8', 'utf8'];

/**
 * Returns the limit of values: 2,000 categories have 8,000, a megabyte of ERP events 35,000. More
 * would block other requests.
 */
export function mostValues(mostBytes: number): number {
  return Math.max(5_000, Math.floor(mostBytes / 20));
}

/**
 * Reads JSON; undefined if empty. Throws `unsupported-media-type`, `payload-too-large` above
 * `mostBytes`, `validation` above `mostValues`, and `malformed-body` for invalid JSON or UTF-8.
 */
export async function readJson(ctx: HttpContext, mostBytes: number): Promise<unknown> {
  if (!UTF8.includes(ctx.request.charset.toLowerCase()))
    throw new Problem('unsupported-media-type', { detail: 'This operation reads JSON in UTF-8.' });
  const bytes = await readBytes(ctx.req, mostBytes);
  const most = mostValues(mostBytes);
  if (holdsMoreValues(bytes, most))
    throw invalidField('body', 'max_items', `must contain at most ${most} values`);

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

/** Counts commas and opening brackets outside strings. */
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

/** Returns true for an empty body and for `{}`, which many clients send instead. */
export async function saysNothing(request: IncomingMessage): Promise<boolean> {
  return readBytes(request, 16).then(
    (bytes) => /^\s*(?:\{\s*\})?\s*$/.test(bytes.toString()),
    () => false,
  );
}

/** Leaves the rest unread if the limit is exceeded. */
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

/** Leaving a `for await` loop would destroy the connection. */
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
  // Invalid compression, or a disconnected client.
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
  return new Problem('payload-too-large', {
    detail: `This operation reads at most ${mostBytes} bytes.`,
  });
}
