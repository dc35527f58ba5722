import { Type } from 'typebox';
import {
  editOrdering,
  getOrdering,
} from '../../../modules/delivery/configuration/ordering-config.ts';
import {
  getSchedule,
  replaceSchedule,
} from '../../../modules/delivery/configuration/ordering-schedule.ts';
import { previewSlots, previewStatus } from '../../../modules/delivery/hours/preview.ts';
import {
  DeliverySlots,
  FulfillmentTypeWord,
  OrderingConfig,
  OrderingConfigEdit,
  OrderingSchedule,
  OrderingScheduleEdit,
  OrderingStatus,
} from '../../../modules/delivery/schemas/hours.ts';
import { Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { OrganizationParams } from '../../http/schemas.ts';

const shared = {
  api: 'admin',
  tags: ['Ordering'],
  permission: 'ordering.manage',
  params: OrganizationParams,
} as const;

const At = Type.Optional(
  Type.String({
    format: 'date-time',
    pattern: '^20',
    description: 'Moment to evaluate. Defaults to now.',
  }),
);

const parseMoment = (at: string | undefined): number =>
  at === undefined ? Date.now() : Date.parse(at);

const getOrderingRoute = defineRoute({
  ...shared,
  method: 'GET',
  path: '/organizations/{id}/ordering',
  permission: 'ordering.read',
  operationId: 'getOrdering',
  summary: 'Get the order intake of an organization',
  description:
    'An organization that has not been configured has the defaults and version 0: it takes no orders.',
  responses: { 200: OrderingConfig },
  problems: ['not-found'],
  handler: async ({ params }, deps) => ({ status: 200, body: await getOrdering(deps, params.id) }),
});

const editOrderingRoute = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/organizations/{id}/ordering',
  operationId: 'editOrdering',
  summary: 'Change how an organization takes orders',
  description:
    'An absent field keeps its value, `null` clears a text. Guests see the change within seconds.',
  body: OrderingConfigEdit,
  responses: { 200: OrderingConfig },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await editOrdering(deps, actor, params.id, body),
  }),
});

const getScheduleRoute = defineRoute({
  ...shared,
  method: 'GET',
  path: '/organizations/{id}/schedule',
  permission: 'ordering.read',
  operationId: 'getSchedule',
  summary: 'Regular week of an organization',
  description:
    'The windows are in the order in which they were sent. Version 0 means that no week has been set.',
  responses: { 200: OrderingSchedule },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getSchedule(db, params.id) }),
});

const replaceScheduleRoute = defineRoute({
  ...shared,
  method: 'PUT',
  path: '/organizations/{id}/schedule',
  operationId: 'replaceSchedule',
  summary: 'Replace the regular week',
  description:
    'The whole week is sent. Windows of DINE_IN are the hours of the restaurant; without them those of PICKUP are. ' +
    'Windows of one channel must not overlap, over midnight and from Sunday to Monday included.',
  body: OrderingScheduleEdit,
  responses: { 200: OrderingSchedule },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await replaceSchedule(deps, actor, params.id, body),
  }),
});

const previewStatusRoute = defineRoute({
  ...shared,
  method: 'GET',
  path: '/organizations/{id}/status',
  permission: 'ordering.read',
  operationId: 'previewStatus',
  summary: 'Status at a moment',
  description: 'The answer is what guests are told at that moment, from what is stored now.',
  query: Strict({ at: At }),
  responses: { 200: OrderingStatus },
  problems: ['not-found'],
  handler: async ({ params, query }, deps) => ({
    status: 200,
    body: await previewStatus(deps, params.id, parseMoment(query.at)),
  }),
});

const previewSlotsRoute = defineRoute({
  ...shared,
  method: 'GET',
  path: '/organizations/{id}/slots',
  permission: 'ordering.read',
  operationId: 'previewSlots',
  summary: 'Slots at a moment',
  description: 'The answer is what guests are offered at that moment, from what is stored now.',
  query: Strict({ at: At, type: FulfillmentTypeWord }),
  responses: { 200: DeliverySlots },
  problems: ['not-found'],
  handler: async ({ params, query }, deps) => ({
    status: 200,
    body: await previewSlots(deps, params.id, query.type, parseMoment(query.at)),
  }),
});

export const orderingRoutes = [
  getOrderingRoute,
  editOrderingRoute,
  getScheduleRoute,
  replaceScheduleRoute,
  previewStatusRoute,
  previewSlotsRoute,
];
