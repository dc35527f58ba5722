import type { ObservedShrink } from '../../modules/mirror/schemas/mirror.ts';
import { aConnection, testSecrets } from './connection.ts';
import { migratedDatabase } from './database.ts';
import type { Database } from './text-database.ts';
import { createErpPorts } from '../../modules/connections/erp-calls/erp-ports.ts';
import type { MirrorDeps } from '../../modules/mirror/runs/fenced-import.ts';
import { importMenuList } from '../../modules/mirror/import-menu-list.ts';
import { importOrganizations } from '../../modules/mirror/import-organizations.ts';
import {
  applyImport,
  type AppliedBatch,
  type ApplyOutcome,
} from '../../modules/mirror/menu/apply-import.ts';
import { fetchAndStage } from '../../modules/mirror/menu/fetch-and-stage.ts';
import { planMenuImport } from '../../modules/mirror/menu/plan-menu-import.ts';
import { closeRun } from '../../modules/mirror/runs/close-run.ts';
import { drawRunId, openRun } from '../../modules/mirror/runs/open-run.ts';
import type { Job, RunMode } from '../../modules/mirror/rules/jobs.ts';
import {
  startEmulator,
  type Emulator,
  type EmulatorOptions,
} from '../../packages/erp-emulator/server.ts';
import { createErpClient } from '../../erp/client.ts';
import { createFailpoints } from '../../platform/failpoint.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics, type Metrics } from '../../platform/metrics.ts';
import { selectRows } from './rows.ts';

export type TestFixture = {
  deps: MirrorDeps;
  metrics: Metrics;
  db: Database;
  url: string;
  emulator: Emulator;
  connectionId: number;
  open(
    job: Job,
    options?: { externalMenuId?: number; mode?: RunMode; connectionId?: number },
  ): Promise<number>;
  close(): Promise<void>;
};

export async function mirrorFixture({
  database,
  ...options
}: EmulatorOptions & {
  database?: Awaited<ReturnType<typeof migratedDatabase>>;
} = {}): Promise<TestFixture> {
  const emulator = await startEmulator({ size: 'small', ...options });
  const { db, url, close } = database ?? (await migratedDatabase());
  const log = createLog({ service: 'test', level: 'silent' });
  const erp = createErpClient({
    baseUrl: emulator.url,
    ...createErpPorts({ db, secrets: testSecrets, perSecond: null }),
    log,
  });
  const metrics = createMetrics('test');
  const deps: MirrorDeps = { db, erp, metrics, failpoint: createFailpoints(null) };
  const connection = await aConnection(db, emulator.apiLogin);
  return {
    deps,
    metrics,
    db,
    url,
    emulator,
    connectionId: connection.id,
    async open(job, run = {}) {
      const runId = await drawRunId(db);
      const { connectionId = connection.id, ...rest } = run;
      await openRun(db, {
        runId,
        job,
        connectionId,
        trigger: 'MANUAL',
        workflowId: `test/${runId}`,
        ...rest,
      });
      return runId;
    },
    async close() {
      await erp.close();
      await close();
      await emulator.stop();
    },
  };
}

/** Imports organizations and external menus. Returns the id of the first menu. */
export async function importBasics(fixture: TestFixture): Promise<number> {
  const { deps, connectionId } = fixture;
  const organizations = await fixture.open('ORGANIZATIONS');
  await importOrganizations(deps, { runId: organizations, connectionId });
  await closeRun(deps, { runId: organizations, status: 'SUCCESS', reason: null });
  const menuList = await fixture.open('MENU_LIST');
  await importMenuList(deps, { runId: menuList, connectionId });
  await closeRun(deps, { runId: menuList, status: 'SUCCESS', reason: null });
  const [menu] = await selectRows(
    fixture.db,
    'mirror_external_menu',
    ['id'],
    {},
    { orderBy: 'erpId', limit: 1 },
  );
  if (menu === undefined) throw new Error('the emulator lists no menu');
  return menu.id;
}

export type MenuRun = { runId: number; skipped: boolean; outcome: ApplyOutcome | null };

export async function importMenu(
  fixture: TestFixture,
  externalMenuId: number,
  mode: RunMode = 'INCREMENTAL',
): Promise<MenuRun> {
  const { deps, connectionId } = fixture;
  const runId = await fixture.open('MENU', { externalMenuId, mode });
  const plan = await planMenuImport(deps.db, { runId, connectionId, externalMenuId });
  if (plan.outcome === 'SKIP') throw new Error(plan.reason);
  const batches: AppliedBatch[] = [];
  const refused: number[] = [];
  let refusals = 0;
  let unchanged = 0;
  for (const [batch, organizationIds] of plan.batches.entries()) {
    const { externalMenuErpId, priceCategoryErpId, startRevision } = plan;
    const request = {
      runId,
      connectionId,
      externalMenuErpId,
      priceCategoryErpId,
      startRevision,
      batch,
      organizationIds,
    };
    const fetched = await fetchAndStage(deps, { ...request, asyncMode: false, attempt: 1 });
    if (fetched.outcome === 'STAGED') batches.push(fetched);
    else if (fetched.outcome === 'UNCHANGED') unchanged += 1;
    else if (fetched.outcome === 'REFUSED') {
      refusals += 1;
      if (refusals === plan.batches.length)
        throw Object.assign(new Error(fetched.message), { kind: fetched.kind });
    }
    if (fetched.outcome !== 'PENDING') refused.push(...fetched.refused);
  }
  if (unchanged > 0) {
    await closeRun(deps, { runId, status: 'SKIPPED', reason: 'UNCHANGED' });
    return { runId, skipped: true, outcome: null };
  }
  if (plan.mode === 'PLAN') throw new Error('a plan is not applied');
  const outcome = await applyImport(deps, {
    runId,
    connectionId,
    externalMenuId,
    mode: plan.mode,
    organizationIds: plan.batches.flat().filter((id) => !refused.includes(id)),
    fingerprint: plan.fingerprint,
    batches,
  });
  const failed = outcome.outcome === 'APPLIED' ? null : outcome.outcome;
  const shrink = outcome.outcome === 'SUSPICIOUS_SHRINK' ? { shrink: pickShrink(outcome) } : {};
  await closeRun(deps, {
    runId,
    status: failed === null ? 'SUCCESS' : 'FAILED',
    reason: failed,
    ...shrink,
  });
  return { runId, skipped: false, outcome };
}

function pickShrink({
  before,
  vanished,
  percent,
  thresholdPercent,
  organization = null,
  modifierGroups = null,
}: ObservedShrink): ObservedShrink {
  return { before, vanished, percent, thresholdPercent, organization, modifierGroups };
}
