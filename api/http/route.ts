import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject, TSchema } from 'typebox';
import type { Actor, CartActor, CustomerActor, OrderActor } from '../../kernel/actor.ts';
import type { WebhookSource } from '../../modules/connections/webhook-secrets.ts';
import type { Idempotency } from '../../kernel/idempotency.ts';
import type { RateClass } from '../../modules/access/schemas/api-keys.ts';
import type { Restaurants, Scope } from '../../kernel/scope.ts';
import { namesOrganizations } from './input/organization-id.ts';
import type { Permission } from '../../kernel/pure/permissions.ts';
import type { ProblemKind } from '../../kernel/pure/problems.ts';
import type { Deps } from '../deps.ts';

export type Api = 'public' | 'admin' | 'webhooks';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A route with a permission that depends on the body: the value of `field` decides it. */
export type PermissionByField = { readonly field: string; readonly needs: Readonly<Record<string, Permission>> };

/** Access without a member of staff. */
export type AccessWithoutStaff = 'public' | 'customer' | 'cart' | 'order' | 'webhook-secret';

/**
 * The access of a route: everyone, a customer of the storefront, a caller with the id of a cart or
 * an order, the ERP with the secret of its webhook, signed-in persons (`authenticated`), these and
 * keys of the admin API (`staff`), staff with one permission, or staff with the permission that the
 * body requires. A `cart` route takes the id as the parameter `cart_id` or as the field `cartId` of
 * its body. Where the id may be left out, a caller without one is a customer, or an unidentified
 * guest. An `order` route takes the id as the path parameter `order_id`.
 */
export type Access = AccessWithoutStaff | 'authenticated' | 'staff' | Permission | PermissionByField;

/**
 * The permissions of which a caller needs one to get any further: several only where the body
 * decides; none without staff.
 */
export function permissionsOf(access: Access): readonly Permission[] {
  if (typeof access === 'object') return [...new Set(Object.values(access.needs))];
  return isWithoutStaff(access) || access === 'authenticated' || access === 'staff' ? [] : [access];
}

const WITHOUT_STAFF: readonly Access[] = ['public', 'customer', 'cart', 'order', 'webhook-secret'];

/** True for routes that need no member of staff. */
export function isWithoutStaff(access: Access): access is AccessWithoutStaff {
  return WITHOUT_STAFF.includes(access);
}

/**
 * The restaurants of an operation, for callers who are limited to some (rule ACC-61).
 *
 * - `NAMED`: the request names at least one in a field of the type `OrganizationId`.
 * - `LISTED`: the handler keeps to those of `actor.scope`.
 * - `SHARED`: it reads what all restaurants share, such as products.
 * - `CHAIN`: it concerns all of them, so limited callers may not use it.
 * - A function returns those of the row that the request names.
 *
 * In every case, fields of the type `OrganizationId` may name only restaurants of the caller.
 */
export type RestaurantSource = 'NAMED' | 'LISTED' | 'SHARED' | 'CHAIN';

/** True for routes with answers to one guest: they are private, and no cache may store them. */
export function isPersonal(access: Access): access is 'customer' | 'cart' | 'order' {
  return access === 'customer' || access === 'cart' || access === 'order';
}

/**
 * True for public, cacheable answers: they have an ETag, and a matching `If-None-Match` is answered
 * 304.
 */
export function hasEtag({
  api,
  method,
  permission,
  cacheControl,
}: Pick<Route, 'api' | 'method' | 'permission' | 'cacheControl'>): boolean {
  return api === 'public' && method === 'GET' && !isPersonal(permission) && cacheControl !== 'no-store';
}

/**
 * Budget a request is counted against; the sizes come from RATE_LIMIT_*. Files of media and
 * documents about the API have no route.
 */
export type RateLimitClass =
  | 'menu'
  | 'public'
  | 'search'
  | 'addresses'
  | 'ordering'
  | 'sign-in'
  | 'media'
  | 'documents'
  | 'admin'
  | 'webhooks'
  | 'key'
  | 'key-high'
  | 'none';

/**
 * Default limit of a JSON body in bytes: enough for every form, and parsed within a millisecond.
 */
