import { createHash } from 'node:crypto';
import type { RunMode } from '../../../contracts/jobs.ts';
import { inBatches } from '../../../domain/batches.ts';
import { NORMALIZER_VERSION } from '../../../domain/mirror/normalize-menu.ts';
import { fingerprintText } from '../../../domain/mirror/revision.ts';
import type { Database } from '../../../db/database.ts';
import { outrankingMenus } from './menu-order.ts';
import { menuRefusal, type MenuRefusal } from './menu-refusal.ts';

/** Organizations of one menu request (rule MIR-8). */
const ORGANIZATIONS_PER_BATCH = 10;

export type MenuPlan =
  | { outcome: 'SKIP'; reason: MenuRefusal | 'NO_ORGANIZATIONS' }
  | {
      outcome: 'READY';
      mode: RunMode;
      externalMenuErpId: string;
      priceCategoryErpId: string | null;
      isAsync: boolean;
      savedRevision: number | null;
      /** What the request starts from: null on a full run, a plan, and when the saved revision is not the answer to today's question. */
      startRevision: number | null;
      fingerprint: string;
      /** Our organization ids, at most ten each. */
      batches: number[][];
    };

type MenuRow = {
  mode: RunMode | null;
  erpId: string;
  organizationIds: number[] | null;
  priceCategoryErpId: string | null;
  isAsync: boolean;
  revision: number | null;
  savedFingerprint: string | null;
  fullDue: boolean;
  outrankedBy: number[] | null;
  /** False when it was never imported since it was switched on last. */
  isCurrent: boolean | null;
};

/**
 * Decides from the rows what one menu run asks for, and writes mode and revision into the run record. A run is full when it was
 * asked to be or when `full_due` stands on the menu: so the nightly import is not lost to the one that happened to run.
 * The saved revision says nothing when the request is another one, when the menu was off meanwhile, or when other menus than
 * before come first for its items: settings take effect although the ERP's revision is the same.
 * A second call decides anew from the same rows and is harmless.
 */
export async function planMenuImport(
  db: Database,
  input: { runId: number; connectionId: number; externalMenuId: number },
): Promise<MenuPlan> {
  const [menu] = await db.query<MenuRow>(
    `select run.mode, menu.erp_id as "erpId", setting.organization_ids as "organizationIds", setting.price_category_id as "priceCategoryErpId",
            setting.is_async as "isAsync", menu.revision, menu.revision_fingerprint as "savedFingerprint",
            menu.full_due as "fullDue", menu.outranked_by as "outrankedBy", menu.imported_at >= setting.due_since as "isCurrent"
       from mirror_external_menu menu join external_menu_setting setting on setting.external_menu_id = menu.id
       join sync_run run on run.id = $3
      where menu.id = $1 and menu.connection_id = $2`,
    [input.externalMenuId, input.connectionId, input.runId],
  );
  if (menu === undefined) return { outcome: 'SKIP', reason: 'MENU_INACTIVE' };
  const refusal = await menuRefusal(db, input.externalMenuId);
  if (refusal !== null) return { outcome: 'SKIP', reason: refusal };
  const organizations = await db.query<{ id: number; erpId: string }>(
    `select id, erp_id as "erpId" from mirror_organization
      where connection_id = $1 and inactive_at is null and ($2::bigint[] is null or id = any ($2)) order by id`,
    [input.connectionId, menu.organizationIds],
  );
  if (organizations.length === 0) return { outcome: 'SKIP', reason: 'NO_ORGANIZATIONS' };

  const mode = modeOf(menu);
  const { priceCategoryErpId } = menu;
  const organizationErpIds = organizations.map((each) => each.erpId);
  const facts = fingerprintText({ organizationErpIds, priceCategoryErpId, normalizerVersion: NORMALIZER_VERSION });
  const fingerprint = createHash('sha256').update(facts).digest('hex').slice(0, 32);
  const isSettled =
    menu.isCurrent === true && isSame(menu.outrankedBy, await outrankingMenus(db, input.externalMenuId));
  await db.query('update sync_run set mode = $2, revision_from = $3 where id = $1', [input.runId, mode, menu.revision]);
  return {
    outcome: 'READY',
    mode,
    externalMenuErpId: menu.erpId,
    priceCategoryErpId,
    isAsync: menu.isAsync,
    savedRevision: menu.revision,
    startRevision: mode === 'INCREMENTAL' && isSettled && menu.savedFingerprint === fingerprint ? menu.revision : null,
    fingerprint,
    batches: inBatches(
      organizations.map((each) => each.id),
      ORGANIZATIONS_PER_BATCH,
    ),
  };
}

/** A plan stays a plan: it neither answers nor clears the wish for a full import. */
function modeOf({ mode, fullDue }: MenuRow): RunMode {
  if (mode === 'PLAN') return 'PLAN';
  return mode === 'FULL' || fullDue ? 'FULL' : 'INCREMENTAL';
}

function isSame(before: readonly number[] | null, now: readonly number[]): boolean {
  return before !== null && before.join() === now.join();
}
