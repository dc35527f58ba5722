import { readWork } from '../../../modules/sync-status/read-work.ts';
import { Work } from '../../../modules/sync-status/schemas/work.ts';
import { defineRoute } from '../../http/route.ts';

export const workRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/work',
  operationId: 'getWork',
  summary: 'Open work by kind',
  description:
    'Counts what waits for staff, with the age of the oldest of each kind. The answer contains the kinds that the ' +
    'caller may read, also those without open work. ORDERS_NOT_AT_ERP are accepted orders that the ERP does not have ' +
    'after a minute, ORDERS_FAILED those of the last 24 hours.',
  tags: ['Work'],
  permission: 'staff',
  restaurants: 'LISTED',
  responses: { 200: Work },
  handler: async ({ actor }, { db }) => ({ status: 200, body: await readWork(db, actor) }),
});
