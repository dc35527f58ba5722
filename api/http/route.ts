import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject, TSchema } from 'typebox';
import type { Actor, CartActor, CustomerActor, OrderActor } from '../../kernel/actor.ts';
import type { WebhookSource } from '../../modules/connections/webhook-secrets.ts';
import type { Idempotency } from '../../kernel/idempotency.ts';
import type { RateClass } from '../../modules/access/schemas/api-keys.ts';
import type { RowRestaurants, Scope } from '../../kernel/scope.ts';
import { namesOrganizations } from './input/organization-id.ts';
import type { Permission } from '../../kernel/pure/permissions.ts';
import type { ProblemKind } from '../../kernel/pure/problems.ts';
import type { Deps } from '../deps.ts';

export type Api = 'public' | 'admin' | 'webhooks';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type PermissionByField = {
  readonly field: string;
  readonly needs: Readonly<Record<string, Permission>>;
};

export type AccessWithoutStaff = 'public' | 'customer' | 'cart' | 'order' | 'webhook-secret';

/**
 * Everyone, a customer, a caller with the id of a cart or order, the ERP with its webhook secret,
 * signed-in persons (`authenticated`), these and admin keys (`staff`), or staff with a
 * permission. A `cart` route has `cart_id` or `cartId`; if optional, the caller may be a customer
 * or guest. An `order` route has `order_id`.
 */
export type Access =
  | AccessWithoutStaff
  | 'authenticated'
  | 'staff'
  | Permission
  | PermissionByField;

/** Returns the permissions, of which a caller needs one. */
export function listPermissions(access: Access): readonly Permission[] {
  if (typeof access === 'object') return [...new Set(Object.values(access.needs))];
  return isWithoutStaff(access) || access === 'authenticated' || access === 'staff' ? [] : [access];
}

const WITHOUT_STAFF: readonly Access[] = ['public', 'customer', 'cart', 'order', 'webhook-secret'];

export function isWithoutStaff(access: Access): access is AccessWithoutStaff {
  return WITHOUT_STAFF.includes(access);
}

/**
 * Restaurants of an operation, for limited callers (rule ACC-61). Fields of the type
 * `OrganizationId` may always name only their own.
 *
 * - `NAMED`: the request has such a field.
 * - `LISTED`: the handler filters by `actor.scope`.
 * - `SHARED`: chain-wide objects, such as products.
 * - `CHAIN`: rejects limited callers.
 * - A function returns the restaurants of the row.
 */
export type RestaurantSource = 'NAMED' | 'LISTED' | 'SHARED' | 'CHAIN';

/** Returns true for routes whose responses must not be cached. */
export function isPersonal(access: Access): access is 'customer' | 'cart' | 'order' {
  return access === 'customer' || access === 'cart' || access === 'order';
}

/** Returns true for public responses with ETag and 304. */
export function hasEtag({
  api,
  method,
  permission,
  cacheControl,
}: Pick<Route, 'api' | 'method' | 'permission' | 'cacheControl'>): boolean {
  return (
    api === 'public' && method === 'GET' && !isPersonal(permission) && cacheControl !== 'no-store'
  );
}

/** Media files and documents have no route. */
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

/** Parsing this takes a millisecond. */
const BODY_LIMIT = 65_536;

export type UploadedFile = { field: string; originalName: string; mime: string; bytes: Buffer };

/** The other fields of the form are in `body`. */
export type FilesRule = {
  field: string;
  maxBytes: number;
  description: string;
  example: string;
  /** Used only in the document. */
  types: readonly string[];
};

/** Null for a response without a body. */
export type Responses = { readonly [status: number]: TSchema | null };

export type Cookie = {
  name: string;
  value: string;
  /** Seconds; 0 removes the cookie. */
  maxAge: number;
  /** Strict by default. Use Lax if another site redirects here. */
  sameSite?: 'Lax';
};

/** Has no permissions until a required second factor is set up. */
export type UserActor = Extract<Actor, { type: 'USER' }> & {
  /** Null for an API key. */
  sessionId: string | null;
  /** Null for a person. */
  rateClass: RateClass | null;
  permissions: readonly Permission[];
  /** Visible restaurants; null for all. */
  scope: Scope;
  /** Blocks all other operations. */
  lacks: Lack | null;
};

