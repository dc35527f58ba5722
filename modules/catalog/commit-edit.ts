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

export type CatalogDeps = { db: Database };

/**
 * Runs a command in a transaction and converts violated unique constraints into Problems. `work`
 * may run again after a conflict.
 */
export function commitEdit<T>({ db }: CatalogDeps, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withConstraintProblems(() => retryConflicts(() => db.transaction(work)));
}

/** Null if guests see no difference. */
export type Outdated =
  | SourceForAll
  | { source: SourceForProducts; productIds: readonly number[] }
  | { source: 'product-visibility'; organizationIds: readonly number[] }
  | null;

export type Announce = (tx: Tx, outdates: Outdated, actor: Actor | null) => Promise<void>;

/** Writes the audit entry and announces the edit to guests (CAT-6). */
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

/** Flags menus and appends the event that starts their rebuild. */
export async function announceToGuests(
  tx: Tx,
  outdates: Outdated,
  actor: Actor | null = null,
): Promise<void> {
  const event = await markOutdated(tx, outdates, actor);
  if (event !== null) await appendOutbox(tx, 'CatalogChanged', event);
}

type CatalogChanged = CarteEvents['CatalogChanged'];

/** Returns null if there is nothing to rebuild. */
async function markOutdated(
  tx: Tx,
  outdates: Outdated,
  actor: Actor | null,
): Promise<CatalogChanged | null> {
  if (outdates === null) return null;
  if (typeof outdates === 'string') {
    await markAllDirty(tx, outdates, actor);
    return { organizationIds: null, reason: outdates };
  }

  const { source: reason } = outdates;
  const productIds = 'productIds' in outdates ? [...outdates.productIds] : [];
  const organizationIds =
    'organizationIds' in outdates
      ? [...outdates.organizationIds]
      : await organizationsOfProducts(tx, productIds);
  if (organizationIds.length + productIds.length === 0) return null;

  await markDirty(tx, reason, organizationIds, actor);

  return { organizationIds, reason, ...(productIds.length === 0 ? {} : { productIds }) };
}

/**
 * Collects the changes of many transactions and sends one event at the end. The event may include
 * edits that were rolled back; the reconciler handles a crash before the event.
 */
export function announceAtTheEnd(): {
  announce: Announce;
  send: (deps: CatalogDeps) => Promise<void>;
} {
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

type LeavingVariant = { id: number; optionName: string | null; userId: number | null };

/** Injected, because the catalog does not depend on the binding module. */
export type VariantWatch = {
  /** Waits for evaluations that have read the current variants. */
  holdEvaluations(tx: Tx): Promise<void>;
  /** Runs while the variant still exists. */
  beforeRemoval(tx: Tx, variant: LeavingVariant): Promise<void>;
};

export type VariantDeps = CatalogDeps & { variantWatch: VariantWatch };
