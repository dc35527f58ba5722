import type { ErpItem } from './schemas/binding.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Actor } from '../../kernel/actor.ts';
import { ignoreUnclaimed } from '../catalog/claim-items.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../catalog/commit-edit.ts';
import { getErpItem } from './erp-items.ts';

/** Longest note, characters; the API checks it. */
export const TRIAGE_NOTE_LENGTH = 1_000;

/**
 * Records that a dish is not for the storefront (rule BND-20); it leaves the list of new ones. A second call
 * replaces the note. Problems: not-found; invalid-transition for a dish that a product uses.
 */
export function ignoreItem(deps: CatalogDeps, actor: Actor, erpItemId: string, note: string | null): Promise<ErpItem> {
  return commitEdit(deps, async (tx) => {
    const before = await getErpItem(tx, erpItemId);
    if (before.boundProduct !== null) throw new Problem('invalid-transition', { detail: 'A product uses this item.' });
    const isWritten = await ignoreUnclaimed(tx, erpItemId, note);
    if (!isWritten) throw new Problem('invalid-transition', { detail: 'A product uses this item.' });
    await recordEdit(tx, actor, {
      entityType: 'erp-item',
      entityId: erpItemId,
      action: 'triage',
      before: { triage: before.triage },
      after: { triage: 'IGNORED', note },
      outdates: null,
    });
    return getErpItem(tx, erpItemId);
  });
}