/** Excludes API keys (rule ACC-31). */
type SessionActor = UserActor & { sessionId: string };

export type Lack = 'OWN_PASSWORD' | 'SECOND_FACTOR';

type Parsed<S> = S extends TSchema ? Static<S> : undefined;

type NamesCart<P, Q, B> = Parsed<P> & Parsed<Q> extends { cart_id: string }
  ? true
  : Parsed<B> extends { cartId: string }
    ? true
    : false;

/** The actor of a `cart` route may also be a customer or null, unless the route requires a cart. */
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

/** With its own secret, or the common secret. */
export type WebhookActor = { type: 'WEBHOOK' } & WebhookSource;

export type AnyActor = UserActor | CustomerActor | CartActor | OrderActor;

type Extras = {
  headers?: Record<string, string>;
  cookies?: Cookie[];
  /** False if the response depends on more than the route's `basis`. */
  keep?: false;
  /** Required if the route has several. */
  mediaType?: string;
};

/** Parameters of other operations, each with the field of this response that supplies its value. */
type Links = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Answer<R extends Responses> = {
  [S in keyof R & number]: { status: S } & Extras &
    (R[S] extends TSchema ? { body: Static<R[S]> } : { body?: undefined });
}[keyof R & number];

export type RouteRequest<P, Q, B, A extends Access> = {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
  files: readonly UploadedFile[];
  actor: ActorOf<A, P, Q, B>;
  requestId: string;
  /** Used only for throttling, never logged. */
  clientAddress: string;
  headers: IncomingHttpHeaders;
  /** A HEAD request must not change anything. */
  isHead: boolean;
  cookies: (name: string) => string | undefined;
  /** Pass to `once` in the transaction of the use case. */
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
  /** Parameters in snake_case. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  permission: A;
  /**
   * Default: `SHARED` without a permission, `NAMED` with a restaurant in the path, otherwise
   * `CHAIN`.
   */
  restaurants?:
    | RestaurantSource
    | ((
        request: Pick<RouteRequest<P, Q, B, A>, 'params' | 'query' | 'body'>,
        deps: Deps,
      ) => Promise<RowRestaurants>);
  /** Allows the route to users who lack these (rules ACC-19, ACC-27). */
  despite?: readonly Lack[];
  params?: P;
  query?: Q;
  body?: B;
  files?: FilesRule;
  responses: R;
  /** JSON by default. JSON-LD is safe inside `<script>`. An event stream has a `Readable` body. */
  mediaType?: 'application/ld+json' | 'text/csv' | 'text/event-stream';
  otherMediaType?: 'application/x-ndjson';
  /** Problems besides the implied ones (`problemKinds`). */
  problems?: readonly ProblemKind[];
  /** `required` rejects requests without Idempotency-Key. */
  idempotent?: true | 'required';
  rateLimit?: RateLimitClass;
  /** For example `{ getCart: { cart_id: 'cartId' } }`. */
  links?: Links;
  /** Unpacked JSON; BODY_LIMIT by default. */
  bodyLimit?: number;
  /** Personal responses default to `private, no-store`. */
  cacheControl?: string;
  /**
   * Identifies the data of a response, for example by a menu revision (rule HTTP-36). While it is
   * unchanged, the stored response is sent. Null if the data is not in memory. Must be fast.
   */
  basis?: (
    request: Pick<RouteRequest<P, Q, B, A>, 'params' | 'query'>,
    deps: Deps,
  ) => string | null;
  handler: (request: RouteRequest<P, Q, B, A>, deps: Deps) => Promise<Answer<NoInfer<R>>>;
};

export type Route = Omit<
  RouteDefinition<Access, TObject | undefined, TObject | undefined, TSchema | undefined, Responses>,
  'basis' | 'handler' | 'rateLimit' | 'bodyLimit' | 'restaurants'
> & {
  restaurants: RestaurantSource | ((request: AnyRequest, deps: Deps) => Promise<RowRestaurants>);
  rateLimit: RateLimitClass;
  bodyLimit: number;
  basis: ((request: Pick<AnyRequest, 'params' | 'query'>, deps: Deps) => string | null) | null;
  handler: (request: AnyRequest, deps: Deps) => Promise<AnyAnswer>;
};

