import type { IncomingHttpHeaders } from 'node:http';
import { Type, type Static, type TObject } from 'typebox';
import { Problem } from '../../kernel/problem.ts';
import {
  createExportLink,
  linkNotFound,
  openExportLink,
} from '../../modules/access/export-links.ts';
import { readProfile } from '../../modules/access/profile.ts';
import {
  ExportLink,
  NewExportLink,
  type ExportKind,
} from '../../modules/access/schemas/export-links.ts';
import { exportProducts, PRODUCT_EXPORT } from '../../modules/catalog/products/export-products.ts';
import {
  COMPENSATION_EXPORT,
  exportCompensations,
} from '../../modules/gifts/rights/export-compensations.ts';
import { exportOrders, ORDER_EXPORT } from '../../modules/ordering/staff/export-orders.ts';
import { Strict, Words } from '../../kernel/pure/schemas.ts';
import { ExportSheet } from '../../modules/ordering/schemas/exports.ts';
import type { Deps } from '../deps.ts';
import { requireChain, restaurantCheck } from '../http/access/restaurants.ts';
import { requireFreeExport, startExport } from '../http/exports.ts';
import { organizationResolver } from '../http/input/organization-id.ts';
import { queryValidator } from '../http/input/validation.ts';
import { defineRoute, type UserActor } from '../http/route.ts';
import { separatorQuery } from '../http/schemas.ts';
import { productFilterQuery, toProductFilters } from './catalog/products.ts';
import { compensationFilterQuery, toCompensationFilters } from './gifts/compensations.ts';
import { orderFilterQuery, toOrderFilters } from './ordering/orders.ts';

const shared = {
  api: 'admin',
  method: 'GET',
  tags: ['Exports'],
  mediaType: 'text/csv',
  otherMediaType: 'application/x-ndjson',
  responses: { 200: ExportSheet },
  problems: ['busy'],
} as const;

const formatQuery = {
  ...separatorQuery,
  format: Type.Optional({
    ...Words(['csv', 'jsonl']),
    description:
      'Without it, `Accept: application/x-ndjson` chooses JSONL, and everything else CSV.',
  }),
};

const describeExport = (first: string, columns: object): string =>
  `${first} CSV is UTF-8 with a byte order mark, as RFC 4180 describes it. A text that a spreadsheet would take for a ` +
  'formula has an apostrophe in front. JSONL has one object in each line, with the same names, and ends with ' +
  '`{"end":true,"rows":…}`. An error in the middle cuts the connection. Sums are whole kopecks, and times are ISO 8601. ' +
  `Columns: ${Object.keys(columns).join(', ')}.`;

const orderQuery = Strict({ ...formatQuery, ...orderFilterQuery });
const productQuery = Strict({ ...formatQuery, ...productFilterQuery });
const compensationQuery = Strict({ ...formatQuery, ...compensationFilterQuery });

type Started<Query extends TObject> = {
  query: Static<Query>;
  headers: IncomingHttpHeaders;
  actor: UserActor;
};

const startOrders = ({ query, headers, actor }: Started<typeof orderQuery>, deps: Deps) =>
  startExport(deps, actor, {
    kind: 'orders',
    query,
    headers,
    columns: ORDER_EXPORT,
    pages: exportOrders(
      deps,
      toOrderFilters(query, actor),
      actor.permissions.includes('orders.manage'),
    ),
  });

const startProducts = ({ query, headers, actor }: Started<typeof productQuery>, deps: Deps) =>
  startExport(deps, actor, {
    kind: 'products',
    query,
    headers,
    columns: PRODUCT_EXPORT,
    pages: exportProducts(deps.db, toProductFilters(query), deps.productIssues),
  });

const startCompensations = (
  { query, headers, actor }: Started<typeof compensationQuery>,
  deps: Deps,
) =>
  startExport(deps, actor, {
    kind: 'compensations',
    query,
    headers,
    columns: COMPENSATION_EXPORT,
    pages: exportCompensations(deps, toCompensationFilters(query)),
  });

const LINKED = {
  orders: {
    permission: 'orders.read',
    restaurants: 'LISTED',
    query: orderQuery,
    start: startOrders,
  },
  products: {
    permission: 'catalog.read',
    restaurants: 'SHARED',
    query: productQuery,
    start: startProducts,
  },
  compensations: {
    permission: 'compensations.read',
    restaurants: 'CHAIN',
    query: compensationQuery,
    start: startCompensations,
  },
} as const satisfies Record<ExportKind, unknown>;

