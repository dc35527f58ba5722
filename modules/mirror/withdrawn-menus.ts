import { sql, type RawBuilder } from 'kysely';
import { appendOutbox } from '../../kernel/outbox.ts';
import type { Sql, Tx } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { markDirty } from '../menus/rebuilds/mark-dirty.ts';
import { raiseNotification, resolveNotifications } from '../notifications/raise-notification.ts';
import { endMenuFailure } from './menu/failing-menus.ts';

const SUBJECT = 'external-menu';

type Run = { runId: number; connectionId: number };

type Moved = Row<
  'mirror_external_menu',
  'id' | 'erpId as externalMenuId',
  { organizationIds: number[] }
>;

/**
 * Withdraws menus that are missing in this list and the previous one, and restores listed ones.
 * Call it before the list is saved. A menu missing once only stops its imports, because an account
 * that briefly lists too few menus must not close restaurants. `mayEnd`: the list is complete.
 * Idempotent.
 */
export async function settleWithdrawnMenus(
  tx: Tx,
  run: Run,
  { listedIds, mayEnd }: { listedIds: readonly string[]; mayEnd: boolean },
): Promise<void> {
  const isListed = sql`erp_id = any (${listedIds}::text[])`;
  const withdrawn = await move(tx, run, {
    withdrawnAt: sql`now()`,
    where: sql`inactive_at is not null and withdrawn_at is null and not ${isListed} and ${mayEnd}::boolean`,
  });

  const returned = await move(tx, run, {
    withdrawnAt: sql`null`,
    where: sql`withdrawn_at is not null and ${isListed}`,
  });

  for (const { id, externalMenuId, organizationIds } of withdrawn) {
    await endMenuFailure(tx, id);
    await raiseNotification(tx, {
      kind: 'MENU_WITHDRAWN',
      subjectType: SUBJECT,
      subjectId: id,
      details: { ...run, externalMenuErpId: externalMenuId, organizations: organizationIds.length },
    });
  }

  await endWithdrawalNotifications(
    tx,
    returned.map(({ id }) => id),
  );

  const organizationIds = [
    ...new Set([...withdrawn, ...returned].flatMap((entry) => entry.organizationIds)),
  ];
  if (organizationIds.length === 0) return;

  await markDirty(tx, 'external-menu-update', organizationIds);
  await appendOutbox(tx, 'CatalogChanged', { organizationIds, reason: 'external-menu-update' });
}

/** Resolves the notifications of menus that are listed again or were disabled by staff. */
export async function endWithdrawalNotifications(
  tx: Sql,
  menuIds: readonly number[],
): Promise<void> {
  if (menuIds.length > 0) await resolveNotifications(tx, 'MENU_WITHDRAWN', SUBJECT, menuIds);
}

async function move(
  { db }: Tx,
  { connectionId }: Run,
  { withdrawnAt, where }: { withdrawnAt: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    with moved as (
      update mirror_external_menu set withdrawn_at = ${withdrawnAt} where connection_id = ${connectionId} and ${where}
      returning id, erp_id)
    select moved.id, moved.erp_id as external_menu_id, array_agg(organization.id order by organization.id) as organization_ids
      from moved join menu_of_organization speaking on speaking.external_menu_id = moved.id
      join served_organization organization on organization.id = speaking.organization_id
     group by moved.id, moved.erp_id order by moved.id`.execute(db);

  return rows;
}
