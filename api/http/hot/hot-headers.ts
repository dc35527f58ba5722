import type { Document } from '../../../modules/menus/storefront/documents.ts';
import type { Env } from '../../../modules/env.ts';
import { allowedOrigin, EXPOSED_HEADERS } from '../access/cross-origin.ts';
import type { Encoding } from './hot-negotiation.ts';
import type { HotRead } from './hot-target.ts';
import type { Budget, WindowCounter } from '../limits/hot-rate-limit.ts';

/** Names and values for `writeHead`. Lower case saves a conversion by Node. */
export type RawHeaders = string[];

export type PreparedAnswers = {
  document: Document;
  notModified: RawHeaders;
  ok: Record<Encoding, RawHeaders>;
};

export type RequestFacts = {
  id: string;
  headers: { origin: string | undefined };
  counter: WindowCounter | null;
  budget: Budget | null;
};

type Origins = Pick<Env, 'PUBLIC_ORIGINS'>;

/** The same headers as in responses of Koa. */
const PROTECTION = [
  'x-content-type-options',
  'nosniff',
  'cross-origin-resource-policy',
  'cross-origin',
];

const EXPOSE = ['access-control-expose-headers', EXPOSED_HEADERS.join(',')];

/**
 * Prepares the headers of a document. The values that depend on the request are empty and at the
 * end.
 */
export function prepareAnswers(
  document: Document,
  { cacheControl, headers }: Pick<HotRead, 'cacheControl' | 'headers'>,
  counter: WindowCounter | null,
  env: Origins,
): PreparedAnswers {
  const notModified = [
    'etag',
    document.etag,
    'cache-control',
    cacheControl,
    ...headers,
    'vary',
    chooseVary(env),
    ...openOrigin(env),
    ...PROTECTION,
    ...emptyRequestHeaders(counter),
  ];

  const ok = (encoding: Encoding): RawHeaders => [
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String((document[encoding] ?? document.identity).length),
    ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
    ...notModified,
  ];

  return {
    document,
    notModified,
    ok: { br: ok('br'), gzip: ok('gzip'), identity: ok('identity') },
  };
}

/** Returns the headers of an uncacheable response. A stream has no `bytes`. */
export function uncachedHeaders(
  answer: { type: string; bytes?: number; extra: Record<string, string> },
  counter: WindowCounter | null,
  env: Origins,
): RawHeaders {
  return [
    'content-type',
    answer.type,
    ...(answer.bytes === undefined ? [] : ['content-length', String(answer.bytes)]),
    'cache-control',
    'no-store',
    'vary',
    chooseVary(env),
    ...openOrigin(env),
    ...PROTECTION,
    ...Object.entries(answer.extra).flat(),
    ...emptyRequestHeaders(counter),
  ];
}

/** `fillRequestHeaders` relies on their distance from the end. */
function emptyRequestHeaders(counter: WindowCounter | null): RawHeaders {
  const id = ['x-request-id', ''];
  return counter === null ? id : ['ratelimit-policy', counter.policy, 'ratelimit', '', ...id];
}

export function emptyHeaders(counter: WindowCounter | null, env: Origins): RawHeaders {
  return [...openOrigin(env), ...emptyRequestHeaders(counter)];
}

/**
 * Fills the prepared list in place: `writeHead` serializes it at once, and a copy would be the
 * largest cost of a 304.
 */
export function fillRequestHeaders(
  prepared: RawHeaders,
  request: RequestFacts,
  env: Origins,
): RawHeaders {
  const { id, counter, budget } = request;
  prepared[prepared.length - 1] = id;
  if (counter !== null && budget !== null) {
    // A key has a different policy.
    prepared[prepared.length - 5] = counter.policy;
    prepared[prepared.length - 3] =
      `"${counter.name}";r=${budget.remaining};t=${budget.resetSeconds}`;
    if (!budget.allowed)
      return [...prepared, ...ownOrigin(request, env), 'retry-after', String(budget.resetSeconds)];
  }

  return isOpen(env) ? prepared : [...prepared, ...ownOrigin(request, env)];
}

function chooseVary(env: Origins): string {
  return isOpen(env) ? 'Accept-Encoding' : 'Accept-Encoding, Origin';
}

function isOpen(env: Origins): boolean {
  return env.PUBLIC_ORIGINS.includes('*');
}

/** Empty if origins are configured as a list, because the headers then depend on the request. */
function openOrigin(env: Origins): RawHeaders {
  return isOpen(env) ? ['access-control-allow-origin', '*', ...EXPOSE] : [];
}

function ownOrigin({ headers: { origin } }: RequestFacts, env: Origins): RawHeaders {
  if (origin === undefined || isOpen(env)) return [];
  const allowed = allowedOrigin({ ...env, ADMIN_ORIGINS: [] }, 'public', origin);
  return allowed === '' ? [] : ['access-control-allow-origin', allowed, ...EXPOSE];
}
