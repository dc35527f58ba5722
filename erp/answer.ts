import { retryAfterMs } from '../platform/pure/retry-after.ts';
import { ErpFailure, type ErpFailureKind } from './failure.ts';
import { maskText } from './masking.ts';
import { codeOnly, wordOnly, type Personal } from './personal.ts';
import type { Check, OddRow } from './schemas/check.ts';
import type { RawAnswer } from './transport.ts';

const LONGEST_DESCRIPTION = 200;
/** A client that waited longer would seem broken. */
const LONGEST_PAUSE_MS = 10 * 60_000;

/** Kinds by status. Others are CLIENT below 500 and SERVER from 500. */
const KINDS: Readonly<Record<number, ErpFailureKind>> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  408: 'TIMEOUT',
  410: 'GONE',
  429: 'RATE_LIMITED',
};

type Asked<T> = {
  path: string;
  check: Check<T>;
  personal?: Personal;
  body?: 'EXACT' | 'MAY_BE_EMPTY';
};

/** Checks the status before parsing, so a gateway's HTML page with 502 is a SERVER failure. */
export function readAnswer<T>(
  request: Asked<T>,
  raw: RawAnswer,
  secrets: readonly string[],
): { data: T; odd: readonly OddRow[] } {
  const { path: endpoint, check } = request;
  const { status } = raw;
  const isNothing = request.body === 'MAY_BE_EMPTY' && raw.body.toString().trim() === '';
  const parsed = isNothing
    ? { value: null }
    : request.body === 'EXACT'
      ? parseExactly(raw.body)
      : parseJson(raw.body);

  if (status < 200 || status > 299) throw refusal(request, raw, parsed, secrets);
  if (parsed === undefined) {
    const type = raw.contentType.split(';')[0] ?? '';
    const description = `${raw.body.length} bytes of ${type === '' ? 'unknown type' : type} are not JSON`;

    throw new ErpFailure('NOT_JSON', {
      endpoint,
      status,
      description: maskText(description, secrets),
    });
  }

  const result = check(parsed.value);
  if ('data' in result) return { data: result.data, odd: result.odd ?? [] };

  throw new ErpFailure('INVALID_ANSWER', { endpoint, status, description: result.fault });
}

function refusal(
  { path: endpoint, personal }: Asked<unknown>,
  raw: RawAnswer,
  parsed: { value: unknown } | undefined,
  secrets: readonly string[],
): ErpFailure {
  const { status } = raw;
  const body = new Map(
    Object.entries(parsed?.value ?? {}).filter((entry) => typeof entry[1] === 'string'),
  );
  const text = (...names: string[]): string | undefined => {
    const fieldValue = names
      .map((name) => body.get(name) as string | undefined)
      .find((value) => value !== undefined && value !== '');
    return fieldValue === undefined ? undefined : maskText(fieldValue, secrets);
  };

  const short = (fullText: string | undefined): string | undefined =>
    fullText?.slice(0, LONGEST_DESCRIPTION);
  const description = text('errorDescription', 'message', 'description');
  const code = text('error', 'errorCode', 'code');

  return new ErpFailure(KINDS[status] ?? (status >= 500 ? 'SERVER' : 'CLIENT'), {
    endpoint,
    status,
    // A rejection may quote guest data: then only the machine code is kept.
    ...(personal === 'IN_BOTH' || personal === 'ONE_GUEST'
      ? { code: codeOnly(code, description) }
      : { description: short(description), code: short(code) }),
    correlationId: wordOnly(text('correlationId')),
    retryAfterMs: retryAfterMs(raw.retryAfter, Date.now(), LONGEST_PAUSE_MS),
  });
}

/** A JSON escape: NUL, a surrogate pair, an unpaired surrogate, or any other. */
const ESCAPE =
  /\\(?:u(?:(0000)|[dD][89abAB][\da-fA-F]{2}(\\u[dD][c-fC-F][\da-fA-F]{2})?|([dD][c-fC-F][\da-fA-F]{2}))|[^])/g;
const UNSTORABLE = /\\u(?:0000|[dD][89a-fA-F])/;
const HALF_OF_PAIR = /^\\u[dD][89abAB]/;

/** Removes NUL and replaces unpaired surrogates, so that a broken name does not block an import. */
function storable(json: string): string {
  if (!UNSTORABLE.test(json)) return json;
  return json.replaceAll(ESCAPE, (escape, nul?: string, low?: string, lone?: string) => {
    if (nul !== undefined) return '';
    return lone !== undefined || (low === undefined && HALF_OF_PAIR.test(escape))
      ? '\ufffd'
      : escape;
  });
}

/** Returns undefined if the body is not JSON. Drops the parser's message, which quotes the body. */
function parseJson(body: Buffer): { value: unknown } | undefined {
  const start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  try {
    return { value: JSON.parse(storable(body.toString('utf8', start))) };
  } catch (error) {
    if ((error as Error).name === 'SyntaxError') return undefined;
    throw error;
  }
}

/** Parses without replacing characters. Returns undefined if the body is not JSON or not UTF-8. */
function parseExactly(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch (error) {
    if (['SyntaxError', 'TypeError'].includes((error as Error).name)) return undefined;
    throw error;
  }
}
