import { Problem } from '../../contracts/problem.ts';
import { appendOutbox } from '../../db/outbox.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { ownerState } from '../franchise/operationally-active.ts';
import { auditedConnection, getConnection, requireVersion, type ConnectionView } from './connection-view.ts';
import { forgetAllRefusals } from './refusals.ts';

/**
 * Enables a disabled connection again, with the credential it has, and starts its imports. A second call changes nothing.
 * Problems: not-found (also without an owner), version-conflict when `version` is given and old, owner-inactive.
 */
export async function enableConnection(
  { db }: { db: Database },
  actor: Actor,
  input: { id: number; version?: number | undefined },
): Promise<ConnectionView> {
  return db.transaction(async (tx) => {
    const before = await getConnection(tx, input.id, { hold: true });
    requireVersion(before, input.version);
    if (before.status === 'ACTIVE') return before;
    if ((await ownerState(tx, before.legalEntityId, { hold: true })) !== 'ACTIVE') throw new Problem('owner-inactive');
    await tx.query(`update connection set status = 'ACTIVE', updated_at = now(), version = version + 1 where id = $1`, [
      input.id,
    ]);
    await forgetAllRefusals(tx, input.id);
    const after = await getConnection(tx, input.id);
    await recordAudit(tx, actor, {
      entityType: 'connection',
      entityId: input.id,
      action: 'enable',
      before: auditedConnection(before),
      after: auditedConnection(after),
    });
    await appendOutbox(tx, 'ConnectionChanged', { connectionId: input.id, change: 'ENABLED' });
    return after;
  });
}
