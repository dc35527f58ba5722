import { AccessUser } from './tables/access.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from './audit/record-audit.ts';
import { holdForEdit, saveEdit } from '../../kernel/edits.ts';
import { forgetAnswers } from '../../kernel/idempotency.ts';
import { endKeysOfUser } from './api-keys/keys-of-user.ts';
import type { KeysOfUser } from './schemas/api-keys.ts';
import {
  lockAdministrators,
  requireAdministrator,
  type AdministratorDeps,
} from './administrators.ts';
import { requireRightsOfUser } from './held-rights.ts';
import { dropSecondFactor } from './second-factor/remove-factor.ts';
import { endSessions } from './user-fields.ts';
import { getUser } from './user-views.ts';

/**
 * Erases a user. The emptied row stays, and another user can have the e-mail (rule ACC-20). API
 * keys: rule ACC-53. Problems: not-found, last-administrator, forbidden (rights).
 */
export function deleteUser(
  deps: AdministratorDeps,
  actor: Actor,
  { id, apiKeys }: { id: number; apiKeys?: KeysOfUser | undefined },
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    await lockAdministrators(tx);
    const { roles } = await getUser(tx, id);
    await requireRightsOfUser(tx, actor, id);
    await endKeysOfUser(tx, actor, id, apiKeys);
    await saveEdit(tx, await holdForEdit(tx, AccessUser, id), {
      deletedAt: new Date(),
      isActive: false,
      email: 'deleted',
      fullName: 'Deleted user',
      phone: null,
      passwordHash: null,
    });

    await dropSecondFactor(tx, id);
    await tx.db.deleteFrom('access_user_role').where('userId', '=', id).execute();
    await requireAdministrator(tx, deps);
    await endSessions(tx, id, 'DELETED');
    await tx.db
      .updateTable('access_session')
      .set({ userAgent: null })
      .where('userId', '=', id)
      .execute();

    await forgetAnswers(tx, 'createUser', id);
    await recordAudit(tx, actor, {
      entityType: 'user',
      entityId: id,
      action: 'delete',
      before: { roles },
    });
  });
}
