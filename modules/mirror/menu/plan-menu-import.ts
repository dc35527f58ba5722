import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RunMode } from '../rules/jobs.ts';
import { inBatches } from '../../../kernel/pure/lists.ts';
import { NORMALIZER_VERSION } from '../rules/normalize-menu.ts';
import { fingerprintText } from '../rules/revision.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { APPLIED } from '../runs/run-fence.ts';
import { refusedOrganizations } from '../runs/refused-organizations.ts';
import { outrankingMenus } from './menu-order.ts';

/** MIR-8. */
const ORGANIZATIONS_PER_BATCH = 10;

/** Limits formerly rejected organizations, which are requested one by one (MIR-67). */
const REFUSED_PER_RUN = 10;
/**
 * Limit if all organizations were rejected, because the ERP may reject the menu itself (MIR-85).
 */
const LAST_PER_RUN = 4;

export type MenuPlan =
  | { outcome: 'SKIP'; reason: MenuRefusal | 'NO_ORGANIZATIONS' }
  | {
      outcome: 'READY';
      mode: RunMode;
      externalMenuErpId: string;
      priceCategoryErpId: string | null;
      isAsync: boolean;
      savedRevision: number | null;
      /** Null for full runs and plans, and if the saved revision does not match the request. */
      startRevision: number | null;
      fingerprint: string;
      batches: number[][];
    };

type PlanRecord = {
  mode: RunMode;
  revisionFrom: number | null;
  organizations: number;
  batches: number;
};

type MenuRow = {
  mode: RunMode | null;
  /** True if the run has written rows: it resumes after Temporal lost its database. */
  hasApplied: boolean;
  erpId: string;
  priceCategoryErpId: string | null;
  isAsync: boolean;
  revision: number | null;
  savedFingerprint: string | null;
  fullDue: boolean;
  outrankedBy: number[] | null;
  isFullFailing: boolean;
  /** False if never imported since it was enabled. */
  isCurrent: boolean | null;
};

/**
 * Decides what a menu run requests, and stores the decision in the run record. Ignores the saved
 * revision if the request, the menu's state or its preceding menus changed. Idempotent; a run that
 * has written rows keeps its record.
 */
export async function planMenuImport(
  db: Database,
  input: MenuOfConnection & { runId: number },
): Promise<MenuPlan> {
  const run = await db.db
    .selectFrom('sync_run')
    .select(['mode', sql<boolean>`${APPLIED} is not null`.as('hasApplied')])
    .where('id', '=', input.runId)
    .executeTakeFirstOrThrow();

  const { plan, record } = await planMenu(db, input, run);
  if (record !== null && !run.hasApplied)
    await db.db.updateTable('sync_run').set(record).where('id', '=', input.runId).execute();

  return plan;
}

export type MenuOfConnection = { connectionId: number; externalMenuId: number };