const BODY_LIMIT = 65_536;

/** One uploaded file, in memory: the size limit of the route bounds it. */
export type UploadedFile = { field: string; originalName: string; mime: string; bytes: Buffer };

/**
 * The multipart field of a route that takes a file. Other fields of the form are described by
 * `body`.
 */
export type FilesRule = {
  field: string;
  maxBytes: number;
  description: string;
  /** Name of the file in the example. */
  example: string;
  /** Media types it takes, for the document; the content of the file decides. */
  types: readonly string[];
};

/** Schema of the answer by status; null means an answer without a body. */
export type Responses = { readonly [status: number]: TSchema | null };

export type Cookie = {
  name: string;
  value: string;
  /** Seconds; 0 removes the cookie. */
  maxAge: number;
  /** Strict unless a page of another site leads the browser here. */
  sameSite?: 'Lax';
};

/**
 * The signed-in member of staff. Permissions were read for this request; there are none before a
 * demanded second factor is set up.
 */
export type UserActor = Extract<Actor, { type: 'USER' }> & {
  /** Null for the machine account of an API key, which has no session. */
  sessionId: string | null;
  /** The rate class of an API key; null for a person. */
  rateClass: RateClass | null;
  permissions: readonly Permission[];
  /** The restaurants that the caller may see; null for all. */
  scope: Scope;
  /** The step that the caller lacks; it blocks everything else. */
  lacks: Lack | null;
};

/** A signed-in person: API keys are rejected where only a person may act (rule ACC-31). */
type SessionActor = UserActor & { sessionId: string };

/**
 * A step that a member of staff has to complete before anything else: replace a password set by
 * another user, or set up a second factor.
 */
export type Lack = 'OWN_PASSWORD' | 'SECOND_FACTOR';

type Parsed<S> = S extends TSchema ? Static<S> : undefined;
type NamesCart<P, Q, B> = Parsed<P> & Parsed<Q> extends { cart_id: string }
  ? true
  : Parsed<B> extends { cartId: string }
    ? true
    : false;

/**
 * The caller of a route with this access; on a `cart` route that takes requests without a cart it
 * may also be a customer, or null.
 */
export type ActorOf<A extends Access, P, Q, B> = A extends 'webhook-secret'
  ? WebhookActor
  : A extends 'public'
    ? null
    : A extends 'customer'
      ? CustomerActor
      : A extends 'cart'
        ? NamesCart<P, Q, B> extends true
          ? CartActor
          : CartActor | CustomerActor | null
        : A extends 'order'
          ? OrderActor
          : A extends 'authenticated'
            ? SessionActor
            : UserActor;

/** The caller of a webhook: a connection with its own secret, or a caller with the common one. */
export type WebhookActor = { type: 'WEBHOOK' } & WebhookSource;

/** The identified caller of a request. */
export type AnyActor = UserActor | CustomerActor | CartActor | OrderActor;

type Extras = {
  headers?: Record<string, string>;
  cookies?: Cookie[];
  /** False if this answer depends on more than the `basis` of its route. */
  keep?: false;
  /** Media type of this answer if its route has several. */
  mediaType?: string;
};

/**
 * Links from an answer: parameters of other operations by their ids, each with the member of the
 * answer that it takes.
 */
type Links = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The result of a handler: one of the declared statuses with its body. */
export type Answer<R extends Responses> = {
  [S in keyof R & number]: { status: S } & Extras &
    (R[S] extends TSchema ? { body: Static<R[S]> } : { body?: undefined });
}[keyof R & number];

/** The input of a handler: everything here was validated against the schemas of the route. */
export type RouteRequest<P, Q, B, A extends Access> = {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
  files: readonly UploadedFile[];
  actor: ActorOf<A, P, Q, B>;
  requestId: string;
  /**
   * Address of the client, as reported by the proxies in TRUST_PROXY. For throttling only, never
   * logged.
   */
  clientAddress: string;
  headers: IncomingHttpHeaders;
  /** True for a HEAD request, which gets the headers of GET and must use nothing up. */
  isHead: boolean;
  cookies: (name: string) => string | undefined;
  /**
   * The Idempotency-Key of an `idempotent` route; hand it to the use case, which calls `once`
   * inside its transaction.
   */
  idempotency: Idempotency | null;
};

