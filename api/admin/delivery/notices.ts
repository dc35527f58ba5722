import {
  createGuestNotice,
  deleteGuestNotice,
  editGuestNotice,
  getGuestNotice,
  listGuestNotices,
} from '../../../modules/delivery/configuration/guest-notices.ts';
import { restaurantsOfNotice } from '../../../modules/delivery/configuration/restaurants-of-rows.ts';
import { GuestNotice, GuestNoticeEdit, NewGuestNotice } from '../../../modules/delivery/schemas/context.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageOf, pageQuery, sortQuery } from '../../http/schemas.ts';

const shared = { api: 'admin', tags: ['Ordering'], permission: 'ordering.manage' } as const;

export const noticeRoutes = [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/notices',
    permission: 'ordering.read',
    restaurants: 'LISTED',
    operationId: 'listGuestNotices',
    summary: 'Notices for guests',
    description: 'Notices are in the order in which guests get them.',
    query: Strict({ ...pageQuery, ...sortQuery(['code', 'severity', 'position', 'isActive', 'createdAt']) }),
    responses: { 200: Page(GuestNotice) },
    handler: async ({ query, actor: { scope } }, { db }) => ({
      status: 200,
      body: await listGuestNotices(db, { ...pageOf(query), scope }),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/notices',
    restaurants: 'NAMED',
    operationId: 'createGuestNotice',
    summary: 'Create a notice',
    description:
      'Texts are templates. A notice is shown while it is active; when to show it to whom (first visit, idle time) is up to the ' +
      'storefront. The code must be unique.',
    idempotent: true,
    body: NewGuestNotice,
    responses: { 201: GuestNotice },
    problems: ['duplicate'],
    handler: async ({ body, actor, idempotency }, deps) => ({
      status: 201,
      body: await createGuestNotice(deps, actor, body, idempotency),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/notices/{id}',
    permission: 'ordering.read',
    restaurants: ({ params }, { db }) => restaurantsOfNotice(db, params.id),
    operationId: 'getGuestNotice',
    summary: 'One notice',
    description: 'An update has to name `version`.',
    params: IdParams,
    responses: { 200: GuestNotice },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({ status: 200, body: await getGuestNotice(db, params.id) }),
  }),
  defineRoute({
    ...shared,
    method: 'PATCH',
    path: '/notices/{id}',
    restaurants: ({ params }, { db }) => restaurantsOfNotice(db, params.id),
    operationId: 'editGuestNotice',
    summary: 'Change a notice',
    description: 'An absent field keeps its value, `null` clears it. The code cannot be changed.',
    params: IdParams,
    body: GuestNoticeEdit,
    responses: { 200: GuestNotice },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await editGuestNotice(deps, actor, params.id, body),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/notices/{id}',
    restaurants: ({ params }, { db }) => restaurantsOfNotice(db, params.id),
    operationId: 'deleteGuestNotice',
    summary: 'Delete a notice',
    description: 'Guests see the difference at once.',
    params: IdParams,
    responses: { 204: null },
    problems: ['not-found'],
    async handler({ params, actor }, deps) {
      await deleteGuestNotice(deps, actor, params.id);
      return { status: 204 };
    },
  }),
];
