import { sql } from 'kysely';
import type { ExternalMenu, ExternalMenuEdit, PriceCategory } from './schemas/mirror.ts';
import { Problem, type FieldError } from '../../kernel/problem.ts';
import { anyOf, type Database, type Sql, type Tx } from '../../platform/db/database.ts';
import { ExternalMenuSetting } from './tables/mirror.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import { holdForEdit, saveEdit } from '../../kernel/edits.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import { markDirty } from '../menus/rebuilds/mark-dirty.ts';
import { endMenuFailure } from './menu/failing-menus.ts';
import { endWithdrawalNotifications } from './withdrawn-menus.ts';

const NO_MENU = 'No such external menu';

const externalMenus = ({ db }: Sql) =>
  db
    .selectFrom('mirror_external_menu as menu')
    .innerJoin('external_menu_setting as setting', 'setting.externalMenuId', 'menu.id')
    .select([
      'menu.id',
      'menu.erpId',
      'menu.connectionId',
      'menu.name',
      sql<boolean>`menu.inactive_at is null`.as('isActive'),
      'setting.isEnabled',
      'setting.organizationIds',
      'setting.priceCategoryId',
      'setting.priority',
      'setting.isAsync',
      'menu.revision',
      'menu.importedAt',
      'setting.version',
    ]);

export function listExternalMenus(
  db: Sql,
  input: Paging & { connectionId?: number | undefined },
): Promise<Page<ExternalMenu>> {
  const all = externalMenus(db)
    .orderBy('menu.connectionId')
    .orderBy('menu.name')
    .orderBy('menu.id');

  return readPage(
    input.connectionId === undefined
      ? all
      : all.where('menu.connectionId', '=', input.connectionId),
    input,
  );
}

/**
 * Changes the settings of an external menu. The next import requests the affected data even if the
 * ERP revision is unchanged. Problems: not-found, version-conflict, validation (ids of another
 * connection).
 */
export function updateExternalMenu(
  { db }: { db: Database },
  actor: Actor,
  id: number,
  { version, ...change }: ExternalMenuEdit,
): Promise<ExternalMenu> {
  return db.transaction(async (tx) => {
    const setting = await holdForEdit(
      tx,
      ExternalMenuSetting,
      { externalMenuId: id },
      { seen: version, detail: NO_MENU },
    );

    const before = await readMenu(tx, id);
    const after = { ...before, ...withOrderedIds(change) };
    await requireOwn(tx, after);
    if (JSON.stringify(pickSettings(before)) === JSON.stringify(pickSettings(after))) return before;

    await saveEdit(tx, setting, pickSettings(after));
    // Uses the database clock, like the start of imports.
    if (after.isEnabled && !before.isEnabled)
      await tx.db
        .updateTable('external_menu_setting')
        .set({ dueSince: sql`now()` })
        .where('externalMenuId', '=', id)
        .execute();

    await recordAudit(tx, actor, {
      entityType: 'external-menu',
      entityId: id,
      action: 'update',
      before: pickSettings(before),
      after: pickSettings(after),
    });

    if (!after.isEnabled) {
      await endWithdrawalNotifications(tx, [id]);
      await endMenuFailure(tx, id);
    }

    await announce(tx, actor, before, after);

    return readMenu(tx, id);
  });
}

function readMenu(tx: Sql, id: number): Promise<ExternalMenu> {
  return externalMenus(tx)
    .where('menu.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: NO_MENU }));
}

function withOrderedIds(settings: Omit<ExternalMenuEdit, 'version'>): Partial<ExternalMenu> {
  const { organizationIds } = settings;
  if (organizationIds == null) return settings;
  return { ...settings, organizationIds: [...new Set(organizationIds)].toSorted((a, b) => a - b) };
}

function pickSettings(menu: ExternalMenu) {
  const { isEnabled, organizationIds, priceCategoryId, priority, isAsync } = menu;
  return { isEnabled, organizationIds, priceCategoryId, priority, isAsync };
}

async function requireOwn(tx: Tx, menu: ExternalMenu): Promise<void> {
  const { connectionId, organizationIds, priceCategoryId } = menu;
  const existing = await tx.db
    .selectFrom('mirror_organization')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('id', '=', anyOf(organizationIds ?? []))
    .execute();

  const foreign = (organizationIds ?? []).filter(
    (id) => !existing.some((entry) => entry.id === id),
  );
  const category =
    priceCategoryId === null ||
    (await tx.db
      .selectFrom('mirror_price_category')
      .select('id')
      .where('connectionId', '=', connectionId)
      .where('erpId', '=', priceCategoryId)
      .executeTakeFirst()) !== undefined;

  const errors: FieldError[] = [
    ...(foreign.length === 0
      ? []
      : [
          {
            field: 'organizationIds',
            code: 'not_found',
            message: `Not of this connection: ${foreign.join(', ')}`,
          },
        ]),
    ...(category
      ? []
      : [{ field: 'priceCategoryId', code: 'not_found', message: 'Not of this connection' }]),
  ];
  if (errors.length > 0) throw new Problem('validation', { errors });
}

async function announce(
  tx: Tx,
  actor: Actor,
  before: ExternalMenu,
  after: ExternalMenu,
): Promise<void> {
  const named = [before.organizationIds, after.organizationIds];
  let query = tx.db
    .selectFrom('served_organization')
    .select('id')
    .where('connectionId', '=', after.connectionId)
    .orderBy('id');

  if (!named.includes(null))
    query = query.where('id', '=', anyOf(named.flatMap((ids) => ids ?? [])));
  const organizations = await query.execute();
  const organizationIds = organizations.map((organization) => organization.id);
  const reason = 'external-menu-update';
  await markDirty(tx, reason, organizationIds, actor);
  await appendOutbox(tx, 'CatalogChanged', { organizationIds, reason });
  await appendOutbox(tx, 'ExternalMenusChanged', { connectionId: after.connectionId });
}

export function listPriceCategories(
  { db }: Sql,
  input: Paging & { connectionId?: number | undefined },
): Promise<Page<PriceCategory>> {
  const all = db
    .selectFrom('mirror_price_category')
    .select(['id', 'erpId', 'connectionId', 'name', 'synchronizedAt', 'inactiveAt'])
    .orderBy('connectionId')
    .orderBy('name')
    .orderBy('id');

  return readPage(
    input.connectionId === undefined ? all : all.where('connectionId', '=', input.connectionId),
    input,
  );
}
