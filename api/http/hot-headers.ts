import type { Document } from '../../app/delivery/documents.ts';
import type { Env } from '../../platform/env.ts';
import { allowedOrigin, EXPOSED_HEADERS } from './cross-origin.ts';
import type { Encoding } from './hot-negotiation.ts';
import type { Budget, WindowCounter } from './hot-rate-limit.ts';

/** Names and values in turn, as `writeHead` takes them without copying. */
export type RawHeaders = string[];

/** The answers of one document, prepared once per publication. */
export type PreparedAnswers = {
  document: Document;
  notModified: RawHeaders;
  ok: Record<Encoding, RawHeaders>;
};

type Origins = Pick<Env, 'PUBLIC_ORIGINS'>;

/** The same protection Koa's answers of this contour carry, as far as it means something for JSON. */
const PROTECTION = ['X-Content-Type-Options', 'nosniff', 'Cross-Origin-Resource-Policy', 'cross-origin'];

/** Headers of all answers about one document, without what belongs to a single request. */
export function prepareAnswers(document: Document, cacheControl: string, env: Origins): PreparedAnswers {
  const vary = ['Vary', isOpen(env) ? 'Accept-Encoding' : 'Accept-Encoding, Origin'];
  const notModified = [
    'ETag',
    document.etag,
    'Cache-Control',
    cacheControl,
    ...vary,
    ...openOrigin(env),
    ...PROTECTION,
  ];
  const ok = (encoding: Encoding): RawHeaders => [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String((document[encoding] ?? document.identity).length),
    ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
    ...notModified,
  ];
  return { document, notModified, ok: { br: ok('br'), gzip: ok('gzip'), identity: ok('identity') } };
}

/** Headers of a refusal. */
export function problemHeaders(type: string, bytes: number, extra: Record<string, string>, env: Origins): RawHeaders {
  return [
    'Content-Type',
    type,
    'Content-Length',
    String(bytes),
    'Cache-Control',
    'no-store',
    ...(isOpen(env) ? [] : ['Vary', 'Origin']),
    ...openOrigin(env),
    ...PROTECTION,
    ...Object.entries(extra).flat(),
  ];
}

/** Adds what belongs to this request: its id, what is left of its budget, and its origin where a list decides. */
export function addRequestHeaders(
  headers: RawHeaders,
  request: {
    id: string;
    headers: { origin: string | undefined };
    counter: WindowCounter | null;
    budget: Budget | null;
  },
  env: Origins,
): RawHeaders {
  const { id, counter, budget } = request;
  headers.push('X-Request-Id', id);
  if (counter !== null && budget !== null) {
    headers.push(
      'RateLimit-Policy',
      counter.policy,
      'RateLimit',
      `"${counter.name}";r=${budget.remaining};t=${budget.resetSeconds}`,
    );
    if (!budget.allowed) headers.push('Retry-After', String(budget.resetSeconds));
  }
  const { origin } = request.headers;
  if (origin !== undefined && !isOpen(env)) {
    const allowed = allowedOrigin({ ...env, ADMIN_ORIGINS: [] }, 'public', origin);
    if (allowed !== '') headers.push('Access-Control-Allow-Origin', allowed, ...EXPOSE);
  }
  return headers;
}

const EXPOSE = ['Access-Control-Expose-Headers', EXPOSED_HEADERS.join(',')];

function isOpen(env: Origins): boolean {
  return env.PUBLIC_ORIGINS.includes('*');
}

/** Without a list every origin may read, so the header needs no request and caches need not vary by it. */
function openOrigin(env: Origins): RawHeaders {
  return isOpen(env) ? ['Access-Control-Allow-Origin', '*', ...EXPOSE] : [];
}