/** Throws the same problems as the export for a caller limited to restaurants (rule ACC-61). */
async function requireRestaurants(
  kind: ExportKind,
  actor: UserActor,
  query: unknown,
  deps: Deps,
): Promise<void> {
  const { query: schema, restaurants } = LINKED[kind];
  requireChain({ restaurants }, actor);

  const check = restaurantCheck({
    method: 'GET',
    params: undefined,
    query: schema,
    body: undefined,
    restaurants,
  });

  await check(actor, { params: {}, query, body: undefined } as never, deps);
}

/** Decision 154. */
export const exportRoutes = [
  defineRoute({
    ...shared,
    path: '/exports/orders',
    restaurants: LINKED.orders.restaurants,
    operationId: 'exportOrders',
    summary: 'Orders as a file',
    description: describeExport(
      'The orders of `GET /orders` with the same filters. The columns of the guest are empty for users who may not manage orders.',
      ORDER_EXPORT,
    ),
    permission: 'orders.read',
    query: orderQuery,
    handler: startOrders,
  }),
  defineRoute({
    ...shared,
    path: '/exports/products',
    restaurants: LINKED.products.restaurants,
    operationId: 'exportProducts',
    summary: 'Products as a file',
    description: describeExport(
      'The products of `GET /products` with the same filters, by id. `POST /products/import-texts` takes the CSV file.',
      PRODUCT_EXPORT,
    ),
    permission: 'catalog.read',
    query: productQuery,
    handler: startProducts,
  }),
  defineRoute({
    ...shared,
    path: '/exports/compensations',
    restaurants: LINKED.compensations.restaurants,
    operationId: 'exportCompensations',
    summary: 'Rights to gifts as a file',
    description: describeExport(
      'The rights of `GET /compensations` with the same filters. Most digits of phones are hidden.',
      COMPENSATION_EXPORT,
    ),
    permission: 'compensations.read',
    query: compensationQuery,
    handler: startCompensations,
  }),
  defineRoute({
    api: 'admin',
    method: 'POST',
    path: '/exports/links',
    restaurants: 'SHARED',
    operationId: 'createExportLink',
    summary: 'Make a link that downloads an export',
    description:
      'A browser cannot send an access token with a link. `path` can be opened once within 60 seconds and needs no ' +
      'token. It ends with the session of the user. `query` has the parameters of the export as in its URL.',
    tags: ['Exports'],
    permission: {
      field: 'kind',
      needs: {
        orders: 'orders.read',
        products: 'catalog.read',
        compensations: 'compensations.read',
      },
    },
    body: NewExportLink,
    responses: { 200: ExportLink },
    async handler({ body, actor }, deps) {
      const { query: schema } = LINKED[body.kind];
      const query = parseParameters(body.query ?? '');
      await organizationResolver(schema)(deps, query);
      const errors = queryValidator(schema, 'query')(query);
      if (errors.length > 0) throw new Problem('validation', { errors });

      await requireRestaurants(body.kind, actor, query, deps);

      return {
        status: 200,
        body: createExportLink(deps.secrets, actor, { kind: body.kind, query }),
      };
    },
  }),
  defineRoute({
    ...shared,
    path: '/exports/download',
    operationId: 'downloadExport',
    summary: 'Download an export by its link',
    description:
      'Opens the `path` of `POST /exports/links`. A link that has expired, was used or whose user may no longer read the ' +
      'list is `not-found`.',
    permission: 'public',
    query: Strict({
      token: Type.String({ minLength: 1, maxLength: 8_000, description: 'The token of the link.' }),
    }),
    problems: ['busy', 'not-found'],
    async handler({ query, headers, requestId, isHead }, deps) {
      requireFreeExport(deps);
      const {
        id: _id,
        kind,
        query: parameters,
        ...user
      } = await openExportLink(deps, query.token, { isUsed: !isHead });

      const profile = await readProfile(deps, user);
      const { permission, start } = LINKED[kind];
      if (profile === null || !profile.permissions.includes(permission)) throw linkNotFound();

      const { userId, permissions, organizationIds: scope } = profile;
      const actor = {
        type: 'USER',
        requestId,
        rateClass: null,
        lacks: null,
        ...user,
        userId,
        permissions,
        scope,
      } as const;

      await requireRestaurants(kind, actor, parameters, deps);

      return start({ query: parameters as never, headers, actor }, deps);
    },
  }),
];

/** Parses a query like the router does: a repeated parameter becomes a list. */
function parseParameters(query: string): Record<string, unknown> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
