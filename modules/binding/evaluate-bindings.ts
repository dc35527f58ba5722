import { ENDED_BY_RETURN, INCIDENT_OF } from './rules/incident-states.ts';
import type { BindingEffect } from './rules/binding-states.ts';
import { anyOf, type Database, type Tx } from '../../platform/db/database.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import type { Failpoint } from '../../platform/failpoint.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { systemActor } from '../../kernel/actor.ts';
import { recordAudits, type AuditRecord } from '../access/audit/record-audit.ts';
import { hideProducts } from '../catalog/products/move-product.ts';
import { writeBindingStates } from '../catalog/variants/variant-bindings.ts';
import { markDirty } from '../menus/rebuilds/mark-dirty.ts';
import { organizationsOfProducts } from '../catalog/organizations-of-products.ts';
import { raiseNotification } from '../notifications/raise-notification.ts';
import { readSettings } from '../settings/read-settings.ts';
import { EVALUATED, readBoundVariants, takeTurn } from './evaluation-facts.ts';
import { closeIncidents, NOTIFICATION_SUBJECT, openIncidents } from './incident-rows.ts';
import { writeLastSeen } from '../catalog/variants/last-seen.ts';
import { judgeBindings, type Verdict } from './judge-bindings.ts';

export type BindingDeps = {
  db: Database;
  log: Log;
  metrics: Pick<Metrics, 'bindingIncidents'>;
  failpoint: Failpoint;
};

/** The import that caused the evaluation. Without a connection, all bindings are evaluated. */
export type EvaluationScope = { runId: number | null; connectionId?: number | null };

export type Evaluated = {
  variants: number;
  missing: number;
  returned: number;
  renamed: number;
  unpublished: number;
  incidents: number;
  /** Time until the next grace period ends; null if none is running. */
  graceEndsInMs: number | null;
};

const ACTOR = systemActor('binding-evaluation');
const NO_LIVE_VARIANT = 'NO_LIVE_VARIANT';

/**
 * Applies the state table (BND-7) to all products, or to those with an item in a menu of the
 * connection, now or when last seen. Uses a fixed number of statements. Deletes nothing. Serialized
 * and idempotent.
 */
export async function evaluateBindings(
  deps: BindingDeps,
  { runId, connectionId = null }: EvaluationScope,
): Promise<Evaluated> {
  const result = await deps.db.transaction(async (tx) => {
    const { evaluation, now, latestRunId } = await takeTurn(tx, connectionId);
    const settings = await readSettings(tx, 'binding.missing_grace');
    const variants = await readBoundVariants(tx, connectionId);
    const { verdicts, graceEndsInMs } = await judgeBindings(
      tx,
      variants,
      settings['binding.missing_grace'],
      now,
    );

    const written = await carryOut(tx, verdicts, { evaluation, runId: runId ?? latestRunId });
    deps.failpoint('binding-evaluation');

    return {
      evaluated: { variants: variants.length, graceEndsInMs, ...written.counts },
      opened: written.opened,
    };
  });

  deps.failpoint('binding-evaluated');
  for (const { type } of result.opened) deps.metrics.bindingIncidents.inc({ type });
  if (result.opened.length > 0)
    deps.log.warn({ ...result.evaluated, connectionId, runId }, 'bindings have incidents');

  return result.evaluated;
}

type Found = { evaluation: number; runId: number | null };

