import type { ApplyInput, AppliedBatch } from '../../modules/mirror/menu/apply-import.ts';
import { fetchAndStage } from '../../modules/mirror/menu/fetch-and-stage.ts';
import { planMenuImport } from '../../modules/mirror/menu/plan-menu-import.ts';
import type { ImportMode } from '../../modules/mirror/rules/jobs.ts';
import { aConnection } from './connection.ts';
import type { TestFixture } from './mirror.ts';
import { addRow, addRows, databaseNow, selectRows, updateRows } from './rows.ts';

export type OwnedMenu = { connectionId: number; externalMenuId: number };

/** Adds menu 9001 through a second connection, without organizations. */
export async function aTwin(fixture: TestFixture, priority: number): Promise<OwnedMenu> {
  const { id: connectionId } = await aConnection(fixture.db, fixture.emulator.apiLogin);
  const [menu] = await addRows(fixture.db, 'mirror_external_menu', [
    { connectionId, erpId: '9001', name: 'Twin', synchronizedAt: databaseNow() },
  ]);
  if (menu === undefined) throw new Error('no twin');
  await addRow(fixture.db, 'external_menu_setting', { externalMenuId: menu.id, priority });
  return { connectionId, externalMenuId: menu.id };
}

/** Stages the current answer for one organization. `names` renames dishes by ERP id. */
export async function stagedRun(
  fixture: TestFixture,
  menu: OwnedMenu,
  mode: ImportMode,
  names: Readonly<Record<string, string>> = {},
): Promise<ApplyInput> {
  const [organization] = await selectRows(
    fixture.db,
    'mirror_organization',
    ['id'],
    {},
    { orderBy: 'id', limit: 1 },
  );
  const organizationIds = [organization?.id ?? 0];
  const runId = await fixture.open('MENU', { ...menu, mode });
  const fetched = await fetchAndStage(fixture.deps, {
    runId,
    connectionId: fixture.connectionId,
    externalMenuErpId: '9001',
    priceCategoryErpId: null,
    batch: 0,
    organizationIds,
    startRevision: null,
    asyncMode: false,
    attempt: 1,
  });
  if (fetched.outcome !== 'STAGED') throw new Error(fetched.outcome);
  for (const [id, name] of Object.entries(names))
    await updateRows(fixture.db, 'stage_item', { name }, { runId, erpId: id, role: 'DISH' });
  // Gives the other account other product categories, because row locks of equal categories would
  // serialize the imports.
  if (menu.connectionId !== fixture.connectionId)
    await fixture.db.query(
      `update stage_product_category set erp_id = erp_id || ' of the twin' where run_id = $1`,
      [runId],
    );
  const batches: AppliedBatch[] = [fetched];
  return { runId, ...menu, mode, organizationIds, fingerprint: 'staged by hand', batches };
}

/** True if the next run sends the saved revision, so that an unchanged menu ends as SKIPPED. */
export async function asksWithRevision(fixture: TestFixture, menu: OwnedMenu): Promise<boolean> {
  const runId = await fixture.open('MENU', { ...menu, mode: 'INCREMENTAL' });
  const plan = await planMenuImport(fixture.db, { runId, ...menu });
  await updateRows(fixture.db, 'sync_run', { status: 'SKIPPED' }, { id: runId });
  if (plan.outcome === 'SKIP') throw new Error(plan.reason);
  return plan.startRevision !== null;
}
