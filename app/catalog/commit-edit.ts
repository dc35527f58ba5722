import { appendOutbox } from '../../db/outbox.ts';
import { retryConflicts } from '../../db/retry-conflicts.ts';
import type { Actor } from '../actor.ts';
import { recordAudit, type AuditRecord } from '../audit/record-audit.ts';
import { withConstraintProblems } from '../constraint-problems.ts';
import type { Database, Tx } from '../database.ts';
import type { SourceForAll } from '../events/dirty-sources.ts';
import { markAllDirty } from '../events/mark-dirty.ts';

/** What every catalog command needs. The door delivers the outbox after the commit. */
export type CatalogDeps = { db: Database };

/**
 * Runs one command in one transaction; a refused command leaves nothing, a broken unique rule is its Problem. `work` may run again
 * when an import or another command got in its way.
 */
export function commitEdit<T>({ db }: CatalogDeps, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withConstraintProblems(() => retryConflicts(() => db.transaction(work)));
}

/**
 * Writes what belongs to every edit, in its transaction: the audit row and, when guests can see the difference, its
 * announcement (design section 5, Edits).
 */
export async function recordEdit(
  tx: Tx,
  actor: Actor,
  record: AuditRecord & { outdates: SourceForAll | null },
): Promise<void> {
  const { outdates, ...audit } = record;
  await recordAudit(tx, actor, audit);
  if (outdates !== null) await announceToGuests(tx, outdates);
}

/** Marks the menus of all organizations as outdated and leaves the event that starts their rebuild. */
export async function announceToGuests(tx: Tx, reason: SourceForAll): Promise<void> {
  await markAllDirty(tx, reason);
  await appendOutbox(tx, 'CatalogChanged', { organizationIds: null, reason });
}
