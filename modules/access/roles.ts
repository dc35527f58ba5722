import { sql } from 'kysely';
import type { NewRole, Role, RoleEdit } from './schemas/access.ts';
import { withIncluded } from '../../kernel/pure/permissions.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { AccessRole } from './tables/access.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from './audit/record-audit.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { commitEdit, holdForEdit, saveEdit } from '../../kernel/edits.ts';
import { once, type Idempotency } from '../../kernel/idempotency.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import { requiredTexts } from '../../kernel/required-texts.ts';
import { requireRights, selectKnown, withUnknown } from './held-rights.ts';
import {
  lockAdministrators,
  requireAdministrator,
  type AdministratorDeps,
} from './administrators.ts';

/** Always has every permission, so that a release cannot lock out administrators. */
const ADMINISTRATOR = 'ADMIN';

function readRoles({ db }: Sql) {
  return db.selectFrom('access_role as role').select((eb) => [
    'role.id',
    'role.code',
    'role.name',
    selectKnown(sql.ref('role.permissions')).as('permissions'),
    sql<number>`(${eb
      .selectFrom('access_user_role as link')
      .whereRef('link.roleId', '=', 'role.id')
      .select((counted) => counted.fn.countAll().as('users'))})`.as('users'),
    'role.createdAt',
    'role.updatedAt',
    'role.version',
  ]);
}

export function listRoles(sql: Sql, paging: Paging): Promise<Page<Role>> {
  return readPage(readRoles(sql).orderBy('role.code'), paging);
}

/** Problem `not-found`. */
export function getRole(sql: Sql, id: number): Promise<Role> {
  return readRoles(sql)
    .where('role.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such role' }));
}

/** Creates a role. Problems: validation, forbidden (permissions), duplicate (code). */
export async function createRole(
  { db }: { db: Database },
  actor: Actor,
  input: NewRole,
  idempotency: Idempotency | null = null,
): Promise<Role> {
  const { name } = requiredTexts({ name: input.name }, { name: 200 });
  return commitEdit({ db }, (tx) =>
    once(tx, idempotency, async () => {
      await requireRights(tx, actor, input.permissions);
      const { id } = await tx.db
        .insertInto('access_role')
        .values({ code: input.code, name, permissions: withIncluded(input.permissions) })
        .returning('id')
        .executeTakeFirstOrThrow();

      const role = await getRole(tx, id);
      await recordAudit(tx, actor, {
        entityType: 'role',
        entityId: role.id,
        action: 'create',
        after: pickFields(role),
      });

      return role;
    }),
  );
}

/**
 * Changes a role. The change applies from the next request. Problems: not-found, version-conflict,
 * validation (ADMIN is fixed), last-administrator, forbidden (present or new permissions).
 */
export function updateRole(
  deps: AdministratorDeps,
  actor: Actor,
  id: number,
  change: RoleEdit,
): Promise<Role> {
  return deps.db.transaction(async (tx) => {
    await lockAdministrators(tx);
    const row = await holdForEdit(tx, AccessRole, id, {
      seen: change.version,
      detail: 'No such role',
    });

    const before = await getRole(tx, id);
    const after = {
      ...before,
      ...(change.name === undefined ? {} : requiredTexts({ name: change.name }, { name: 200 })),
      ...(change.permissions === undefined
        ? {}
        : { permissions: withIncluded(change.permissions) }),
    };
    // A change concerns every user of the role.
    await requireRights(tx, actor, [...before.permissions, ...after.permissions]);
    if (JSON.stringify(pickFields(before)) === JSON.stringify(pickFields(after))) return before;

    if (before.code === ADMINISTRATOR && change.permissions !== undefined)
      throw invalidField(
        'permissions',
        'not_supported',
        'The role ADMIN always has every permission',
      );

    await saveEdit(tx, row, {
      name: after.name,
      permissions: withUnknown(row.permissions, after.permissions),
    });
    await requireAdministrator(tx, deps);
    await recordAudit(tx, actor, {
      entityType: 'role',
      entityId: id,
      action: 'update',
      before: pickFields(before),
      after: pickFields(after),
    });

    return getRole(tx, id);
  });
}

function pickFields({ code, name, permissions }: Role): Record<string, unknown> {
  return { code, name, permissions: permissions.toSorted() };
}
