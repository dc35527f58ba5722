import {
  endBusyMode,
  endBusyModes,
  getBusyMode,
  listBusyModes,
  setBusyMode,
  setBusyModes,
} from '../../../modules/delivery/busy-mode/busy-mode.ts';
import {
  BusyMode,
  BusyModeEdit,
  BusyModeList,
  BusyModesEdit,
} from '../../../modules/delivery/schemas/busy-mode.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { OrganizationParams, pageQuery, sortQuery, toPage } from '../../http/schemas.ts';

const shared = { api: 'admin', tags: ['Ordering'], permission: 'ordering.manage' } as const;

const AFTERWARDS =
  'Guests see longer estimates, later slots and a notice at once. It ends by itself. Orders that were placed before keep their time.';

export const busyModeRoutes = [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/busy',
    permission: 'ordering.read',
    restaurants: 'LISTED',
    operationId: 'listBusyModes',
    summary: 'Organizations with a busy kitchen',
    description: 'Sorted by end, the earliest first.',
    query: Strict({ ...pageQuery, ...sortQuery(['extraMinutes', 'until', 'updatedAt']) }),
    responses: { 200: Page(BusyMode) },
    handler: async ({ query, actor: { scope } }, { db }) => ({
      status: 200,
      body: await listBusyModes(db, { ...toPage(query), scope }),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/busy',
    restaurants: 'LISTED',
    operationId: 'setBusyModes',
    summary: 'Announce a busy kitchen in several organizations',
    description: `Applies to \`organizationIds\`, or to every organization that guests are served in, each on its own clock. ${AFTERWARDS}`,
    body: BusyModesEdit,
    responses: { 200: BusyModeList },
    handler: async ({ body, actor }, deps) => ({
      status: 200,
      body: await setBusyModes(deps, actor, actor.scope, body),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/busy',
    restaurants: 'LISTED',
    operationId: 'endBusyModes',
    summary: 'End the busy mode of all organizations',
    description: 'Guests see the difference at once.',
    responses: { 204: null },
    async handler({ actor }, deps) {
      await endBusyModes(deps, actor, actor.scope);
      return { status: 204 };
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/organizations/{id}/busy',
    permission: 'ordering.read',
    operationId: 'getBusyMode',
    summary: 'Busy mode of an organization',
    description: 'The fields are null while the kitchen is not busy.',
    params: OrganizationParams,
    responses: { 200: BusyMode },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({
      status: 200,
      body: await getBusyMode(db, params.id),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/organizations/{id}/busy',
    operationId: 'setBusyMode',
    summary: 'Announce a busy kitchen',
    description: `Replaces a busy mode that is active. The same request again changes nothing. ${AFTERWARDS}`,
    params: OrganizationParams,
    body: BusyModeEdit,
    responses: { 200: BusyMode },
    problems: ['not-found'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await setBusyMode(deps, actor, params.id, body),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/organizations/{id}/busy',
    operationId: 'endBusyMode',
    summary: 'End the busy mode of an organization',
    description: 'Guests see the change immediately. If no busy mode is active, nothing changes.',
    params: OrganizationParams,
    responses: { 204: null },
    problems: ['not-found'],
    async handler({ params, actor }, deps) {
      await endBusyMode(deps, actor, params.id);
      return { status: 204 };
    },
  }),
];
