import {
  applyImport,
  type ApplyInput,
  type AppliedBatch,
  type ApplyOutcome,
} from '../../../modules/mirror/menu/apply-import.ts';
import { fetchAndStage } from '../../../modules/mirror/menu/fetch-and-stage.ts';
import { markFullDue } from '../../../modules/mirror/menu/full-due.ts';
import { planMenuImport, type MenuPlan } from '../../../modules/mirror/menu/plan-menu-import.ts';
import { importMenuList } from '../../../modules/mirror/import-menu-list.ts';
import { importOrganizations } from '../../../modules/mirror/import-organizations.ts';
import { listExternalMenus, updateExternalMenu } from '../../../modules/mirror/external-menus.ts';
import { closeRun } from '../../../modules/mirror/runs/close-run.ts';
import type { MirrorDeps } from '../../../modules/mirror/runs/fenced-import.ts';
import { withClient } from '../../../tools/postgres.ts';
import { STAFF } from '../catalog-fixtures.ts';
import { mirrorFixture, type TestFixture } from '../mirror.ts';
import type { Accident } from './draws.ts';
import type { MenuSettings, Mode } from './reference-mirror.ts';
import { asOwner } from '../database-roles.ts';
import { selectRows } from '../rows.ts';

/** The use cases of the product, and the emulator over HTTP. */
export type MirrorModel = {
  db: TestFixture['db'];
  organizations: readonly string[];
  priceCategory: { id: string; factor: number };
  clear(): Promise<void>;
  control: TestFixture['emulator']['control'];
  importLists(): Promise<void>;
  importOrganizations(): Promise<void>;
  /** Fetches and stages a menu without the apply. */
  prepare(menuErpId: string, mode: Mode, accident?: Accident | null): Promise<Prepared>;
  prepareAgain(prepared: Ready | Lost): Promise<Prepared>;
  /** Empties unlogged tables like a crash of the database. */
  loseStaging(): Promise<void>;
  /** Returns undefined if the accident occurred. */
  apply(prepared: Ready, accident?: Accident | null): Promise<ApplyOutcome | undefined>;
  end(
    prepared: Prepared,
    status: 'SUCCESS' | 'SKIPPED' | 'FAILED',
    reason: string | null,
  ): Promise<Ended>;
  markFullDue(menuErpId: string): Promise<void>;
  change(menuErpId: string, change: Partial<MenuSettings>): Promise<void>;
  close(): Promise<void>;
};

type Plan = Extract<MenuPlan, { outcome: 'READY' }>;
type Started = { runId: number; externalMenuId: number; plan: Plan; attempt: number };
export type Ready = Started & { outcome: 'READY'; input: ApplyInput };
/** An accident during the fetch: nothing can be applied. */
export type Lost = Started & { outcome: 'LOST' };
export type Prepared = Ready | Lost | { outcome: 'SKIP'; runId: number; reason: string };
export type Ended = {
  status: string;
  reason: string | null;
  items: { created: number; updated: number; deleted: number };
  prices: { upserted: number; unchanged: number };
};

class Interrupted extends Error {}

const STAGES = [
  'product_category',
  'menu_category',
  'item',
  'placement',
  'size',
  'price',
  'group',
  'link',
  'unread_item',
];
/** In the order of foreign keys. */
const TABLES = [
  ...STAGES.map((name) => `stage_${name}`),
  'catalog_variant',
  'catalog_product_category',
  'catalog_product',
  'catalog_category',
  'media',
  'snapshot_cause',
  'snapshot_request',
  'outbox',
  'mirror_modifier_link',
  'mirror_modifier_group',
  'mirror_price',
  'mirror_size_menu',
  'mirror_item_size',
  'mirror_item_placement',
  'mirror_item_menu',
  'mirror_item',
  'mirror_menu_category',
  'external_menu_setting',
  'sync_run',
  'mirror_external_menu',
  'mirror_price_category',
  'mirror_organization',
];

