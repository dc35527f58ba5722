import type { ExternalMenu } from '../../contracts/mirror.ts';
import { Problem, type FieldError } from '../../contracts/problem.ts';
import { appendOutbox } from '../../db/outbox.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database, Sql, Tx } from '../database.ts';
import { markDirty } from '../rebuilds/mark-dirty.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';
import { endWithdrawalNotices } from './withdrawn-menus.ts';

export type ExternalMenuView = ExternalMenu;

/** What staff may change; a field that is left out stays, null clears (rule HTTP-4). */
export type ExternalMenuChange = {
  version: number;
  isEnabled?: boolean;
  organizationIds?: number[] | null;
  priceCategoryId?: string | null;
  priority?: number;
  isAsync?: boolean;
};

const SETTINGS = ['isEnabled', 'organizationIds', 'priceCategoryId', 'priority', 'isAsync'] as const;
const COLUMNS = `menu.id, menu.erp_id as "erpId", menu.connection_id as "connectionId", menu.name,
  menu.inactive_at is null as "isActive", setting.is_enabled as "isEnabled", setting.organization_ids as "organizationIds",
  setting.price_category_id as "priceCategoryId", setting.priority, setting.is_async as "isAsync", menu.revision, menu.imported_at as "importedAt",
  setting.version`;
const TABLES = 'mirror_external_menu menu join external_menu_setting setting on setting.external_menu_id = menu.id';

/** One page of external menus with their settings, of one connection or of all. */
export function listExternalMenus(
  db: Sql,
  input: Paging & { connectionId?: number | undefined },
): Promise<Page<ExternalMenuView>> {
  return readPageOfText(db, input, {
    columns: COLUMNS,
    from: `${TABLES} where $1::bigint is null or menu.connection_id = $1`,
    order: 'menu.connection_id, menu.name, menu.id',
    params: [input.connectionId ?? null],
  });
}

/**
 * Changes the settings of an external menu. The next import asks anew for whatever the change concerns, although the ERP's revision
 * is the same (plan-menu-import.ts); the menus of the organizations before and after are rebuilt, and schedules reconciled.
 * A menu that is switched off keeps its rows and loses its say at once: in public menus, in names, in what keeps an item alive.
 * A change that changes nothing writes nothing. Problems: not-found, version-conflict, validation (ids of another connection).
 */
export function updateExternalMenu(
  { db }: { db: Database },
  actor: Actor,
  id: number,
  change: ExternalMenuChange,
): Promise<ExternalMenuView> {
  return db.transaction(async (tx) => {
    const before = await readMenu(tx, id);
    if (before === undefined) throw new Problem('not-found', { detail: 'No such external menu' });
    if (before.version !== change.version)
      throw new Problem('version-conflict', { extra: { currentVersion: before.version } });
    const after = { ...before, ...withoutVersion(change) };
    await requireOwn(tx, after);
    if (JSON.stringify(settingsOf(before)) === JSON.stringify(settingsOf(after))) return before;

    await tx.query(
      `update external_menu_setting set is_enabled = $2, organization_ids = $3, price_category_id = $4, priority = $5, is_async = $6,
              due_since = case when is_enabled or not $2 then due_since else now() end, updated_at = now(), version = version + 1 where external_menu_id = $1`,
      [id, after.isEnabled, after.organizationIds, after.priceCategoryId, after.priority, after.isAsync],
    );
    await recordAudit(tx, actor, {
      entityType: 'external-menu',
      entityId: id,
      action: 'update',
      before: settingsOf(before),
      after: settingsOf(after),
    });
    if (!after.isEnabled) await endWithdrawalNotices(tx, [id]);
    await announce(tx, before, after);
    return (await readMenu(tx, id))!;
  });
}

async function readMenu(tx: Sql, id: number): Promise<ExternalMenuView | undefined> {
  const [menu] = await tx.query<ExternalMenuView>(
    `select ${COLUMNS} from ${TABLES} where menu.id = $1 for update of setting`,
    [id],
  );
  return menu;
}

function withoutVersion({ version: _version, ...settings }: ExternalMenuChange): Partial<ExternalMenuView> {
  const { organizationIds } = settings;
  if (organizationIds == null) return settings;
  return { ...settings, organizationIds: [...new Set(organizationIds)].toSorted((a, b) => a - b) };
}

function settingsOf(menu: ExternalMenuView): Record<string, unknown> {
  return Object.fromEntries(SETTINGS.map((name) => [name, menu[name]]));
}

/** Organizations and the price category must belong to the connection of the menu. */
async function requireOwn(tx: Tx, menu: ExternalMenuView): Promise<void> {
  const { connectionId, organizationIds, priceCategoryId } = menu;
  const known = await tx.query<{ id: number }>(
    'select id from mirror_organization where connection_id = $1 and id = any ($2::bigint[])',
    [connectionId, organizationIds ?? []],
  );
  const foreign = (organizationIds ?? []).filter((id) => !known.some((each) => each.id === id));
  const category =
    priceCategoryId === null ||
    (
      await tx.query('select 1 from mirror_price_category where connection_id = $1 and erp_id = $2', [
        connectionId,
        priceCategoryId,
      ])
    ).length > 0;
  const errors: FieldError[] = [
    ...(foreign.length === 0
      ? []
      : [{ field: 'organizationIds', code: 'not_found', message: `Not of this connection: ${foreign.join(', ')}` }]),
    ...(category ? [] : [{ field: 'priceCategoryId', code: 'not_found', message: 'Not of this connection' }]),
  ];
  if (errors.length > 0) throw new Problem('validation', { errors });
}

async function announce(tx: Tx, before: ExternalMenuView, after: ExternalMenuView): Promise<void> {
  const named = [before.organizationIds, after.organizationIds];
  const organizations = await tx.query<{ id: number }>(
    `select id from mirror_organization where connection_id = $1 and inactive_at is null
        and ($2::bigint[] is null or id = any ($2)) order by id`,
    [after.connectionId, named.includes(null) ? null : named.flat()],
  );
  const organizationIds = organizations.map((each) => each.id);
  const reason = 'external-menu-update';
  await markDirty(tx, reason, organizationIds);
  await appendOutbox(tx, 'CatalogChanged', { organizationIds, reason });
  await appendOutbox(tx, 'ExternalMenusChanged', { connectionId: after.connectionId });
}
