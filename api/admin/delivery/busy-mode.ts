import {
  endBusyMode,
  endBusyModes,
  getBusyMode,
  listBusyModes,
  setBusyMode,
  setBusyModes,
} from '../../../modules/delivery/busy-mode/busy-mode.ts';
import { BusyMode, BusyModeEdit, BusyModeList } from '../../../modules/delivery/schemas/busy-mode.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { OrganizationParams, pageOf, pageQuery, sortQuery } from '../../http/schemas.ts';

const shared = { api: 'admin', tags: ['Ordering'], permission: 'ordering.manage' } as const;

const AFTERWARDS =
  'Guests see longer estimates, later slots and a notice at once. It ends by itself. Orders that were placed before keep their time.';

export const busyModeRoutes = [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/busy',
    operationId: 'listBusyModes',
    summary: 'Organizations with a busy kitchen',
    description: 'Sorted by end, the earliest first.',
    query: Strict({ ...pageQuery, ...sortQuery(['extraMinutes', 'until', 'updatedAt']) }),
    responses: { 200: Page(BusyMode) },
    handler: async ({ query }, { db }) => ({ status: 200, body: await listBusyModes(db, pageOf(query)) }),
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/busy',
    operationId: 'setBusyModes',
    summary: 'Announce a busy kitchen in all organizations',
    description: `Applies to every organization that guests are served in, each on its own clock. ${AFTERWARDS}`,
    body: BusyModeEdit,
    responses: { 200: BusyModeList },
    handler: async ({ body, actor }, deps) => ({ status: 200, body: await setBusyModes(deps, actor, body) }),
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/busy',
    operationId: 'endBusyModes',
    summary: 'End the busy mode of all organizations',
    description: 'Guests see the difference at once.',
    responses: { 204: null },
    async handler({ actor }, deps) {
      await endBusyModes(deps, actor);
      return { status: 204 };
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/organizations/{id}/busy',
    operationId: 'getBusyMode',
    summary: 'Busy mode of an organization',
    description: 'The fields are null while the kitchen is not busy.',
    params: OrganizationParams,
    responses: { 200: BusyMode },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({ status: 200, body: await getBusyMode(db, params.id) }),
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
