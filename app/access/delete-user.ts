import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockAdministrators, requireAdministrator, type AdministratorDeps } from './administrators.ts';
import { endSessions } from './user-fields.ts';
import { getUser } from './user-views.ts';

/**
 * Deletes a user: no sign-in, no roles, no personal data; the empty row stays, because audit and runs name its id, and the
 * e-mail is free again. Problems: not-found (also the second time), last-administrator.
 */
export function deleteUser(deps: AdministratorDeps, actor: Actor, id: number): Promise<void> {
  return deps.db.transaction(async (tx) => {
    await lockAdministrators(tx);
    const { roles } = await getUser(tx, id);
    await tx.query(
      `update access_user set deleted_at = now(), updated_at = now(), version = version + 1, is_active = false,
              email = 'deleted', full_name = 'Deleted user', password_hash = null where id = $1`,
      [id],
    );
    await tx.query('delete from access_user_role where user_id = $1', [id]);
    await requireAdministrator(tx, deps);
    await endSessions(tx, id, 'DELETED');
    await recordAudit(tx, actor, { entityType: 'user', entityId: id, action: 'delete', before: { roles } });
  });
}
