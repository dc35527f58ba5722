import { Problem } from '../../contracts/problem.ts';
import { appendOutbox } from '../../db/outbox.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { auditedConnection, getConnection, type ConnectionView } from './connection-view.ts';

/**
 * Disables a connection for good: nothing is imported through it any more, what it imported stays, and its token is
 * forgotten. A second call changes nothing. Problems: not-found, version-conflict when `version` is given and old.
 */
export async function disableConnection(
  { db }: { db: Database },
  actor: Actor,
  input: { id: number; version?: number | undefined },
): Promise<ConnectionView> {
  return db.transaction(async (tx) => {
    const before = await getConnection(tx, input.id, { hold: true });
    if (input.version !== undefined && input.version !== before.version)
      throw new Problem('version-conflict', { extra: { currentVersion: before.version } });
    if (before.status === 'DISABLED') return before;
    await tx.query(
      `update connection set status = 'DISABLED', updated_at = now(), version = version + 1 where id = $1`,
      [input.id],
    );
    await tx.query('update erp_token set token_encrypted = null, expires_at = null where connection_id = $1', [
      input.id,
    ]);
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
