import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { Idempotency } from '../../kernel/idempotency.ts';
import type { Page as PageOf } from '../../kernel/pages.ts';
import type { Permission } from '../../kernel/pure/permissions.ts';
import type { ProblemKind } from '../../kernel/pure/problems.ts';
import { Page, Strict } from '../../kernel/pure/schemas.ts';
import type { RowRestaurants, Scope } from '../../kernel/scope.ts';
import type { Deps } from '../deps.ts';
import { defineRoute, type Route, type UserActor } from './route.ts';
import { IdParams, pageQuery, sortQuery, toPage } from './schemas.ts';

type Operation = {
  operationId: string;
  summary: string;
  description: string;
  bodyLimit?: number;
  problems?: readonly ProblemKind[];
};

type KeyOf<Params extends TObject> = Static<Params>[keyof Static<Params>];

type ListedPage<Field extends string> = ReturnType<typeof toPage<Field>> & { scope: Scope };

type List<Listed extends TSchema, Field extends string, Filters extends TProperties> = Operation & {
  sort: readonly Field[];
  filters?: Filters;
  /** Defaults to the schema of the resource. */
  item?: Listed;
  run: (
    deps: Deps,
    page: ListedPage<Field>,
    query: Static<TObject<Filters>>,
  ) => Promise<PageOf<Static<NoInfer<Listed>>>>;
};

type Create<Created extends TSchema, New extends TSchema> = Operation & {
  body: New;
  /** Restaurants of the new row, if its body does not name them. */
  restaurants?: (db: Deps['db'], body: Static<New>) => Promise<RowRestaurants>;
  /** Defaults to the schema of the resource. */
  item?: Created;
  run: (
    deps: Deps,
    actor: UserActor,
    body: Static<New>,
    idempotency: Idempotency | null,
  ) => Promise<Static<NoInfer<Created>>>;
};

type Get<Item extends TSchema, Key> = Omit<Operation, 'description'> & {
  /** Defaults to NAMES_VERSION. */
  description?: string;
  run: (deps: Deps, key: Key) => Promise<Static<NoInfer<Item>>>;
};

type Edit<Item extends TSchema, Key, Change extends TSchema> = Operation & {
  body: Change;
  /** Restaurants before and after, if an edit can change them. */
  restaurants?: (db: Deps['db'], key: Key, body: Static<Change>) => Promise<RowRestaurants>;
  run: (
    deps: Deps,
    actor: UserActor,
    key: Key,
    body: Static<Change>,
  ) => Promise<Static<NoInfer<Item>>>;
};

type Remove<Key> = Operation & { run: (deps: Deps, actor: UserActor, key: Key) => Promise<void> };

type Access = 'reads' | 'writes';

/**
 * Each named operation becomes a route whose use case is in `run`. Other routes are declared
 * separately.
 */
export type ResourceDefinition<
  Item extends TSchema,
  Params extends TObject,
  Field extends string,
  Filters extends TProperties,
  New extends TSchema,
  Change extends TSchema,
  Listed extends TSchema,
  Created extends TSchema,
> = {
  path: string;
  tags: readonly string[];
  /** One permission for all operations, or one for reads and another for writes. */
  permission: Permission | Readonly<Record<Access, Permission>>;
  /**
   * `SHARED`: everyone can read, only chain-wide staff can write. A function returns the
   * restaurants of a row, which limits lists and new rows (rule ACC-61). By default, operations are
   * chain-wide.
   */
  restaurants?: 'SHARED' | ((db: Deps['db'], key: KeyOf<Params>) => Promise<RowRestaurants>);
  /** Defaults to IdParams. */
  params?: Params;
  item: Item;
  list?: List<Listed, Field, Filters>;
  create?: Create<Created, New>;
  get?: Get<Item, KeyOf<Params>>;
  edit?: Edit<Item, KeyOf<Params>, Change>;
  remove?: Remove<KeyOf<Params>>;
};

const NAMES_VERSION = 'An update has to name `version`.';

type AnyResource = ResourceDefinition<
  TSchema,
  TObject,
  string,
  TProperties,
  TSchema,
  TSchema,
  TSchema,
  TSchema
>;

/**
 * Declares the routes of an admin resource: methods, paths, responses, paging and the usual
 * problems.
 */
export function defineResource<
  const Item extends TSchema,
  const Params extends TObject = typeof IdParams,
  const Field extends string = string,
  const Filters extends TProperties = Record<never, never>,
  const New extends TSchema = TSchema,
  const Change extends TSchema = TSchema,
  const Listed extends TSchema = Item,
  const Created extends TSchema = Item,
