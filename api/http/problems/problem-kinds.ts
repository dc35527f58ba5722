import type { ProblemKind } from '../../../kernel/pure/problems.ts';
import { namesOrganizations } from '../input/organization-id.ts';
import { listPermissions, type Route } from '../route.ts';

/** Returns declared and implied problems in the order of the document. */
export function problemKinds(route: Omit<Route, 'handler'>): ProblemKind[] {
  const reads = route.body !== undefined || route.files !== undefined;
  const kinds: readonly (readonly [boolean, ProblemKind])[] = [
    // For a parameter, a field, or an unexpected body.
    [true, 'validation'],
    [reads, 'malformed-body'],
    [reads, 'unsupported-media-type'],
    [reads, 'payload-too-large'],
    [route.files !== undefined, 'busy'],
    [route.permission !== 'public', 'unauthorized'],
    [route.permission === 'cart' || route.permission === 'order', 'not-found'],
    [listPermissions(route.permission).length > 0, 'forbidden'],
    [isLimitedByRestaurants(route), 'not-found'],
    [route.idempotent !== undefined, 'idempotency-key-reused'],
    [route.idempotent !== undefined, 'idempotency-in-flight'],
    [true, 'malformed-request'],
    [true, 'uri-too-long'],
    [true, 'headers-too-large'],
    [route.rateLimit !== 'none', 'rate-limited'],
    [true, 'unavailable'],
    [true, 'internal'],
  ];

  const implied = kinds.filter(([holds]) => holds).map(([, kind]) => kind);

  return [...new Set([...(route.problems ?? []), ...implied])];
}

const isLimitedByRestaurants = ({
  api,
  restaurants,
  params,
  query,
  body,
}: Omit<Route, 'handler'>): boolean =>
  api === 'admin' &&
  restaurants !== 'CHAIN' &&
  (typeof restaurants === 'function' || [params, query, body].some(namesOrganizations));

export const UNROUTED_KINDS: readonly ProblemKind[] = [
  // For an invalid storefront key.
  'unauthorized',
  'not-found',
  'method-not-allowed',
  'malformed-request',
  'uri-too-long',
  'headers-too-large',
];
