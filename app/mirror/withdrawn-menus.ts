import { appendOutbox } from '../../db/outbox.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { markDirty } from '../rebuilds/mark-dirty.ts';
import { raiseNotification, resolveNotifications } from '../notifications/raise-notification.ts';

const SUBJECT = 'external-menu';

type Run = { runId: number; connectionId: number };
type Moved = { id: number; externalMenuId: string; organizationIds: number[] };

/**
 * Withdraws menus that this list and the one before it lack, and takes back what is listed again, before the list itself is saved.
 * One list without a menu only ends its imports: an account that shows too little for an hour must not close restaurants. With
 * the second one its dishes keep their last price and cannot be ordered; administrators are told. A second call moves nothing.
 */
export async function settleWithdrawnMenus(tx: Tx, run: Run, listedIds: readonly string[]): Promise<void> {
  const withdrawn = await move(
    tx,
    'withdrawn_at = now()',
    'inactive_at is not null and withdrawn_at is null and erp_id <> all ($2::text[])',
    [run.connectionId, listedIds],
  );
  const returned = await move(tx, 'withdrawn_at = null', 'withdrawn_at is not null and erp_id = any ($2::text[])', [
    run.connectionId,
    listedIds,
  ]);
  for (const { id, externalMenuId, organizationIds } of withdrawn)
    await raiseNotification(tx, {
      kind: 'MENU_WITHDRAWN',
      subjectType: SUBJECT,
      subjectId: id,
      details: { ...run, externalMenuId, organizations: organizationIds.length },
    });
  await endWithdrawalNotices(
    tx,
    returned.map(({ id }) => id),
  );
  const organizationIds = [...new Set([...withdrawn, ...returned].flatMap((each) => each.organizationIds))];
  if (organizationIds.length === 0) return;
  await markDirty(tx, 'external-menu-update', organizationIds);
  await appendOutbox(tx, 'CatalogChanged', { organizationIds, reason: 'external-menu-update' });
}

/** Ends the notifications about these menus: they are listed again, or staff have switched them off. Harmless when there are none. */
export async function endWithdrawalNotices(tx: Sql, menuIds: readonly number[]): Promise<void> {
  if (menuIds.length > 0) await resolveNotifications(tx, 'MENU_WITHDRAWN', SUBJECT, menuIds);
}

/** Menus that were moved and are switched on, with the restaurants that sell from them. */
async function move(tx: Tx, set: string, where: string, params: unknown[]): Promise<Moved[]> {
  return tx.query<Moved>(
    `with moved as (
       update mirror_external_menu set ${set} where connection_id = $1 and ${where} returning id, erp_id, connection_id)
     select moved.id, moved.erp_id as "externalMenuId", array_agg(organization.id order by organization.id) as "organizationIds"
       from moved join external_menu_setting setting on setting.external_menu_id = moved.id and setting.is_enabled
       join mirror_organization organization on organization.connection_id = moved.connection_id
            and organization.inactive_at is null
            and (setting.organization_ids is null or organization.id = any (setting.organization_ids))
      group by moved.id, moved.erp_id order by moved.id`,
    params,
  );
}
