import { invalidField } from '../../kernel/problem.ts';
import { searchedText } from '../../kernel/pages.ts';
import type { Actor } from '../../kernel/actor.ts';
import { anyOf, type Tx } from '../../platform/db/database.ts';
import { recordAudits } from '../access/audit/record-audit.ts';
import { ignoreUnclaimed, unignore } from '../catalog/variants/claim-items.ts';
import type { CatalogDeps } from '../catalog/commit-edit.ts';
import { matchingItemIds } from './erp-items.ts';
import { commitUnlessDry } from './rehearse.ts';
import {
  TRIAGE_BULK_LIMIT,
  type TriageBulk,
  type TriageBulkResult,
  type TriageState,
} from './schemas/binding.ts';

/**
 * Ignores dishes, or returns them to triage, in one transaction (BND-42). Returns unknown and used
 * dishes. A dry run changes nothing. Problem `validation` without ids or a filter with at most
 * {@link TRIAGE_BULK_LIMIT} matches.
 */
export async function bulkTriage(
  deps: CatalogDeps,
  actor: Actor,
  request: TriageBulk,
): Promise<TriageBulkResult> {
  const ids = await resolveItemIds(deps, request);
  return commitUnlessDry(deps, request.dryRun, (tx) => triageAll(tx, actor, ids, request));
}

async function resolveItemIds(
  { db }: CatalogDeps,
  { itemIds, filter = {} }: TriageBulk,
): Promise<string[]> {
  const isFiltered = Object.keys(filter).some(
    (name) => name !== 'q' || searchedText(filter.q) !== null,
  );
  if (isFiltered === (itemIds !== undefined))
    throw invalidField(
      'itemIds',
      'required',
      'Name either `itemIds` or a `filter` that is not blank.',
    );

  if (itemIds !== undefined) return [...new Set(itemIds.map((id) => id.toLowerCase()))];
  const ids = await matchingItemIds(db, filter, TRIAGE_BULK_LIMIT + 1);
  if (ids.length > TRIAGE_BULK_LIMIT)
    throw invalidField(
      'filter',
      'max_items',
      `The filter matches more than ${TRIAGE_BULK_LIMIT} dishes.`,
    );

  return ids;
}

async function triageAll(
  tx: Tx,
  actor: Actor,
  ids: readonly string[],
  { status, note = null }: TriageBulk,
): Promise<TriageBulkResult> {
  const before = await readTriage(tx, ids);
  const changing = ids.filter((id) => {
    const state = before.get(id);
    return state !== undefined && state !== 'LINKED' && state !== status;
  });

  if (status === 'IGNORED') await ignoreUnclaimed(tx, changing, note);
  else await unignore(tx, changing);
  const after = await readTriage(tx, ids);
  await recordAudits(
    tx,
    actor,
    changing
      .filter((id) => after.get(id) === status)
      .map((id) => ({
        entityType: 'erp-item',
        entityId: id,
        action: 'triage',
        before: { triage: before.get(id) },
        after: { triage: status, note },
      })),
  );

  return {
    succeeded: ids.filter((id) => after.get(id) === status),
    failed: ids.flatMap((id) => {
      const state = after.get(id);
      if (state === status) return [];
      return [
        { itemId: id, reason: state === undefined ? ('NOT_FOUND' as const) : ('LINKED' as const) },
      ];
    }),
  };
}

/** Omits unknown dishes. A dish is LINKED if a product uses it. */
async function readTriage({ db }: Tx, ids: readonly string[]): Promise<Map<string, TriageState>> {
  const rows = await db
    .selectFrom('mirror_item as item')
    .leftJoin('catalog_item_triage as triage', 'triage.itemId', 'item.id')
    .leftJoin('catalog_item_binding as binding', 'binding.itemId', 'item.id')
    .select(['item.erpId', 'triage.status', 'binding.productId'])
    .where('item.role', '=', 'DISH')
    .where('item.erpId', '=', anyOf(ids, 'uuid'))
    .execute();

  return new Map(
    rows.map(({ erpId, status, productId }) => [
      erpId,
      productId === null ? ((status ?? 'NEW') as TriageState) : 'LINKED',
    ]),
  );
}
