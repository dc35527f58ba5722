import { staffText } from '../../../kernel/staff-text.ts';
import { BULK_LIMIT, type BulkPayload, type BulkRequest } from '../schemas/catalog-requests.ts';
import type { BulkResult } from '../schemas/catalog.ts';
import { sql } from 'kysely';
import { invalidField, isProblem, Problem, type FieldError } from '../../../kernel/problem.ts';
import type { ProblemKind } from '../../../kernel/pure/problems.ts';
import { hasSqlState } from '../../../platform/db/retry-conflicts.ts';
import {
  BULK_ACTIONS,
  payloadErrors,
  type BulkAction,
  type BulkReason,
} from '../rules/bulk-actions.ts';
import { listErrors } from '../../../kernel/pure/field-errors.ts';
import { searchedText } from '../../../kernel/pages.ts';
import type { ContentEdit } from '../rules/product-content.ts';
import type { PublishViolation } from '../rules/publish-rules.ts';
import type { Log } from '../../../platform/log.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import { announceAtTheEnd, commitEdit, type Announce, type CatalogDeps } from '../commit-edit.ts';
import { changeContent, holdProduct } from './edit-product.ts';
import { moveInTransaction } from './move-product.ts';
import { matchingProductIds, type ProductIssue } from './list-products.ts';
import { existing } from './product-content.ts';

export type BulkDeps = CatalogDeps & {
  log: Log;
  productIssues: readonly ProductIssue[];
  /** Longest lock wait per product, in ms. */
  lockTimeoutMs?: number;
};

/**
 * Applies one action to many products, each in its own transaction, and rebuilds menus once.
 * Products already in the requested state count as done. Problem `validation` for an invalid
 * payload.
 */
export async function bulkProducts(
  deps: BulkDeps,
  actor: Actor,
  request: BulkRequest,
): Promise<BulkResult> {
  const { action, dryRun = false } = request;
  const payload = { ...request.payload };
  const shapeErrors = payloadErrors(action, payload);
  const errors = shapeErrors.length > 0 ? shapeErrors : await targetErrors(deps.db, payload);
  if (errors.length > 0) throw new Problem('validation', { errors });

  const result: BulkResult = { succeeded: [], failed: [] };
  const { announce, send } = announceAtTheEnd();
  const ids = await resolveProductIds(deps, request);

  try {
    for (const id of ids) {
      const reason = await attempt(deps, { id, action, dryRun }, (tx) =>
        actOn(tx, actor, id, { action, payload, announce }),
      );
      if (reason === null) result.succeeded.push(id);
      else result.failed.push({ id, reason });
    }
  } finally {
    if (!dryRun) await send(deps);
  }

  return result;
}

type Act = { action: BulkAction; payload: BulkPayload; announce: Announce };

async function actOn(
  tx: Tx,
  actor: Actor,
  id: number,
  { action, payload, announce }: Act,
): Promise<void> {
  const what = BULK_ACTIONS[action];
  if ('move' in what) {
    await moveInTransaction(tx, actor, id, what.move, announce);
    return;
  }

  const { product, before } = await holdProduct(tx, id);
  const edit: ContentEdit = what.edit(before, {
    organizationIds: null,
    ...payload,
  } as Required<BulkPayload>);

  if (
    product.status === 'PUBLISHED' &&
    edit.categoryIds?.length === 0 &&
    before.categoryIds.length > 0
  )
    throw new Problem('publish-blocked', {
      violations: [{ code: 'NO_PLACEMENT', message: staffText('violation.KEEPS_CATEGORY') }],
    });

  await changeContent(tx, actor, { product, before, given: edit, action: what.as }, announce);
}

class RolledBack extends Error {}

/** Throws `validation` without ids or filter, or if too many products match. */
async function resolveProductIds(
  { db, productIssues }: BulkDeps,
  { productIds, filter = {} }: BulkRequest,
): Promise<number[]> {
  // A blank `q` would match all products (CAT-35).
  const isFiltered = Object.keys(filter).some(
    (name) => name !== 'q' || searchedText(filter.q) !== null,
  );
  if (isFiltered === (productIds !== undefined))
    throw invalidField(
      'productIds',
      'required',
      'Name either `productIds` or a `filter` that is not blank.',
    );

  if (productIds !== undefined) return [...new Set(productIds)];
  const ids = await matchingProductIds(db, filter, productIssues, BULK_LIMIT + 1);
  if (ids.length > BULK_LIMIT)
    throw invalidField(
      'filter',
      'max_items',
      `The filter matches more than ${BULK_LIMIT} products.`,
    );

  return ids;
}

/** Returns the reason of a failure. Throws only if the database is unavailable. */
async function attempt(
  deps: BulkDeps,
  { id, action, dryRun }: { id: number; action: BulkAction; dryRun: boolean },
  work: (tx: Tx) => Promise<void>,
): Promise<BulkResult['failed'][number]['reason'] | null> {
  try {
    await commitEdit(deps, async (tx) => {
      // Limits each wait, because hundreds of products may be locked.
      await sql`select set_config('lock_timeout', ${`${deps.lockTimeoutMs ?? 3_000}ms`}, true)`.execute(
        tx.db,
      );
      await work(tx);
      if (dryRun) throw new RolledBack();
    });

    return null;
  } catch (error) {
    if (error instanceof RolledBack) return null;
    const known = toReason(error);
    if (known !== null) return known;
    deps.log.error({ err: error, productId: id, action }, 'one product of a bulk request failed');
    await sql`select 1`.execute(deps.db.db);

    return 'FAULT';
  }
}

const REASONS: Partial<Record<ProblemKind, BulkReason>> = {
  'not-found': 'NOT_FOUND',
  'invalid-transition': 'INVALID_TRANSITION',
  // A target of the action was deleted meanwhile.
  validation: 'TARGET_GONE',
};

/** SQL states of lock time-outs, deadlocks and serialization failures. */
const CONTENDED = new Set(['55P03', '40P01', '40001']);

function toReason(error: unknown): BulkResult['failed'][number]['reason'] | null {
  if (!isProblem(error)) return hasSqlState(error, CONTENDED) ? 'BUSY' : null;
  const [violation] = error.details.violations ?? [];
  return (violation?.code as PublishViolation | undefined) ?? REASONS[error.kind] ?? null;
}

async function targetErrors(tx: Sql, payload: BulkPayload): Promise<FieldError[]> {
  const { categoryId, badgeIds = [], organizationIds } = payload;
  const categories = await existing(tx, 'category', [categoryId]);
  const badges = await existing(tx, 'badge', badgeIds);
  const organizations = await existing(tx, 'organization', organizationIds ?? []);

  return [
    ...(categoryId === undefined || categories.has(categoryId)
      ? []
      : [{ field: 'payload.categoryId', code: 'not_found', message: 'No such category.' }]),
    ...listErrors('payload.badgeIds', badgeIds, badges, 'badge'),
    ...listErrors('payload.organizationIds', organizationIds ?? [], organizations, 'organization'),
  ];
}