/** {@link planMenuImport} without a run record; `record` contains the same columns. */
export async function planMenu(
  db: Sql,
  input: MenuOfConnection,
  run: Pick<MenuRow, 'mode' | 'hasApplied'>,
): Promise<{ plan: MenuPlan; record: PlanRecord | null }> {
  const skip = (reason: Extract<MenuPlan, { outcome: 'SKIP' }>['reason']) => ({
    plan: { outcome: 'SKIP', reason } as const,
    record: null,
  });

  const row = await db.db
    .selectFrom('mirror_external_menu as menu')
    .innerJoin('external_menu_setting as setting', 'setting.externalMenuId', 'menu.id')
    .select([
      'menu.erpId',
      'setting.priceCategoryId as priceCategoryErpId',
      'setting.isAsync',
      'menu.revision',
      'menu.revisionFingerprint as savedFingerprint',
      'menu.fullDue',
      'menu.outrankedBy',
      isFullFailing.as('isFullFailing'),
      sql<boolean | null>`menu.imported_at >= setting.due_since`.as('isCurrent'),
    ])
    .where('menu.id', '=', input.externalMenuId)
    .where('menu.connectionId', '=', input.connectionId)
    .executeTakeFirst();
  if (row === undefined) return skip('MENU_INACTIVE');

  const menu: MenuRow = { ...row, ...run };
  const refusal = await menuRefusal(db, input.externalMenuId);
  if (refusal !== null) return skip(refusal);
  const organizations = await db.db
    .selectFrom('menu_of_organization as speaking')
    .innerJoin('served_organization as organization', 'organization.id', 'speaking.organizationId')
    .select(['organization.id', 'organization.erpId'])
    .where('speaking.externalMenuId', '=', input.externalMenuId)
    .orderBy('organization.id')
    .execute();
  if (organizations.length === 0) return skip('NO_ORGANIZATIONS');

  const mode = chooseMode(menu);
  const { priceCategoryErpId } = menu;
  const refused = await refusedOrganizations(db, {
    connectionId: input.connectionId,
    job: 'MENU',
    externalMenuId: input.externalMenuId,
  });

  const together = organizations.filter((organization) => !refused.includes(organization.id));
  const apart = refused
    .filter((id) => organizations.some((organization) => organization.id === id))
    .slice(0, together.length > 0 ? REFUSED_PER_RUN : LAST_PER_RUN);
  // Excludes rejected organizations: when one returns, everything is requested.
  const organizationErpIds = together.map((entry) => entry.erpId);
  const facts = fingerprintText({
    organizationErpIds,
    priceCategoryErpId,
    normalizerVersion: NORMALIZER_VERSION,
  });

  const fingerprint = createHash('sha256').update(facts).digest('hex').slice(0, 32);
  const isSettled =
    menu.isCurrent === true &&
    isSame(menu.outrankedBy, await outrankingMenus(db, input.externalMenuId));
  const batches = [
    ...inBatches(
      together.map((entry) => entry.id),
      ORGANIZATIONS_PER_BATCH,
    ),
    ...apart.map((id) => [id]),
  ];

  const plan: MenuPlan = {
    outcome: 'READY',
    mode,
    externalMenuErpId: menu.erpId,
    priceCategoryErpId,
    isAsync: menu.isAsync,
    savedRevision: menu.revision,
    startRevision:
      mode === 'INCREMENTAL' && isSettled && menu.savedFingerprint === fingerprint
        ? menu.revision
        : null,
    fingerprint,
    batches,
  };

  const record = {
    mode,
    revisionFrom: menu.revision,
    organizations: organizations.length,
    batches: batches.length,
  };

  return { plan, record };
}

/**
 * After this many failures, incremental imports keep prices current, and a full import is retried
 * at this interval (MIR-48).
 */
const [MOST_FAILED, TRIED_EVERY] = [3, '1 hour'];

const isFullFailing = sql<boolean>`(
  select count(*) = ${sql.lit(MOST_FAILED)} and bool_and(status = 'FAILED') and max(finished_at) > now() - ${TRIED_EVERY}::interval
    from (select status, finished_at from sync_run past
           where past.connection_id = menu.connection_id and past.job = 'MENU' and past.external_menu_id = menu.id
             and past.mode = 'FULL' and past.status <> 'RUNNING'
           order by past.id desc limit ${sql.lit(MOST_FAILED)}) last)`;

/** A run that has written rows keeps its mode. A plan does not clear `full_due`. */
function chooseMode({ mode, hasApplied, fullDue, isFullFailing: fails }: MenuRow): RunMode {
  if (mode === 'PLAN' || (mode !== null && hasApplied)) return mode;
  return mode === 'FULL' || (fullDue && !fails) ? 'FULL' : 'INCREMENTAL';
}

function isSame(before: readonly number[] | null, now: readonly number[]): boolean {
  return before !== null && before.join() === now.join();
}

export type MenuRefusal = 'MENU_INACTIVE' | 'MENU_DISABLED';

/** Returns the reason not to import the menu now, or null. */
export async function menuRefusal(
  { db }: Sql,
  externalMenuId: number,
): Promise<MenuRefusal | null> {
  const menu = await db
    .selectFrom('mirror_external_menu as menu')
    .leftJoin('enabled_menu as enabled', 'enabled.externalMenuId', 'menu.id')
    .select(['menu.inactiveAt', 'enabled.externalMenuId as enabledId'])
    .where('menu.id', '=', externalMenuId)
    .executeTakeFirst();
  if (menu === undefined || menu.inactiveAt !== null) return 'MENU_INACTIVE';

  return menu.enabledId === null ? 'MENU_DISABLED' : null;
}
