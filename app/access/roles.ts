import type { Permission } from '../../contracts/permissions.ts';
import { invalidField, Problem } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { withConstraintProblems } from '../constraint-problems.ts';
import type { Database, Sql } from '../database.ts';
import { once, type Idempotency } from '../idempotency.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';
import { requiredTexts } from '../required-texts.ts';
import { lockAdministrators, requireAdministrator, type AdministratorDeps } from './administrators.ts';

/** A named list of permissions. */
export type RoleView = {
  id: number;
  code: string;
  name: string;
  permissions: Permission[];
  /** Users who hold it. */
  users: number;
  createdAt: Date;
  updatedAt: Date;
  version: number;
};

/** This role always holds every permission, so that a release with a new one locks nobody out. */
const ADMINISTRATOR = 'ADMIN';

const COLUMNS = `role.id, role.code, role.name, role.permissions, (select count(*) from access_user_role link where link.role_id = role.id) as users,
  role.created_at as "createdAt", role.updated_at as "updatedAt", role.version`;

/** One page of roles by their codes. */
export function listRoles(sql: Sql, paging: Paging): Promise<Page<RoleView>> {
  return readPageOfText(sql, paging, { columns: COLUMNS, from: 'access_role role', order: 'role.code', params: [] });
}

/** One role. Problem `not-found`. */
export async function getRole(sql: Sql, id: number): Promise<RoleView> {
  const [role] = await sql.query<RoleView>(`select ${COLUMNS} from access_role role where role.id = $1`, [id]);
  if (role === undefined) throw new Problem('not-found', { detail: 'No such role' });
  return role;
}

/** Creates a role. Problems: validation, duplicate (code). */
export async function createRole(
  { db }: { db: Database },
  actor: Actor,
  input: { code: string; name: string; permissions: readonly Permission[] },
  idempotency: Idempotency | null = null,
): Promise<RoleView> {
  const { name } = requiredTexts({ name: input.name }, { name: 200 });
  return withConstraintProblems(() =>
    db.transaction((tx) =>
      once(tx, idempotency, async () => {
        const [row] = await tx.query<{ id: number }>(
          'insert into access_role (code, name, permissions) values ($1, $2, $3) returning id',
          [input.code, name, sorted(input.permissions)],
        );
        const role = await getRole(tx, row!.id);
        await recordAudit(tx, actor, {
          entityType: 'role',
          entityId: role.id,
          action: 'create',
          after: fieldsOf(role),
        });
        return role;
      }),
    ),
  );
}

/**
 * Merges a change into a role; it acts with the next request of everybody who holds it.
 * Problems: not-found, version-conflict, validation (the permissions of ADMIN are fixed), last-administrator.
 */
export function updateRole(
  deps: AdministratorDeps,
  actor: Actor,
  id: number,
  change: { version: number; name?: string; permissions?: readonly Permission[] },
): Promise<RoleView> {
  return deps.db.transaction(async (tx) => {
    await lockAdministrators(tx);
    const before = await getRole(tx, id);
    if (before.version !== change.version)
      throw new Problem('version-conflict', { extra: { currentVersion: before.version } });
    const after = {
      ...before,
      ...(change.name === undefined ? {} : requiredTexts({ name: change.name }, { name: 200 })),
      ...(change.permissions === undefined ? {} : { permissions: sorted(change.permissions) }),
    };
    if (JSON.stringify(fieldsOf(before)) === JSON.stringify(fieldsOf(after))) return before;
    if (before.code === ADMINISTRATOR && change.permissions !== undefined)
      throw invalidField('permissions', 'not_supported', 'The role ADMIN always holds every permission');

    await tx.query(
      'update access_role set name = $2, permissions = $3, updated_at = now(), version = version + 1 where id = $1',
      [id, after.name, after.permissions],
    );
    await requireAdministrator(tx, deps);
    await recordAudit(tx, actor, {
      entityType: 'role',
      entityId: id,
      action: 'update',
      before: fieldsOf(before),
      after: fieldsOf(after),
    });
    return getRole(tx, id);
  });
}

function sorted(permissions: readonly Permission[]): Permission[] {
  return [...new Set(permissions)].toSorted();
}

function fieldsOf({ code, name, permissions }: RoleView): Record<string, unknown> {
  return { code, name, permissions: permissions.toSorted() };
}
