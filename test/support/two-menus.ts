import type { ApplyInput, AppliedBatch } from '../../modules/mirror/menu/apply-import.ts';
import { fetchAndStage } from '../../modules/mirror/menu/fetch-and-stage.ts';
import { planMenuImport } from '../../modules/mirror/menu/plan-menu-import.ts';
import type { ImportMode } from '../../kernel/pure/jobs.ts';
import { aConnection } from './connection.ts';
import type { MirrorWorld } from './mirror.ts';

/** An external menu and the connection it belongs to. */
export type OwnedMenu = { connectionId: number; externalMenuId: number };

/** Menu 9001 once more through a connection of its own, without organizations: it shares every dish with the first. */
export async function aTwin(world: MirrorWorld, priority: number): Promise<OwnedMenu> {
  const { id: connectionId } = await aConnection(world.db, world.emulator.apiLogin);
  const [menu] = await world.db.query<{ id: number }>(
    `insert into mirror_external_menu (connection_id, erp_id, name, synchronized_at) values ($1, '9001', 'Twin', now()) returning id`,
    [connectionId],
  );
  if (menu === undefined) throw new Error('no twin');
  await world.db.query('insert into external_menu_setting (external_menu_id, priority) values ($1, $2)', [
    menu.id,
    priority,
  ]);
  return { connectionId, externalMenuId: menu.id };
}

/**
 * Opens a run of a menu and stages today's answer for one organization; `names` are what the answer calls dishes, by ERP id.
 * Two runs staged this way can be applied at the same moment.
 */
export async function stagedRun(
  world: MirrorWorld,
  menu: OwnedMenu,
  mode: ImportMode,
  names: Readonly<Record<string, string>> = {},
): Promise<ApplyInput> {
  const [organization] = await world.db.query<{ id: number }>('select id from mirror_organization order by id limit 1');
  const organizationIds = [organization?.id ?? 0];
  const runId = await world.open('MENU', { ...menu, mode });
  const fetched = await fetchAndStage(world.deps, {
    runId,
    connectionId: world.connectionId,
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
    await world.db.query(`update stage_item set name = $3 where run_id = $1 and erp_id = $2 and role = 'DISH'`, [
      runId,
      id,
      name,
    ]);
  // Product categories of another account are others; were they the same, their locks alone would make imports take turns.
  if (menu.connectionId !== world.connectionId)
    await world.db.query(`update stage_product_category set erp_id = erp_id || ' of the twin' where run_id = $1`, [
      runId,
    ]);
  const batches: AppliedBatch[] = [fetched];
  return { runId, ...menu, mode, organizationIds, fingerprint: 'staged by hand', batches };
}

/** True when the next run of the menu asks with the saved revision, so that an unchanged one ends as SKIPPED. */
export async function asksWithRevision(world: MirrorWorld, menu: OwnedMenu): Promise<boolean> {
  const runId = await world.open('MENU', { ...menu, mode: 'INCREMENTAL' });
  const plan = await planMenuImport(world.db, { runId, ...menu });
  await world.db.query(`update sync_run set status = 'SKIPPED' where id = $1`, [runId]);
  if (plan.outcome === 'SKIP') throw new Error(plan.reason);
  return plan.startRevision !== null;
}
