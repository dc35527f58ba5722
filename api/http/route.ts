import type { Static, TObject, TSchema } from 'typebox';
import type { Actor } from '../../app/actor.ts';
import type { Idempotency } from '../../app/idempotency.ts';
import type { Permission } from '../../contracts/permissions.ts';
import type { ProblemKind } from '../../contracts/problems.ts';
import type { Deps } from '../deps.ts';

export type Contour = 'public' | 'admin' | 'webhooks';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A route whose body says what it does: the word in `field` decides which permission the caller needs. */
export type PermissionByField = { readonly field: string; readonly needs: Readonly<Record<string, Permission>> };

/**
 * Who may call: anybody, the ERP with the secret of its webhook, anybody who is signed in, a holder of one permission, or a holder
 * of the permission that the body asks for.
 */
export type Access = 'public' | 'webhook-secret' | 'authenticated' | Permission | PermissionByField;

/** The permissions of which a caller needs one to get any further: several only where the body decides; none without staff. */
export function permissionsOf(access: Access): readonly Permission[] {
  if (typeof access === 'object') return [...new Set(Object.values(access.needs))];
  return isWithoutStaff(access) || access === 'authenticated' ? [] : [access];
}

/** True for routes that need no member of staff. */
export function isWithoutStaff(access: Access): access is 'public' | 'webhook-secret' {
  return access === 'public' || access === 'webhook-secret';
}

/** Budget a route is counted against; the sizes come from RATE_LIMIT_*. `none` only for documents about the API. */
export type RateLimitClass = 'menu' | 'public' | 'admin' | 'webhooks' | 'none';

/** Bytes of a JSON body where its route says nothing else: enough for every form, and parsed within a millisecond. */
export const BODY_LIMIT = 65_536;

/** One uploaded file, in memory: the size limit of the route bounds it. */
export type UploadedFile = { field: string; originalName: string; mime: string; bytes: Buffer };

/** The multipart field of a route that takes a file. Other fields of the form are described by `body`. */
export type FilesRule = {
  field: string;
  maxBytes: number;
  description: string;
  /** Media types it takes, for the document; the content of the file decides. */
  types: readonly string[];
};

/** Schema of the answer by status; null means an answer without a body. */
export type Responses = { readonly [status: number]: TSchema | null };

export type Cookie = {
  name: string;
  value: string;
  path: string;
  /** Seconds; 0 removes the cookie. */
  maxAge: number;
  /** Strict unless a page of another site leads the browser here. */
  sameSite?: 'Lax';
};

/** The signed-in member of staff. Permissions were read for this request. */
export type UserActor = Extract<Actor, { type: 'USER' }> & { sessionId: string; permissions: readonly Permission[] };

type Parsed<S> = S extends TSchema ? Static<S> : undefined;
type Extras = { headers?: Record<string, string>; cookies?: Cookie[] };

/** What a handler returns: one of the declared statuses with its body. */
export type Answer<R extends Responses> = {
  [S in keyof R & number]: { status: S } & Extras &
    (R[S] extends TSchema ? { body: Static<R[S]> } : { body?: undefined });
}[keyof R & number];

/** What a handler gets: everything here was validated against the schemas of the route. */
export type RouteRequest<P, Q, B, A extends Access> = {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
  files: readonly UploadedFile[];
  actor: A extends 'public' | 'webhook-secret' ? null : UserActor;
  requestId: string;
  /** Address of the client; with TRUST_PROXY from X-Forwarded-For. For throttling only, never logged. */
  clientAddress: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  cookies: (name: string) => string | undefined;
  /** The Idempotency-Key of an `idempotent` route; hand it to the use case, which calls `once` inside its transaction. */
  idempotency: Idempotency | null;
};

export type RouteDefinition<
  A extends Access,
  P extends TObject | undefined,
  Q extends TObject | undefined,
  B extends TSchema | undefined,
  R extends Responses,