export async function modelFixture(): Promise<MirrorModel> {
  const fixture = await mirrorFixture({ size: 'demo' });
  const { deps, db, connectionId, emulator } = fixture;
  const state = await emulator.control<{
    organizations: { id: string }[];
    menus: { id: string }[];
    priceCategories: { id: string; factor: number }[];
  }>('state');
  for (const { id } of state.menus) await emulator.control('list-menu', { menuId: id, on: false });
  const priceCategory = state.priceCategories.find(({ factor }) => factor !== 1);
  if (priceCategory === undefined)
    throw new Error('the emulator has no price category with a factor');

  const menuId = async (erpId: string): Promise<number> => {
    const [menu] = await selectRows(db, 'mirror_external_menu', ['id'], { erpId });
    if (menu === undefined) throw new Error(`no menu ${erpId} is mirrored`);
    return menu.id;
  };
  const armed = (accident: Accident | null): MirrorDeps => ({
    ...deps,
    failpoint: (name) => {
      if (name === accident) throw new Interrupted(name);
    },
  });
  const job = async (
    name: 'ORGANIZATIONS' | 'MENU_LIST',
    work: (runId: number) => Promise<unknown>,
  ) => {
    const runId = await fixture.open(name);
    await work(runId);
    await closeRun(deps, { runId, status: 'SUCCESS', reason: null });
  };

  async function fetchBatches(started: Started, accident: Accident | null): Promise<Prepared> {
    const { runId, externalMenuId, plan, attempt } = started;
    const { externalMenuErpId, priceCategoryErpId, startRevision, mode, fingerprint } = plan;
    if (mode === 'PLAN') throw new Error('nobody has asked for a plan');
    const batches: AppliedBatch[] = [];
    for (const [batch, organizationIds] of plan.batches.entries()) {
      const request = {
        runId,
        connectionId,
        externalMenuErpId,
        priceCategoryErpId,
        startRevision,
        batch,
        organizationIds,
      };
      try {
        const fetched = await fetchAndStage(armed(accident), {
          ...request,
          asyncMode: false,
          attempt,
        });
        if (fetched.outcome === 'UNCHANGED') return { outcome: 'SKIP', runId, reason: 'UNCHANGED' };
        if (fetched.outcome === 'STAGED') batches.push(fetched);
      } catch (error) {
        if (error instanceof Interrupted) return { ...started, outcome: 'LOST' };
        throw error;
      }
    }
    const organizationIds = plan.batches.flat();
    const input = {
      runId,
      connectionId,
      externalMenuId,
      mode,
      organizationIds,
      fingerprint,
      batches,
    };
    return { ...started, outcome: 'READY', input };
  }

  return {
    db,
    organizations: state.organizations.map(({ id }) => id),
    priceCategory,
    control: (path, body) => emulator.control(path, body),
    clear: () =>
      withClient(
        fixture.url,
        async (client) =>
          void (await client.query(TABLES.map((name) => `delete from ${name}`).join('; '))),
      ),
    importOrganizations: () =>
      job('ORGANIZATIONS', (runId) => importOrganizations(deps, { runId, connectionId })),
    importLists: () => job('MENU_LIST', (runId) => importMenuList(deps, { runId, connectionId })),
    async prepare(erpId, mode, accident = null) {
      const externalMenuId = await menuId(erpId);
      const runId = await fixture.open('MENU', { externalMenuId, mode });
      const plan = await planMenuImport(db, { runId, connectionId, externalMenuId });
      if (plan.outcome === 'SKIP') return { ...plan, runId };
      return fetchBatches({ runId, externalMenuId, plan, attempt: 1 }, accident);
    },
    prepareAgain: ({ runId, externalMenuId, plan, attempt }) =>
      fetchBatches({ runId, externalMenuId, plan, attempt: attempt + 1 }, null),
    loseStaging: async () => void (await asOwner(db, 'truncate stage_item, stage_price')),
    async apply({ input }, accident = null) {
      try {
        return await applyImport(armed(accident), input);
      } catch (error) {
        if (error instanceof Interrupted) return undefined;
        throw error;
      }
    },
    async end({ runId }, status, reason) {
      await closeRun(deps, { runId, status, reason });
      const [run] = await selectRows(db, 'sync_run', ['status', 'reason', 'items', 'prices'], {
        id: runId,
      });
      if (run === undefined) throw new Error(`run ${runId} has no record`);
      return run;
    },
    markFullDue: async (erpId) => markFullDue(db, [await menuId(erpId)]),
    async change(erpId, { organizationIds, ...change }) {
      const page = await listExternalMenus(db, { page: 1, size: 200, connectionId });
      const menu = page.items.find((item) => item.erpId === erpId);
      if (menu === undefined) throw new Error(`no menu ${erpId} is listed`);
      const ids = await selectRows(db, 'mirror_organization', ['id'], {
        erpId: organizationIds ?? [],
      });
      await updateExternalMenu({ db }, STAFF, menu.id, {
        version: menu.version,
        ...change,
        ...(organizationIds === undefined
          ? {}
          : { organizationIds: organizationIds && ids.map(({ id }) => id) }),
      });
    },
    close: () => fixture.close(),
  };
}
