import { sql } from 'kysely';
import { Problem } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../catalog/commit-edit.ts';
import { getErpItem, type ErpItemView } from './erp-items.ts';

/** Longest note, characters; the door checks it. */
export const TRIAGE_NOTE_LENGTH = 1_000;

/**
 * Records that a dish is not for the storefront (rule BND-20); it leaves the list of new ones. A second call
 * replaces the note. Problems: not-found; invalid-transition for a dish that a product uses.
 */
export function ignoreItem(
  deps: CatalogDeps,
  actor: Actor,
  erpItemId: string,
  note: string | null,
): Promise<ErpItemView> {
  return commitEdit(deps, async (tx) => {
    const before = await getErpItem(tx, erpItemId);
    if (before.boundProduct !== null) throw new Problem('invalid-transition', { detail: 'A product uses this item.' });
    const { rows: written } = await sql`
      insert into catalog_item_triage as old (item_id, status, note)
       select id, 'IGNORED', ${note}::text from mirror_item where erp_id = ${erpItemId} and role = 'DISH'
       on conflict (item_id) do update set status = excluded.status, note = excluded.note, decided_at = now()
        where old.status <> 'LINKED' returning item_id`.execute(tx.db);
    if (written.length === 0) throw new Problem('invalid-transition', { detail: 'A product uses this item.' });
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
