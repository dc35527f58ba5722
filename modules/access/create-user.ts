import type { NewUser, User } from './schemas/access.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from './audit/record-audit.ts';
import type { Database } from '../../platform/db/database.ts';
import { commitEdit } from '../../kernel/edits.ts';
import { once, type Idempotency } from '../../kernel/idempotency.ts';
import { requireOrganizations } from '../../kernel/require-organizations.ts';
import { requiredTexts } from '../../kernel/required-texts.ts';
import { refuseGuessable } from './guessable-password.ts';
import { requireRights, rightsOfRoles } from './held-rights.ts';
import { hashPassword } from './password.ts';
import {
  normalizeEmail,
  normalizePhone,
  replaceRoles,
  roleIds,
  sortLimits,
} from './user-fields.ts';
import { getUser } from './user-views.ts';

/**
 * Creates an active user. A user without a password signs in through the identity provider; other
 * users must change the initial password (rule ACC-27). Problems: validation, forbidden
 * (permissions), duplicate (e-mail).
 */
export async function createUser(
  { db }: { db: Database },
  actor: Actor,
  input: NewUser,
  idempotency: Idempotency | null = null,
): Promise<User> {
  const { fullName } = requiredTexts({ fullName: input.fullName }, { fullName: 200 });
  const email = normalizeEmail(input.email);
  const phone = normalizePhone(input.phone);
  const organizationIds = sortLimits(input.organizationIds) ?? null;
  if (input.password != null)
    await refuseGuessable('password', input.password, [email, fullName, phone]);
  const passwordHash = input.password == null ? null : await hashPassword(input.password);

  return commitEdit({ db }, (tx) =>
    once(tx, idempotency, async () => {
      const roles = await roleIds(tx, input.roles);
      await requireRights(tx, actor, await rightsOfRoles(tx, roles));
      await requireOrganizations(tx, organizationIds);
      const { id } = await tx.db
        .insertInto('access_user')
        .values({
          email,
          fullName,
          phone,
          organizationIds,
          passwordHash,
          mustChangePassword: passwordHash !== null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();

      await replaceRoles(tx, id, roles);
      const user = await getUser(tx, id);
      await recordAudit(tx, actor, {
        entityType: 'user',
        entityId: id,
        action: 'create',
        after: {
          email,
          fullName,
          phone,
          organizationIds,
          roles: user.roles,
          hasPassword: user.hasPassword,
        },
      });

      return user;
    }),
  );
}
