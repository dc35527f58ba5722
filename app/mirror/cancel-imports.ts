import type { Client } from '@temporalio/client';
import { importWorkflowId } from '../../contracts/ids.ts';
import { JOBS } from '../../contracts/jobs.ts';
import type { Sql } from '../../db/database.ts';

/** All of them together; Temporal answers each in milliseconds or not at all. */
const DEADLINE_MS = 5_000;

/**
 * Asks Temporal to cancel every import of a connection, unless it has been enabled again meanwhile. A second call finds them
 * gone. Whatever is too late to be cancelled gets no token and is refused by the fence of its run.
 */
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
    ...JOBS.filter((job) => job !== 'MENU').map((job) => importWorkflowId(job, connectionId, null)),
    ...menus.flatMap(({ id }) => (id === null ? [] : [importWorkflowId('MENU', connectionId, id)])),
  ];
  await temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
    for (const id of ids) await temporal.workflow.getHandle(id).cancel().catch(ignoreEnded);
  });
}

/** No import of that id runs, which is what was wanted. Errors of Temporal's client are known by name. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'WorkflowNotFoundError') throw error;
}