>(
  definition: ResourceDefinition<Item, Params, Field, Filters, New, Change, Listed, Created>,
): Route[] {
  const resource = definition as unknown as AnyResource;
  const { list, create, get, edit, remove } = resource;

  return [
    ...(list === undefined ? [] : [listRoute(resource, list)]),
    ...(create === undefined ? [] : [createRoute(resource, create)]),
    ...(get === undefined ? [] : [getRoute(resource, get)]),
    ...(edit === undefined ? [] : [editRoute(resource, edit)]),
    ...(remove === undefined ? [] : [removeRoute(resource, remove)]),
  ];
}

function buildRoute({ path, tags, permission }: AnyResource, access: Access) {
  return {
    api: 'admin',
    path,
    tags,
    permission: typeof permission === 'string' ? permission : permission[access],
  } as const;
}

type RowRequest = { params: unknown };
type Body = { body: unknown };

function buildRowRoute(resource: AnyResource, access: Access) {
  const { path, restaurants, params = IdParams as TObject } = resource;
  const name = Object.keys(params.properties)[0]!;
  const keyOf = (request: RowRequest): unknown => (request.params as Record<string, unknown>)[name];

  const route = { ...buildRoute(resource, access), path: `${path}/{${name}}`, params };
  if (typeof restaurants === 'function') {
    const ofRow = (request: RowRequest, { db }: Deps) => restaurants(db, keyOf(request));
    return { keyOf, route: { ...route, restaurants: ofRow } };
  }

  return {
    keyOf,
    route: access === 'reads' && restaurants === 'SHARED' ? { ...route, restaurants } : route,
  };
}

function listRoute(
  resource: AnyResource,
  { run, sort, filters, item = resource.item, ...operation }: NonNullable<AnyResource['list']>,
): Route {
  const { restaurants } = resource;
  return defineRoute({
    ...buildRoute(resource, 'reads'),
    ...(restaurants === undefined
      ? {}
      : { restaurants: restaurants === 'SHARED' ? restaurants : 'LISTED' }),
    ...operation,
    method: 'GET',
    query: Strict({ ...pageQuery, ...sortQuery(sort), ...filters }),
    responses: { 200: Page(item) },
    handler: async ({ query, actor: { scope } }, deps) => ({
      status: 200,
      body: await run(deps, { ...toPage(query), scope }, query),
    }),
  });
}

function createRoute(
  resource: AnyResource,
  {
    run,
    body,
    restaurants,
    item = resource.item,
    ...operation
  }: NonNullable<AnyResource['create']>,
): Route {
  const named =
    typeof resource.restaurants === 'function' ? ({ restaurants: 'NAMED' } as const) : {};
  return defineRoute({
    ...buildRoute(resource, 'writes'),
    ...(restaurants === undefined
      ? named
      : { restaurants: (request: Body, { db }: Deps) => restaurants(db, request.body) }),
    ...operation,
    method: 'POST',
    idempotent: true,
    body,
    responses: { 201: item },
    handler: async ({ body: row, actor, idempotency }, deps) => ({
      status: 201,
      body: await run(deps, actor, row, idempotency),
    }),
  });
}

function getRoute(
  resource: AnyResource,
  {
    run,
    description = NAMES_VERSION,
    problems = [],
    ...operation
  }: NonNullable<AnyResource['get']>,
): Route {
  const { keyOf, route } = buildRowRoute(resource, 'reads');
  return defineRoute({
    ...route,
    ...operation,
    description,
    method: 'GET',
    responses: { 200: resource.item },
    problems: ['not-found', ...problems],
    handler: async (request, deps) => ({ status: 200, body: await run(deps, keyOf(request)) }),
  });
}

function editRoute(
  resource: AnyResource,
  { run, body, restaurants, problems = [], ...operation }: NonNullable<AnyResource['edit']>,
): Route {
  const { keyOf, route } = buildRowRoute(resource, 'writes');
  return defineRoute({
    ...route,
    ...(restaurants === undefined
      ? {}
      : {
          restaurants: (request: RowRequest & Body, { db }: Deps) =>
            restaurants(db, keyOf(request), request.body),
        }),
    ...operation,
    method: 'PATCH',
    body,
    responses: { 200: resource.item },
    problems: ['not-found', 'version-conflict', ...problems],
    handler: async (request, deps) => ({
      status: 200,
      body: await run(deps, request.actor, keyOf(request), request.body),
    }),
  });
}

function removeRoute(
  resource: AnyResource,
  { run, problems = [], ...operation }: NonNullable<AnyResource['remove']>,
): Route {
  const { keyOf, route } = buildRowRoute(resource, 'writes');
  return defineRoute({
    ...route,
    ...operation,
    method: 'DELETE',
    responses: { 204: null },
    problems: ['not-found', ...problems],
    async handler(request, deps) {
      await run(deps, request.actor, keyOf(request));
      return { status: 204 };
    },
  });
}
