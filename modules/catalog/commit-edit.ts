import type { CarteEvents } from '../../kernel/pure/events.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import { retryConflicts } from '../../platform/db/retry-conflicts.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit, type AuditRecord } from '../access/audit/record-audit.ts';
import { withConstraintProblems } from '../../kernel/constraint-problems.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { SourceForAll, SourceForProducts } from '../menus/rebuilds/dirty-sources.ts';
import { markAllDirty, markDirty } from '../menus/rebuilds/mark-dirty.ts';
import { organizationsOfProducts } from './organizations-of-products.ts';

/** Dependencies of every catalog command. Its events are delivered after the commit. */
export type CatalogDeps = { db: Database };

/**
 * Runs one command in one transaction; a rejected command leaves nothing, a broken unique rule is
 * its Problem. `work` may run again when an import or another command got in its way.
 */
export function commitEdit<T>({ db }: CatalogDeps, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withConstraintProblems(() => retryConflicts(() => db.transaction(work)));
}

/**
 * The menus that an edit makes outdated: every menu, those that can contain these products, or
 * those of organizations that it names; null when guests see no difference.
 */
export type Outdated =
  | SourceForAll
  | { source: SourceForProducts; productIds: readonly number[] }
  | { source: 'product-visibility'; organizationIds: readonly number[] }
  | null;

/** Marks the menus that an edit affects, in its transaction. */
export type Announce = (tx: Tx, outdates: Outdated, actor: Actor | null) => Promise<void>;

/**
 * Writes the common parts of every edit, in its transaction: the audit row and, when guests can see
 * the difference, its announcement (rule CAT-6).
 */
export async function recordEdit(
  tx: Tx,
  actor: Actor,
  record: AuditRecord & { outdates: Outdated },
  announce: Announce = announceToGuests,
): Promise<void> {
  const { outdates, ...audit } = record;
  await recordAudit(tx, actor, audit);
  await announce(tx, outdates, actor);
}

/** Marks the menus as outdated and leaves the event that starts their rebuild. */
export async function announceToGuests(tx: Tx, outdates: Outdated, actor: Actor | null = null): Promise<void> {
  const event = await markOutdated(tx, outdates, actor);
  if (event !== null) await appendOutbox(tx, 'CatalogChanged', event);
}

type CatalogChanged = CarteEvents['CatalogChanged'];

/**
 * Marks the menus as outdated; returns the event that would start their rebuild, null when there is
 * nothing to rebuild.
 */
async function markOutdated(tx: Tx, outdates: Outdated, actor: Actor | null): Promise<CatalogChanged | null> {
  if (outdates === null) return null;
  if (typeof outdates === 'string') {
    await markAllDirty(tx, outdates, actor);
    return { organizationIds: null, reason: outdates };
  }
  const { source: reason } = outdates;
  const productIds = 'productIds' in outdates ? [...outdates.productIds] : [];
  const organizationIds =
    'organizationIds' in outdates ? [...outdates.organizationIds] : await organizationsOfProducts(tx, productIds);
  if (organizationIds.length + productIds.length === 0) return null;
  await markDirty(tx, reason, organizationIds, actor);
  return { organizationIds, reason, ...(productIds.length === 0 ? {} : { productIds }) };
}

/**
 * For a command of many transactions: each marks its own menus as outdated, and one event at the
 * end starts their rebuilds. Should the process die before that, the marks are found by the
 * reconciler. An edit that was rolled back may be announced all the same.
 */
export function announceAtTheEnd(): { announce: Announce; send: (deps: CatalogDeps) => Promise<void> } {
  const events: CatalogChanged[] = [];
  return {
    async announce(tx, outdates, actor) {
      const event = await markOutdated(tx, outdates, actor);
      if (event !== null) events.push(event);
    },
    async send(deps) {
      const [first] = events;
      if (first === undefined) return;
      const organizationIds = events.some((event) => event.organizationIds === null)
        ? null
        : [...new Set(events.flatMap((event) => event.organizationIds ?? []))];
      const productIds = [...new Set(events.flatMap((event) => event.productIds ?? []))];
      await deps.db.transaction((tx) =>
        appendOutbox(tx, 'CatalogChanged', { organizationIds, reason: first.reason, productIds }),
      );
    },
  };
}

/** A variant that is about to be deleted. */
type LeavingVariant = { id: number; optionName: string | null; userId: number | null };

/**
 * Work of other modules, in the same transaction, when variants are added or removed. The catalog
 * does not depend on the module of bindings, so the composition root injects this.
 */
export type VariantWatch = {
  /**
   * Waits for an evaluation that has read the variants as they are now; a later one reads the
   * result of the transaction.
   */
  holdEvaluations(tx: Tx): Promise<void>;
  /** Called before a variant is deleted, while it can still be read. */
  beforeRemoval(tx: Tx, variant: LeavingVariant): Promise<void>;
};

export type VariantDeps = CatalogDeps & { variantWatch: VariantWatch };
