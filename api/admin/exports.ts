import { Type } from 'typebox';
import { exportProducts, PRODUCT_EXPORT } from '../../modules/catalog/products/export-products.ts';
import { COMPENSATION_EXPORT, exportCompensations } from '../../modules/gifts/rights/export-compensations.ts';
import { exportOrders, ORDER_EXPORT } from '../../modules/ordering/staff/export-orders.ts';
import { Strict, Words } from '../../kernel/pure/schemas.ts';
import { ExportSheet } from '../../modules/ordering/schemas/exports.ts';
import { startExport } from '../http/exports.ts';
import { defineRoute } from '../http/route.ts';
import { separatorQuery } from '../http/schemas.ts';
import { productFilterQuery, productFiltersOf } from './catalog/products.ts';
import { compensationFilterQuery, compensationFiltersOf } from './gifts/compensations.ts';
import { orderFilterQuery, orderFiltersOf } from './ordering/orders.ts';

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
    description: 'Without it, `Accept: application/x-ndjson` chooses JSONL, and everything else CSV.',
  }),
};

const descriptionOf = (first: string, columns: object): string =>
  `${first} CSV is UTF-8 with a byte order mark, as RFC 4180 describes it. A text that a spreadsheet would take for a ` +
  'formula has an apostrophe in front. JSONL has one object in each line, with the same names, and ends with ' +
  '`{"end":true,"rows":…}`. An error in the middle cuts the connection. Sums are whole kopecks, and times are ISO 8601. ' +
  `Columns: ${Object.keys(columns).join(', ')}.`;

/** Lists as files (decision 154). */
export const exportRoutes = [
  defineRoute({
    ...shared,
    path: '/exports/orders',
    restaurants: 'LISTED',
    operationId: 'exportOrders',
    summary: 'Orders as a file',
    description: descriptionOf(
      'The orders of `GET /orders` with the same filters. The columns of the guest are empty for users who may not manage orders.',
      ORDER_EXPORT,
    ),
    permission: 'orders.read',
    query: Strict({ ...formatQuery, ...orderFilterQuery }),
    handler: ({ query, headers, actor }, deps) =>
      startExport(deps, actor, {
        kind: 'orders',
        query,
        headers,
        columns: ORDER_EXPORT,
        pages: exportOrders(deps, orderFiltersOf(query, actor), actor.permissions.includes('orders.manage')),
      }),
  }),
  defineRoute({
    ...shared,
    path: '/exports/products',
    restaurants: 'SHARED',
    operationId: 'exportProducts',
    summary: 'Products as a file',
    description: descriptionOf(
      'The products of `GET /products` with the same filters, by id. `POST /products/import-texts` takes the CSV file.',
      PRODUCT_EXPORT,
    ),
    permission: 'catalog.read',
    query: Strict({ ...formatQuery, ...productFilterQuery }),
    handler: ({ query, headers, actor }, deps) =>
      startExport(deps, actor, {
        kind: 'products',
        query,
        headers,
        columns: PRODUCT_EXPORT,
        pages: exportProducts(deps.db, productFiltersOf(query), deps.productIssues),
      }),
  }),
  defineRoute({
    ...shared,
    path: '/exports/compensations',
    operationId: 'exportCompensations',
    summary: 'Rights to gifts as a file',
    description: descriptionOf(
      'The rights of `GET /compensations` with the same filters. Most digits of phones are hidden.',
      COMPENSATION_EXPORT,
    ),
    permission: 'compensations.read',
    query: Strict({ ...formatQuery, ...compensationFilterQuery }),
    handler: ({ query, headers, actor }, deps) =>
      startExport(deps, actor, {
        kind: 'compensations',
        query,
        headers,
        columns: COMPENSATION_EXPORT,
        pages: exportCompensations(deps, compensationFiltersOf(query)),
      }),
  }),
];
