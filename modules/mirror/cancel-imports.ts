import { importLock } from './messages/sync.ts';
import type { Client } from '@temporalio/client';
import { JOBS } from './rules/jobs.ts';
import type { Sql } from '../../platform/db/database.ts';
import { cancelExecutions } from '../../platform/executions.ts';

/** Cancels the imports of a connection, unless it was enabled again. Idempotent. */
export async function cancelImports(
  { db, temporal }: { db: Sql; temporal: Client },
  connectionId: number,
): Promise<void> {
  const menus = await db.db
    .selectFrom('connection')
    .leftJoin('mirror_external_menu as menu', 'menu.connectionId', 'connection.id')
    .select('menu.id')
    .where('connection.id', '=', connectionId)
    .where('connection.status', '=', 'DISABLED')
    .orderBy('menu.id')
    .execute();
  if (menus.length === 0) return;

  const ids = [
    ...JOBS.filter((job) => job !== 'MENU').map((job) => importLock({ job, connectionId })),
    ...menus.flatMap(({ id }) =>
      id === null ? [] : [importLock({ job: 'MENU', connectionId, externalMenuId: id })],
    ),
  ];

  await cancelExecutions(temporal, ids);
}