/** Built by the router only. */
export type AnyRequest = RouteRequest<undefined, undefined, undefined, 'public'> &
  Record<string, unknown>;
export type AnyAnswer = { status: number; body?: unknown } & Extras;

export const PREFIXES = {
  public: '/api/v1',
  admin: '/api/admin/v1',
  webhooks: '/api/webhooks',
} as const satisfies Record<Api, string>;

export function findApi(path: string): Api {
  if (path.startsWith(`${PREFIXES.admin}/`)) return 'admin';
  return path.startsWith(`${PREFIXES.webhooks}/`) ? 'webhooks' : 'public';
}

const SNAKE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const SEGMENT = /^([a-z0-9]+([-_.][a-z0-9]+)*|\{[a-z0-9_]+\})$/;

/** Declares a route. Throws for names that violate rule HTTP-1, and for contradictions. */
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
    // The router validates these types.
    basis: (route.basis as unknown as Route['basis'] | undefined) ?? null,
    handler: route.handler as unknown as Route['handler'],
  };
}

function defaultSource({
  permission,
  params,
}: Pick<Route, 'permission' | 'params'>): RestaurantSource {
  if (listPermissions(permission).length === 0) return 'SHARED';
  return namesOrganizations(params) ? 'NAMED' : 'CHAIN';
}

function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? '');
}

type Named = Pick<
  Route,
  | 'api'
  | 'method'
  | 'path'
  | 'permission'
  | 'params'
  | 'query'
  | 'body'
  | 'idempotent'
  | 'cacheControl'
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
    ...names
      .filter((name) => !SNAKE.test(name))
      .map((name) => `parameter "${name}" is not snake_case`),
    ...(inPath.toSorted().join() === declared.toSorted().join()
      ? []
      : ['params do not match the path']),
    ...((route.api === 'public') ===
      (route.permission === 'public' || isPersonal(route.permission)) ||
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
    ...(route.idempotent !== undefined && route.method !== 'POST'
      ? ['only POST can be idempotent by key']
      : []),
    ...(route.idempotent !== undefined && !hasOwner(route)
      ? ['an idempotency key belongs to a caller: this operation has none']
      : []),
    ...(route.cacheControl !== undefined && route.method !== 'GET'
      ? ['only answers to GET may be kept']
      : []),
    ...(route.basis === undefined || hasEtag(route)
      ? []
      : ['only answers with an ETag are stored']),
    ...(isPersonal(route.permission) && !/private|no-store|^$/.test(route.cacheControl ?? '')
      ? ['responses to one guest may be cached by that guest only']
      : []),
    ...(decidesEveryWord(route)
      ? []
      : ['every word of the field that decides the permission needs one']),
  ];
}

function findCartId({
  params,
  query,
  body,
}: Pick<Named, 'params' | 'query' | 'body'>): { isRequired: boolean }[] {
  const places = [
    [params, 'cart_id'],
    [query, 'cart_id'],
    [body, 'cartId'],
  ] as const;

  return places.flatMap(([schema, name]) => {
    const { properties = {}, required = [] } = (schema ?? {}) as {
      properties?: object;
      required?: string[];
    };

    return name in properties ? [{ isRequired: required.includes(name) }] : [];
  });
}

function cartFaults(route: Named): string[] {
  const places = findCartId(route).length;
  return route.permission === 'cart' && places !== 1
    ? ['a cart is named in one place: cart_id, or cartId of the body']
    : [];
}

/** The client address identifies guests without a cart. */
function hasOwner(route: Named): boolean {
  return route.permission !== 'public' && route.permission !== 'webhook-secret';
}

function decidesEveryWord({ permission, body }: Named): boolean {
  if (typeof permission !== 'object') return true;
  const { properties } = (body ?? {}) as { properties?: Record<string, { enum?: string[] }> };
  const words = properties?.[permission.field]?.enum ?? [];

  return (
    words.length > 0 && words.toSorted().join() === Object.keys(permission.needs).toSorted().join()
  );
}
