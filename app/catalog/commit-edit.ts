import { appendOutbox } from '../../db/outbox.ts';
import { retryConflicts } from '../../db/retry-conflicts.ts';
import type { Actor } from '../actor.ts';
import { recordAudit, type AuditRecord } from '../audit/record-audit.ts';
import { withConstraintProblems } from '../constraint-problems.ts';
import type { Database, Tx } from '../database.ts';
import type { SourceForAll, SourceForProducts } from '../events/dirty-sources.ts';
import { markAllDirty, markDirty } from '../events/mark-dirty.ts';
import { organizationsOfProducts } from '../events/organizations-of-products.ts';

/** What every catalog command needs. The door delivers the outbox after the commit. */
export type CatalogDeps = { db: Database };

/**
 * Runs one command in one transaction; a refused command leaves nothing, a broken unique rule is its Problem. `work` may run again
 * when an import or another command got in its way.
 */
export function commitEdit<T>({ db }: CatalogDeps, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withConstraintProblems(() => retryConflicts(() => db.transaction(work)));
}

/** What an edit makes outdated: every menu, or those that can contain these products; null when guests see no difference. */
export type Outdated = SourceForAll | { source: SourceForProducts; productIds: readonly number[] } | null;

/**
 * Writes what belongs to every edit, in its transaction: the audit row and, when guests can see the difference, its
 * announcement (design section 5, Edits).
 */
export async function recordEdit(tx: Tx, actor: Actor, record: AuditRecord & { outdates: Outdated }): Promise<void> {
  const { outdates, ...audit } = record;
  await recordAudit(tx, actor, audit);
  await announceToGuests(tx, outdates);
}

/** Marks the menus as outdated and leaves the event that starts their rebuild. */
export async function announceToGuests(tx: Tx, outdates: Outdated): Promise<void> {
  if (outdates === null) return;
  if (typeof outdates === 'string') {
    await markAllDirty(tx, outdates);
    await appendOutbox(tx, 'CatalogChanged', { organizationIds: null, reason: outdates });
    return;
  }
  const { source: reason, productIds } = outdates;
  if (productIds.length === 0) return;
  const organizationIds = await organizationsOfProducts(tx, productIds);
  await markDirty(tx, reason, organizationIds);
  await appendOutbox(tx, 'CatalogChanged', { organizationIds, reason, productIds: [...productIds] });
}
