import {
  createGuestNotice,
  deleteGuestNotice,
  editGuestNotice,
  getGuestNotice,
  listGuestNotices,
} from '../../../modules/delivery/configuration/guest-notices.ts';
import { restaurantsOfNotice } from '../../../modules/delivery/configuration/restaurants-of-rows.ts';
import {
  GuestNotice,
  GuestNoticeEdit,
  NewGuestNotice,
} from '../../../modules/delivery/schemas/context.ts';
import { defineResource } from '../../http/resource.ts';

export const noticeRoutes = defineResource({
  path: '/notices',
  tags: ['Ordering'],
  permission: { reads: 'ordering.read', writes: 'ordering.manage' },
  restaurants: restaurantsOfNotice,
  item: GuestNotice,
  list: {
    operationId: 'listGuestNotices',
    summary: 'Notices for guests',
    description: 'Notices are in the order in which guests get them.',
    sort: ['code', 'severity', 'position', 'isActive', 'createdAt'],
    run: ({ db }, page) => listGuestNotices(db, page),
  },
  create: {
    operationId: 'createGuestNotice',
    summary: 'Create a notice',
    description:
      'Texts are templates. A notice is shown while it is active; when to show it to whom (first visit, idle time) is up to the ' +
      'storefront. The code must be unique.',
    problems: ['duplicate'],
    body: NewGuestNotice,
    run: createGuestNotice,
  },
  get: {
    operationId: 'getGuestNotice',
    summary: 'One notice',
    run: ({ db }, id) => getGuestNotice(db, id),
  },
  edit: {
    operationId: 'editGuestNotice',
    summary: 'Change a notice',
    description: 'An absent field keeps its value, `null` clears it. The code cannot be changed.',
    body: GuestNoticeEdit,
    run: editGuestNotice,
  },
  remove: {
    operationId: 'deleteGuestNotice',
    summary: 'Delete a notice',
    description: 'Guests see the difference at once.',
    run: deleteGuestNotice,
  },
});
