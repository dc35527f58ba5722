import { sql } from 'kysely';
import type { User } from './schemas/access.ts';
import { Problem } from '../../kernel/problem.ts';
import { contains, searchedText, readPage, type Page, type Paging } from '../../kernel/pages.ts';
import type { Sql } from '../../platform/db/database.ts';

export type UserFilter = Paging & {
  /** Searches in names and e-mails. */
  q?: string | undefined;
  role?: string | undefined;
  isActive?: boolean | undefined;
};

/** Excludes machine accounts. */
const IS_PERSON = sql<boolean>`not exists (select from access_api_key key where key.id = "user".id)`;

function readUsers({ db }: Sql) {
  return db
    .selectFrom('access_user as user')
    .select((eb) => [
      'user.id',
      'user.email',
      'user.fullName',
      'user.phone',
      'user.isActive',
      'user.organizationIds',
      sql<boolean>`${eb.ref('user.passwordHash')} is not null`.as('hasPassword'),
      eb
        .exists(
          eb
            .selectFrom('access_second_factor as factor')
            .whereRef('factor.userId', '=', 'user.id')
            .where('factor.confirmedAt', 'is not', null)
            .select('factor.userId'),
        )
        .$castTo<boolean>()
        .as('hasSecondFactor'),
      sql<string[]>`array(${eb
        .selectFrom('access_user_role as link')
        .innerJoin('access_role as role', 'role.id', 'link.roleId')
        .whereRef('link.userId', '=', 'user.id')
        .select('role.code')
        .orderBy('role.code')})`.as('roles'),
      sql<User['apiKeys']>`(
        select coalesce(jsonb_agg(jsonb_build_object('id', key.id, 'name', key.name) order by key.id), '[]')
          from access_api_key key where key.owner_id = "user".id and key.revoked_at is null)`.as(
        'apiKeys',
      ),
      'user.createdAt',
      'user.updatedAt',
      'user.version',
    ])
    .where('user.deletedAt', 'is', null)
    .where(IS_PERSON);
}

/** Lists users by name, without deleted ones. */
export function listUsers(
  sql: Sql,
  { q, role, isActive, ...paging }: UserFilter,
): Promise<Page<User>> {
  const text = searchedText(q);
  let users = readUsers(sql)
    .where((eb) =>
      eb.or([contains(eb.ref('user.fullName'), text), contains(eb.ref('user.email'), text)]),
    )
    .orderBy('user.fullName')
    .orderBy('user.id');

  if (role !== undefined)
    users = users.where((eb) =>
      eb.exists(
        eb
          .selectFrom('access_user_role as link')
          .innerJoin('access_role as role', 'role.id', 'link.roleId')
          .whereRef('link.userId', '=', 'user.id')
          .where('role.code', '=', role)
          .select('role.id'),
      ),
    );

  if (isActive !== undefined) users = users.where('user.isActive', '=', isActive);

  return readPage(users, paging);
}

/** Throws `not-found` also for a deleted user. */
export function getUser(sql: Sql, id: number): Promise<User> {
  return readUsers(sql)
    .where('user.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such user' }));
}
