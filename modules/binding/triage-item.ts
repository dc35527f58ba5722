import type { ErpItem, TriageDecision } from './schemas/binding.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ignoreUnclaimed, unignore } from '../catalog/variants/claim-items.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../catalog/commit-edit.ts';
import { getErpItem } from './erp-items.ts';

/**
 * Marks a dish as not for the storefront, or reverts that (BND-20, BND-24). A second IGNORED
 * replaces the note. Problems: not-found, invalid-transition (a product uses the dish).
 */
export function triageItem(
  deps: CatalogDeps,
  actor: Actor,
  erpItemId: string,
  { status, note }: { status: TriageDecision; note: string | null },
): Promise<ErpItem> {
  return commitEdit(deps, async (tx) => {
    const before = await getErpItem(tx, erpItemId);
    if (before.boundProduct !== null || !(await decide(tx, erpItemId, status, note)))
      throw new Problem('invalid-transition', { detail: 'A product uses this item.' });
    if (status === 'NEW' && before.triage === 'NEW') return before;
    await recordEdit(tx, actor, {
      entityType: 'erp-item',
      entityId: erpItemId,
      action: 'triage',
      before: { triage: before.triage },
      after: { triage: status, note },
      outdates: null,
    });

    return getErpItem(tx, erpItemId);
  });
}

/** Returns false if a product has claimed the dish. */
async function decide(
  tx: Tx,
  erpItemId: string,
  status: TriageDecision,
  note: string | null,
): Promise<boolean> {
  return status === 'IGNORED'
    ? (await ignoreUnclaimed(tx, [erpItemId], note)) > 0
    : takeBack(tx, erpItemId);
}

async function takeBack(tx: Tx, erpItemId: string): Promise<boolean> {
  await unignore(tx, [erpItemId]);
  return (await getErpItem(tx, erpItemId)).boundProduct === null;
}
