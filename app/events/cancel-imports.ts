import { importWorkflowId } from '../../contracts/ids.ts';
import { JOBS } from '../../contracts/jobs.ts';
import type { EventDeps } from './event-deps.ts';

/**
 * Asks Temporal to cancel every import of a connection, unless it has been enabled again meanwhile. A second call finds them
 * gone. Whatever is too late to be cancelled gets no token and is refused by the fence of its run.
 */
export async function cancelImports({ db, temporal }: EventDeps, connectionId: number): Promise<void> {
  const menus = await db.query<{ id: number }>(
    `select menu.id from connection left join mirror_external_menu menu on menu.connection_id = connection.id
      where connection.id = $1 and connection.status = 'DISABLED' order by menu.id`,
    [connectionId],
  );
  if (menus.length === 0) return;
  const ids = [
    ...JOBS.filter((job) => job !== 'MENU').map((job) => importWorkflowId(job, connectionId, null)),
    ...menus.flatMap(({ id }) => (id === null ? [] : [importWorkflowId('MENU', connectionId, id)])),
  ];
  for (const id of ids) await temporal.workflow.getHandle(id).cancel().catch(ignoreEnded);
}

/** No import of that id runs, which is what was wanted. Errors of Temporal's client are known by name. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'WorkflowNotFoundError') throw error;
}
