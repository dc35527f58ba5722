import { Problem } from '../../kernel/problem.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import type { Database } from '../../platform/db/database.ts';
import { saveEdit } from '../../kernel/edits.ts';
import { ownerState } from './franchise/operationally-active.ts';
import {
  auditedConnection,
  getConnection,
  holdConnection,
  type ConnectionView,
} from './connection-view.ts';
import { forgetAllRefusals } from './erp-calls/refusals.ts';

const SWITCHES = {
  enable: { status: 'ACTIVE', change: 'ENABLED', needsActiveOwner: true },
  disable: { status: 'DISABLED', change: 'DISABLED', needsActiveOwner: false },
} as const;

/**
 * Enables or disables a connection. Idempotent. Disabling stops calls, cancels running imports, and
 * deletes schedules and the token; imported data is kept. Enabling starts imports with the former
 * credential. Problems: not-found, version-conflict, owner-inactive (enabling only).
 */
export async function switchConnection(
  { db }: { db: Database },
  actor: Actor,
  action: keyof typeof SWITCHES,
  input: { id: number; version?: number | undefined },
): Promise<ConnectionView> {
  const { status, change, needsActiveOwner } = SWITCHES[action];
  return db.transaction(async (tx) => {
    const row = await holdConnection(tx, input.id, input.version);
    const before = await getConnection(tx, input.id);
    if (before.status === status) return before;
    if (
      needsActiveOwner &&
      (await ownerState(tx, before.legalEntityId, { hold: true })) !== 'ACTIVE'
    )
      throw new Problem('owner-inactive');

    await saveEdit(tx, row, { status });
    await forgetAllRefusals(tx, input.id);
    const after = await getConnection(tx, input.id);
    await recordAudit(tx, actor, {
      entityType: 'connection',
      entityId: input.id,
      action,
      before: auditedConnection(before),
      after: auditedConnection(after),
    });

    await appendOutbox(tx, 'ConnectionChanged', { connectionId: input.id, change });

    return after;
  });
}