export type RouteDefinition<
  A extends Access,
  P extends TObject | undefined,
  Q extends TObject | undefined,
  B extends TSchema | undefined,
  R extends Responses,
> = {
  api: Api;
  method: Method;
  /** Below the prefix of the API: `/products/{id}`. Parameters in snake_case. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  permission: A;
  /**
   * `NAMED` if left out and a path parameter names a restaurant; otherwise `CHAIN`, and `SHARED`
   * where no permission is needed.
   */
  restaurants?:
    | RestaurantSource
    | ((request: Pick<RouteRequest<P, Q, B, A>, 'params' | 'query' | 'body'>, deps: Deps) => Promise<Restaurants>);
  /**
   * Steps that a member of staff may lack here; until they are complete, no other route for staff
   * is allowed (rules ACC-19, ACC-27).
   */
  despite?: readonly Lack[];
  params?: P;
  query?: Q;
  body?: B;
  files?: FilesRule;
  responses: R;
  /**
   * The media type of the answer, if it is not plain JSON; JSON-LD is written so that it fits into
   * a `<script>`. The body of a sheet is its text, that of an event stream a `Readable`.
   */
  mediaType?: 'application/ld+json' | 'text/csv' | 'text/event-stream';
  /** A second media type that the client may choose. */
  otherMediaType?: 'application/x-ndjson';
  /**
   * Kinds this route answers in addition to those that follow from its other fields (see
   * `problemKinds`).
   */
  problems?: readonly ProblemKind[];
  /**
   * On create operations the header Idempotency-Key is read; `required` rejects a request without
   * it.
   */
  idempotent?: true | 'required';
  rateLimit?: RateLimitClass;
  /**
   * Operations that continue with values of a successful answer: `{ getCart: { cart_id: 'cartId' }
   * }`. For the document only.
   */
  links?: Links;
  /** Bytes of the largest JSON body, unpacked; BODY_LIMIT when left out. */
  bodyLimit?: number;
  /**
   * Cache-Control of a successful answer to GET in the storefront API; answers that belong to one
   * guest are `private, no-store` without it.
   */
  cacheControl?: string;
  /**
   * Returns a text that identifies the data on which the answer to a valid request depends, such as
   * a menu number. While the text is the same, the stored answer is sent (rule HTTP-36). Returns
   * null if the data is not in memory; then the answer is not stored. Called for every request, so
   * it must be fast.
   */
  basis?: (request: Pick<RouteRequest<P, Q, B, A>, 'params' | 'query'>, deps: Deps) => string | null;
  handler: (request: RouteRequest<P, Q, B, A>, deps: Deps) => Promise<Answer<NoInfer<R>>>;
};

/** A route as the router, the document and the tests see it. */
export type Route = Omit<
  RouteDefinition<Access, TObject | undefined, TObject | undefined, TSchema | undefined, Responses>,
  'basis' | 'handler' | 'rateLimit' | 'bodyLimit' | 'restaurants'
> & {
  restaurants: RestaurantSource | ((request: AnyRequest, deps: Deps) => Promise<Restaurants>);
  rateLimit: RateLimitClass;
  bodyLimit: number;
  basis: ((request: Pick<AnyRequest, 'params' | 'query'>, deps: Deps) => string | null) | null;
  handler: (request: AnyRequest, deps: Deps) => Promise<AnyAnswer>;
};

/** The untyped request; only the router builds one. */
export type AnyRequest = RouteRequest<undefined, undefined, undefined, 'public'> & Record<string, unknown>;
export type AnyAnswer = { status: number; body?: unknown } & Extras;

export const PREFIXES = {
  public: '/api/v1',
  admin: '/api/admin/v1',
  webhooks: '/api/webhooks',
} as const satisfies Record<Api, string>;

/** The API of a path, by its prefix alone. */
export function apiOf(path: string): Api {
  if (path.startsWith(`${PREFIXES.admin}/`)) return 'admin';
  return path.startsWith(`${PREFIXES.webhooks}/`) ? 'webhooks' : 'public';
}

