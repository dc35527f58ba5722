import type { User, UserEdit } from './schemas/access.ts';
import { invalidField } from '../../kernel/problem.ts';
import { AccessUser } from './tables/access.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from './audit/record-audit.ts';
import type { Sql } from '../../platform/db/database.ts';
import { commitEdit, holdForEdit, saveEdit, touchEdited } from '../../kernel/edits.ts';
import { requireOrganizations } from '../../kernel/require-organizations.ts';
import { requiredTexts } from '../../kernel/required-texts.ts';
import { endKeysOfUser } from './api-keys/keys-of-user.ts';
import {
  lockAdministrators,
  requireAdministrator,
  type AdministratorDeps,
} from './administrators.ts';
import { refuseGuessable } from './guessable-password.ts';
import { requireRights, requireRightsOfUser, rightsOfRoles } from './held-rights.ts';
import { hashPassword } from './password.ts';
import {
  normalizeEmail,
  sortLimits,
  normalizePhone,
  endSessions,
  replaceRoles,
  roleIds,
} from './user-fields.ts';
import { getUser } from './user-views.ts';

/**
 * Changes a user. Roles apply to the next request. A new password ends sessions and must be changed
 * (rule ACC-27). Disabling ends sessions; API keys: rule ACC-53. Problems: not-found,
 * version-conflict, validation (also the actor's password, rule ACC-24), duplicate (e-mail),
 * last-administrator, forbidden (rights).
 */
export async function updateUser(
  deps: AdministratorDeps,
  actor: Actor,
  id: number,
  change: UserEdit,
): Promise<User> {
  if (typeof change.password === 'string' && actor.type === 'USER' && actor.userId === id)
    throw invalidField(
      'password',
      'not_own',
      'Change your own password with POST /me/password, which needs the current one',
    );

  const passwordHash =
    typeof change.password === 'string' ? await hashPassword(change.password) : null;

  return commitEdit(deps, async (tx) => {
    await lockAdministrators(tx);
    const before = await getUser(tx, id);
    const row = await holdForEdit(tx, AccessUser, id, { seen: change.version });
    const after = await merged(tx, before, change);
    const isDisabled = before.isActive && !after.isActive;
    if (change.apiKeys !== undefined && !isDisabled)
      throw invalidField(
        'apiKeys',
        'not_supported',
        'Only a change that disables the user decides about API keys',
      );

    if (typeof change.password === 'string')
      await refuseGuessable('password', change.password, [
        after.email,
        after.fullName,
        after.phone,
      ]);

    const newPassword = change.password !== undefined;
    if (!newPassword && JSON.stringify(pickFields(before)) === JSON.stringify(pickFields(after)))
      return before;

    await requireRightsOfUser(tx, actor, id);
    if (change.roles !== undefined)
      await requireRights(tx, actor, await rightsOfRoles(tx, await roleIds(tx, change.roles)));
    const { email, fullName, phone, isActive } = after;
    const isLimitedAnew =
      JSON.stringify(before.organizationIds) !== JSON.stringify(after.organizationIds);
    const saved = await saveEdit(tx, row, {
      email,
      fullName,
      phone,
      isActive,
      ...(isLimitedAnew ? { organizationIds: after.organizationIds } : {}),
      ...(newPassword ? { passwordHash, mustChangePassword: passwordHash !== null } : {}),
    });
    if (saved === null) await touchEdited(tx, row);

    if (change.roles !== undefined) await replaceRoles(tx, id, await roleIds(tx, change.roles));
    await requireAdministrator(tx, deps);
    if (isDisabled) await endKeysOfUser(tx, actor, id, change.apiKeys);
    if (!after.isActive) await endSessions(tx, id, 'DISABLED');
    else if (newPassword) await endSessions(tx, id, 'PASSWORD_CHANGED');
    await recordAudit(tx, actor, {
      entityType: 'user',
      entityId: id,
      action: 'update',
      before: pickFields(before),
      after: { ...pickFields(after), ...(newPassword ? { password: 'changed' } : {}) },
    });

    return getUser(tx, id);
  });
}

async function merged(sql: Sql, before: User, change: UserEdit): Promise<User> {
  if (change.roles !== undefined) await roleIds(sql, change.roles);
  await requireOrganizations(sql, change.organizationIds);

  return {
    ...before,
    ...(change.email === undefined ? {} : { email: normalizeEmail(change.email) }),
    ...(change.fullName === undefined
      ? {}
      : requiredTexts({ fullName: change.fullName }, { fullName: 200 })),
    ...(change.phone === undefined ? {} : { phone: normalizePhone(change.phone) }),
    ...(change.organizationIds === undefined
      ? {}
      : { organizationIds: sortLimits(change.organizationIds) ?? null }),
    ...(change.isActive === undefined ? {} : { isActive: change.isActive }),
    ...(change.roles === undefined ? {} : { roles: [...new Set(change.roles)].toSorted() }),
  };
}

function pickFields({
  email,
  fullName,
  phone,
  isActive,
  roles,
  organizationIds,
}: User): Record<string, unknown> {
  return { email, fullName, phone, isActive, roles, organizationIds };
}
