import { readSyncStatus } from '../../../modules/observability/sync-status.ts';
import { SyncStatus } from '../../../modules/mirror/schemas/sync-status.ts';
import { defineRoute } from '../../http/route.ts';

/** Summary for operators (rule OPS-3). */
export const syncStatusRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/sync/status',
  operationId: 'getSyncStatus',
  summary: 'Status of the synchronization with the ERP',
  description:
    'The answer shows the last success of each job, connection and organization, running imports, pauses, missed ' +
    'runs, queues and warnings. It is read from the database alone, so it is there also when Temporal or the ERP is ' +
    'not.',
  tags: ['Imports'],
  permission: 'sync.read',
  responses: { 200: SyncStatus },
  handler: async (_, { db, intervals }) => ({ status: 200, body: await readSyncStatus(db, intervals) }),
});
