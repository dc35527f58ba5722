import { Type } from 'typebox';
import {
  createException,
  deleteException,
  editException,
  listExceptions,
} from '../../../modules/delivery/configuration/schedule-exceptions.ts';
import { createExceptions, listAllExceptions } from '../../../modules/delivery/many-exceptions.ts';
import { restaurantsOfException } from '../../../modules/delivery/configuration/restaurants-of-rows.ts';
import {
  NewScheduleException,
  NewScheduleExceptions,
  ScheduleException,
  ScheduleExceptionEdit,
  ScheduleExceptionsResult,
} from '../../../modules/delivery/schemas/hours.ts';
import { OrganizationId, Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { OrganizationParams, pageQuery, sortQuery, toPage } from '../../http/schemas.ts';

const shared = { api: 'admin', tags: ['Ordering'], permission: 'ordering.manage' } as const;

const listExceptionsRoute = defineRoute({
  ...shared,
  method: 'GET',
  path: '/organizations/{id}/schedule-exceptions',
  permission: 'ordering.read',
  operationId: 'listScheduleExceptions',
  summary: 'Exceptions of the week',
  description: 'The latest date or beginning comes first.',
  params: OrganizationParams,
  query: Strict({ ...pageQuery, ...sortQuery(['kind', 'date', 'createdAt']) }),
  responses: { 200: Page(ScheduleException) },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await listExceptions(db, params.id, toPage(query)),
  }),
});

const createExceptionRoute = defineRoute({
  ...shared,
  method: 'POST',
  path: '/organizations/{id}/schedule-exceptions',
  operationId: 'createScheduleException',
  summary: 'Create an exception of the week',
  description:
    'CLOSED and SPECIAL_HOURS replace the windows that begin on `date`, of one channel or, without `channel`, of all. ' +
    'INTAKE_STOPPED takes no orders from `from` to `to`, or until it is changed, while the restaurant stays open.',
  params: OrganizationParams,
  idempotent: true,
  body: NewScheduleException,
  responses: { 201: ScheduleException },
  problems: ['not-found', 'duplicate'],
  handler: async ({ params, body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createException(deps, actor, params.id, body, idempotency),
  }),
});

const listAllRoute = defineRoute({
  ...shared,
  method: 'GET',
  path: '/schedule-exceptions',
  permission: 'ordering.read',
  restaurants: 'LISTED',
  operationId: 'listAllScheduleExceptions',
  summary: 'Exceptions of all organizations',
  description:
    'Sorted by organization. `active_at` keeps stops of intake and dates that apply at a moment.',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['organizationId', 'kind', 'date', 'from', 'to', 'createdAt']),
    active_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Keeps exceptions that apply at this moment.',
      }),
    ),
    organization_id: Type.Optional(OrganizationId),
  }),
  responses: { 200: Page(ScheduleException) },
  handler: async ({ query, actor: { scope } }, deps) => ({
    status: 200,
    body: await listAllExceptions(deps, {
      ...toPage(query),
      activeAt: query.active_at === undefined ? null : new Date(query.active_at),
      organizationId: query.organization_id,
      scope,
    }),
  }),
});

const createManyRoute = defineRoute({
  ...shared,
  method: 'POST',
  path: '/schedule-exceptions',
  restaurants: 'NAMED',
  operationId: 'createScheduleExceptions',
  summary: 'Create an exception in several organizations',
  description:
    'Send `mode: PLAN` first: it writes nothing and returns the outcome for each organization. An organization that ' +
    'has an exception for the same time keeps it. A repetition changes nothing.',
  body: NewScheduleExceptions,
  responses: { 200: ScheduleExceptionsResult },
  problems: ['duplicate'],
  handler: async ({ body, actor }, deps) => ({
    status: 200,
    body: await createExceptions(deps, actor, body),
  }),
});

const exceptionRoutes = defineResource({
  path: '/schedule-exceptions',
  tags: shared.tags,
  permission: shared.permission,
  restaurants: restaurantsOfException,
  item: ScheduleException,
  edit: {
    operationId: 'editScheduleException',
    summary: 'Change an exception of the week',
    description: 'An absent field keeps its value, `null` clears it. The kind cannot be changed.',
    problems: ['duplicate'],
    body: ScheduleExceptionEdit,
    run: editException,
  },
  remove: {
    operationId: 'deleteScheduleException',
    summary: 'Delete an exception of the week',
    description: 'The regular week applies again.',
    run: deleteException,
  },
});

export const scheduleExceptionRoutes = [
  listExceptionsRoute,
  createExceptionRoute,
  listAllRoute,
  createManyRoute,
  ...exceptionRoutes,
];
