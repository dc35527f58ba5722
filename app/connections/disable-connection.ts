import { appendOutbox } from '../../db/outbox.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { auditedConnection, getConnection, requireVersion, type ConnectionView } from './connection-view.ts';
import { forgetAllRefusals } from './refusals.ts';

/**
 * Disables a connection: no further call is made through it, its schedules go, running imports are cancelled and write nothing
 * any more, what it imported stays, and its token is forgotten. A second call changes nothing.
 * Problems: not-found, version-conflict when `version` is given and old.
 */
export async function disableConnection(
  { db }: { db: Database },
  actor: Actor,
  input: { id: number; version?: number | undefined },
): Promise<ConnectionView> {
  return db.transaction(async (tx) => {
    const before = await getConnection(tx, input.id, { hold: true });
    requireVersion(before, input.version);
    if (before.status === 'DISABLED') return before;
    await tx.query(
      `update connection set status = 'DISABLED', updated_at = now(), version = version + 1 where id = $1`,
      [input.id],
    );
    await forgetAllRefusals(tx, input.id);
    const after = await getConnection(tx, input.id);
    await recordAudit(tx, actor, {
      entityType: 'connection',
      entityId: input.id,
      action: 'disable',
      before: auditedConnection(before),
      after: auditedConnection(after),
    });
    await appendOutbox(tx, 'ConnectionChanged', { connectionId: input.id, change: 'DISABLED' });
    return after;
  });
}