async function carryOut(tx: Tx, verdicts: readonly Verdict[], origin: Found) {
  const having = (effect: BindingEffect) =>
    verdicts.filter(({ effects }) => effects.includes(effect));
  const missing = having('OPEN_ITEM_MISSING');
  const returned = having('CLOSE_AS_RETURNED');
  const newIncidents = Object.entries(INCIDENT_OF).flatMap(([effect, type]) =>
    having(effect as keyof typeof INCIDENT_OF).map(({ variant, candidates }) => ({
      variantId: variant.id,
      type,
      candidates: type === 'POSSIBLE_REPLACEMENT' ? candidates : [],
    })),
  );

  const hidden = having('UNPUBLISH').filter(({ variant }) => variant.isPublished);

  await lockProducts(tx, [
    ...missing,
    ...hidden,
    ...having('OFFER_REPLACEMENT'),
    ...having('OPEN_NAME_CHANGED'),
  ]);

  const outdated = having('REFRESH_LAST_SEEN').filter(({ variant }) => variant.isOutdated);
  if (outdated.length > 0) await writeLastSeen(tx, idsOf(outdated), EVALUATED);
  await moveVariants(tx, missing, returned);
  const opened = await openIncidents(tx, origin, newIncidents);
  if (returned.length > 0)
    await closeIncidents(tx, 'itemReturns', idsOf(returned), ENDED_BY_RETURN, null);
  const unpublished = await hideProducts(tx, ACTOR, listProductIds(hidden), NO_LIVE_VARIANT);
  await announce(tx, [...missing, ...returned]);

  const counts = {
    missing: missing.length,
    returned: returned.length,
    renamed: having('OPEN_NAME_CHANGED').length,
    unpublished: unpublished.length,
    incidents: opened.length,
  };

  if (missing.length > 0)
    await raiseNotification(tx, {
      kind: 'BINDING_MISSING',
      subjectType: NOTIFICATION_SUBJECT,
      subjectId: origin.evaluation,
      details: {
        runId: origin.runId,
        variants: missing.length,
        products: listProductIds(missing).length,
        unpublished: unpublished.length,
      },
    });

  return { counts, opened };
}

const idsOf = (verdicts: readonly Verdict[]): number[] => verdicts.map(({ variant }) => variant.id);
const listProductIds = (verdicts: readonly Verdict[]): number[] => [
  ...new Set(verdicts.map(({ variant }) => variant.productId)),
];

/** Sorted by id to avoid deadlocks, like moves of products. */
async function lockProducts(tx: Tx, verdicts: readonly Verdict[]): Promise<void> {
  if (verdicts.length === 0) return;
  await tx.db
    .selectFrom('catalog_product')
    .select('id')
    .where('id', '=', anyOf(listProductIds(verdicts)))
    .orderBy('id')
    .forUpdate()
    .execute();
}

async function moveVariants(
  tx: Tx,
  missing: readonly Verdict[],
  returned: readonly Verdict[],
): Promise<void> {
  const moved = [...missing, ...returned];
  if (moved.length === 0) return;
  const states = moved.map(({ variant, state }) => ({ id: variant.id, state }));
  await writeBindingStates(tx, states, EVALUATED);
  await recordAudits(tx, ACTOR, [
    ...moved.map(variantEntry),
    ...productEntries(missing),
    ...productEntries(returned),
  ]);
}

const toAction = (state: Verdict['state']): string =>
  state === 'MISSING' ? 'binding-missing' : 'binding-returned';

function variantEntry({ variant, state }: Verdict): AuditRecord {
  return {
    entityType: 'variant',
    entityId: variant.id,
    action: toAction(state),
    before: { bindingState: variant.state },
    after: { bindingState: state },
  };
}

/** Lets staff find lost and returned items in the audit of products. */
function productEntries(moved: readonly Verdict[]): AuditRecord[] {
  return [...Map.groupBy(moved, ({ variant }) => variant.productId)].map(
    ([productId, verdicts]) => ({
      entityType: 'product',
      entityId: productId,
      action: toAction(verdicts[0]!.state),
      after: { variantIds: idsOf(verdicts) },
    }),
  );
}

async function announce(tx: Tx, moved: readonly Verdict[]): Promise<void> {
  const shown = moved.filter(({ variant }) => variant.isPublished);
  if (shown.length === 0) return;
  const organizationIds = await organizationsOfProducts(tx, listProductIds(shown));
  await markDirty(tx, 'binding-evaluation', organizationIds);
  await appendOutbox(tx, 'CatalogChanged', { organizationIds, reason: 'binding-evaluation' });
}
