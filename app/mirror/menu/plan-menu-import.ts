import { createHash } from 'node:crypto';
import type { RunMode } from '../../../contracts/jobs.ts';
import { inBatches } from '../../../domain/batches.ts';
import { NORMALIZER_VERSION } from '../../../domain/mirror/normalize-menu.ts';
import { fingerprintText } from '../../../domain/mirror/revision.ts';
import type { Database } from '../../../db/database.ts';

/** Organizations of one menu request (spec 2, Limits, Batch size). */
const ORGANIZATIONS_PER_BATCH = 10;

export type MenuPlan =
  | { outcome: 'SKIP'; reason: 'MENU_INACTIVE' | 'MENU_DISABLED' | 'NO_ORGANIZATIONS' }
  | {
      outcome: 'READY';
      mode: RunMode;
      externalMenuErpId: string;
      priceCategoryErpId: string | null;
      isAsync: boolean;
      savedRevision: number | null;
      /** What the request starts from: null on a full run and when the request is not the one that was saved. */
      startRevision: number | null;
      fingerprint: string;
      /** Our organization ids, at most ten each. */
      batches: number[][];
    };

type MenuRow = {
  mode: RunMode | null;
  erpId: string;
  isActive: boolean;
  isEnabled: boolean;
  organizationIds: number[] | null;
  priceCategoryErpId: string | null;
  isAsync: boolean;
  revision: number | null;
  savedFingerprint: string | null;
  fullDue: boolean;
};

/**
 * Decides from the rows what one menu run asks for, and writes mode and revision into the run record. A run is full when it was
 * asked to be or when `full_due` stands on the menu: so the nightly import is not lost to the one that happened to run.
 * A second call decides anew from the same rows and is harmless.
 */
export async function planMenuImport(
  db: Database,
  input: { runId: number; connectionId: number; externalMenuId: number },
): Promise<MenuPlan> {
  const [menu] = await db.query<MenuRow>(
    `select run.mode, menu.erp_id as "erpId", menu.inactive_at is null as "isActive", setting.is_enabled as "isEnabled",
            setting.organization_ids as "organizationIds", setting.price_category_id as "priceCategoryErpId",
            setting.is_async as "isAsync", menu.revision, menu.revision_fingerprint as "savedFingerprint",
            menu.full_due as "fullDue"
       from mirror_external_menu menu join external_menu_setting setting on setting.external_menu_id = menu.id
       join sync_run run on run.id = $3
      where menu.id = $1 and menu.connection_id = $2`,
    [input.externalMenuId, input.connectionId, input.runId],
  );
  if (menu === undefined || !menu.isActive) return { outcome: 'SKIP', reason: 'MENU_INACTIVE' };
  if (!menu.isEnabled) return { outcome: 'SKIP', reason: 'MENU_DISABLED' };
  const organizations = await db.query<{ id: number; erpId: string }>(
    `select id, erp_id as "erpId" from mirror_organization
      where connection_id = $1 and inactive_at is null and ($2::bigint[] is null or id = any ($2)) order by id`,
    [input.connectionId, menu.organizationIds],
  );
  if (organizations.length === 0) return { outcome: 'SKIP', reason: 'NO_ORGANIZATIONS' };

  const mode: RunMode = menu.mode === 'FULL' || menu.fullDue ? 'FULL' : 'INCREMENTAL';
  const { priceCategoryErpId } = menu;
  const organizationErpIds = organizations.map((each) => each.erpId);
  const facts = fingerprintText({ organizationErpIds, priceCategoryErpId, normalizerVersion: NORMALIZER_VERSION });
  const fingerprint = createHash('sha256').update(facts).digest('hex').slice(0, 32);
  await db.query('update sync_run set mode = $2, revision_from = $3 where id = $1', [input.runId, mode, menu.revision]);
  return {
    outcome: 'READY',
    mode,
    externalMenuErpId: menu.erpId,
    priceCategoryErpId,
    isAsync: menu.isAsync,
    savedRevision: menu.revision,
    startRevision: mode === 'INCREMENTAL' && menu.savedFingerprint === fingerprint ? menu.revision : null,
    fingerprint,
    batches: inBatches(
      organizations.map((each) => each.id),
      ORGANIZATIONS_PER_BATCH,
    ),
  };
}