const SNAKE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const SEGMENT = /^([a-z0-9]+([-_.][a-z0-9]+)*|\{[a-z0-9_]+\})$/;

/**
 * Declares one route: validation, types, permission, limits, answer shape and OpenAPI all come from
 * this object. Throws at load time when names break rule HTTP-1 or the object contradicts itself.
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
    rateLimit: route.api,
    bodyLimit: BODY_LIMIT,
    ...route,
    restaurants: (route.restaurants as Route['restaurants'] | undefined) ?? defaultSource(route),
    // The router has validated the request with the very schemas the types come from.
    basis: (route.basis as unknown as Route['basis'] | undefined) ?? null,
    handler: route.handler as unknown as Route['handler'],
  };
}

function defaultSource({ permission, params }: Pick<Route, 'permission' | 'params'>): RestaurantSource {
  if (permissionsOf(permission).length === 0) return 'SHARED';
  return namesOrganizations(params) ? 'NAMED' : 'CHAIN';
}

/** Names of the path parameters of a route, in order. */
function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? '');
}

type Named = Pick<
  Route,
  'api' | 'method' | 'path' | 'permission' | 'params' | 'query' | 'body' | 'idempotent' | 'cacheControl'
> & { basis?: unknown };

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
    ...((route.api === 'public') === (route.permission === 'public' || isPersonal(route.permission)) ||
    (route.api === 'admin' && route.permission === 'public')
      ? []
      : ['the storefront API is for guests, and the others are not']),
    ...((route.api === 'webhooks') === (route.permission === 'webhook-secret')
      ? []
      : ['webhooks are guarded by their secret, and nothing else is']),
    ...cartFaults(route),
    ...(route.permission === 'order' && !('order_id' in (route.params?.properties ?? {}))
      ? ['an order is named by the path parameter order_id']
      : []),
    ...(route.idempotent !== undefined && route.method !== 'POST' ? ['only POST can be idempotent by key'] : []),
    ...(route.idempotent !== undefined && !hasOwner(route)
      ? ['an idempotency key belongs to a caller: this operation has none']
      : []),
    ...(route.cacheControl !== undefined && route.method !== 'GET' ? ['only answers to GET may be kept'] : []),
    ...(route.basis === undefined || hasEtag(route) ? [] : ['only answers with an ETag are stored']),
    ...(isPersonal(route.permission) && !/private|no-store|^$/.test(route.cacheControl ?? '')
      ? ['responses to one guest may be cached by that guest only']
      : []),
    ...(decidesEveryWord(route) ? [] : ['every word of the field that decides the permission needs one']),
  ];
}

/**
 * Returns the place of the cart id in a request; `isRequired` when no request gets to the handler
 * without it.
 */
function cartIdOf({ params, query, body }: Pick<Named, 'params' | 'query' | 'body'>): { isRequired: boolean }[] {
  const places = [
    [params, 'cart_id'],
    [query, 'cart_id'],
    [body, 'cartId'],
  ] as const;
  return places.flatMap(([schema, name]) => {
    const { properties = {}, required = [] } = (schema ?? {}) as { properties?: object; required?: string[] };
    return name in properties ? [{ isRequired: required.includes(name) }] : [];
  });
}

function cartFaults(route: Named): string[] {
  const places = cartIdOf(route).length;
  return route.permission === 'cart' && places !== 1
    ? ['a cart is named in one place: cart_id, or cartId of the body']
    : [];
}

/**
 * Returns whether idempotency keys of a route have an owner. Without a cart, a guest is identified
 * by the client address.
 */
function hasOwner(route: Named): boolean {
  return route.permission !== 'public' && route.permission !== 'webhook-secret';
}

function decidesEveryWord({ permission, body }: Named): boolean {
  if (typeof permission !== 'object') return true;
  const { properties } = (body ?? {}) as { properties?: Record<string, { enum?: string[] }> };
  const words = properties?.[permission.field]?.enum ?? [];
  return words.length > 0 && words.toSorted().join() === Object.keys(permission.needs).toSorted().join();
}