> = {
  contour: Contour;
  method: Method;
  /** Below the prefix of the contour: `/products/{id}`. Parameters in snake_case. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  permission: A;
  params?: P;
  query?: Q;
  body?: B;
  files?: FilesRule;
  responses: R;
  /** Kinds this route answers beside those that follow from its other fields (see `problemKinds`). */
  problems?: readonly ProblemKind[];
  /** True on create operations: the header Idempotency-Key is read. */
  idempotent?: boolean;
  rateLimit?: RateLimitClass;
  /** Bytes of the largest JSON body, unpacked; BODY_LIMIT when left out. */
  bodyLimit?: number;
  /** Cache-Control of a successful public answer; admin answers are always no-store. */
  cacheControl?: string;
  handler: (request: RouteRequest<P, Q, B, A>, deps: Deps) => Promise<Answer<NoInfer<R>>>;
};

/** A route as the router, the document and the tests see it. */
export type Route = Omit<
  RouteDefinition<Access, TObject | undefined, TObject | undefined, TSchema | undefined, Responses>,
  'handler' | 'rateLimit' | 'bodyLimit'
> & {
  rateLimit: RateLimitClass;
  bodyLimit: number;
  handler: (request: AnyRequest, deps: Deps) => Promise<AnyAnswer>;
};

/** The request before its types are known; only the router builds one. */
export type AnyRequest = RouteRequest<undefined, undefined, undefined, 'public'> & Record<string, unknown>;
export type AnyAnswer = { status: number; body?: unknown } & Extras;

export const PREFIXES = {
  public: '/api/v1',
  admin: '/api/admin/v1',
  webhooks: '/api/webhooks',
} as const satisfies Record<Contour, string>;

/** The contour of an address, by its prefix alone. */
export function contourOf(path: string): Contour {
  if (path.startsWith(`${PREFIXES.admin}/`)) return 'admin';
  return path.startsWith(`${PREFIXES.webhooks}/`) ? 'webhooks' : 'public';
}

const SNAKE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const SEGMENT = /^([a-z0-9]+([-_.][a-z0-9]+)*|\{[a-z0-9_]+\})$/;

/**
 * Declares one route: validation, types, permission, limits, answer shape and OpenAPI all come from this object.
 * Throws at load time when names break rule HTTP-1 or the object contradicts itself.
 */
export function defineRoute<
  const A extends Access,
  const R extends Responses,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(route: RouteDefinition<A, P, Q, B, R>): Route {
  const errors = namingErrors(route);
  if (errors.length > 0) throw new Error(`Route ${route.operationId}: ${errors.join('; ')}`);
  return {
    rateLimit: route.contour,
    bodyLimit: BODY_LIMIT,
    ...route,
    // The router has validated the request with the very schemas the types come from.
    handler: route.handler as unknown as Route['handler'],
  };
}

/** Names of the path parameters of a route, in order. */
function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? '');
}

type Named = Pick<Route, 'contour' | 'method' | 'path' | 'permission' | 'params' | 'query' | 'body' | 'idempotent'>;

function namingErrors(route: Named): string[] {
  const inPath = pathParameters(route.path);
  const declared = Object.keys(route.params?.properties ?? {});
  const names = [...inPath, ...Object.keys(route.query?.properties ?? {})];
  return [
    ...(route.path.startsWith('/') ? [] : ['the path must start with /']),
    ...route.path
      .slice(1)
      .split('/')
      .filter((segment) => !SEGMENT.test(segment))
      .map((segment) => `path segment "${segment}" is not lower case`),
    ...names.filter((name) => !SNAKE.test(name)).map((name) => `parameter "${name}" is not snake_case`),
    ...(inPath.toSorted().join() === declared.toSorted().join() ? [] : ['params do not match the path']),
    ...(route.contour === 'public' && route.permission !== 'public' ? ['the public contour has no permissions'] : []),
    ...((route.contour === 'webhooks') === (route.permission === 'webhook-secret')
      ? []
      : ['webhooks are guarded by their secret, and nothing else is']),
    ...(route.contour === 'public' && route.method !== 'GET' ? ['the public contour is read only'] : []),
    ...(route.idempotent === true && route.method !== 'POST' ? ['only POST can be idempotent by key'] : []),
    ...(decidesEveryWord(route) ? [] : ['every word of the field that decides the permission needs one']),
  ];
}

function decidesEveryWord({ permission, body }: Named): boolean {
  if (typeof permission !== 'object') return true;
  const { properties } = (body ?? {}) as { properties?: Record<string, { enum?: string[] }> };
  const words = properties?.[permission.field]?.enum ?? [];
  return words.length > 0 && words.toSorted().join() === Object.keys(permission.needs).toSorted().join();
}
