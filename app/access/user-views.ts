import { Problem } from '../../contracts/problem.ts';
import { containsText, searchedText } from '../contains-text.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

/** A member of staff, without anything to sign in with. */
export type UserView = {
  id: number;
  email: string;
  fullName: string;
  isActive: boolean;
  /** Codes of the roles, sorted. */
  roles: string[];
  /** False for somebody who can sign in only through the identity provider. */
  hasPassword: boolean;
  createdAt: Date;
  updatedAt: Date;
  version: number;
};

export type UserFilter = Paging & {
  /** Part of the name or e-mail. */
  q?: string | undefined;
  /** Code of a role. */
  role?: string | undefined;
  isActive?: boolean | undefined;
};

const COLUMNS = `u.id, u.email, u.full_name as "fullName", u.is_active as "isActive", u.password_hash is not null as "hasPassword",
  array(select role.code from access_user_role link join access_role role on role.id = link.role_id
         where link.user_id = u.id order by role.code) as roles,
  u.created_at as "createdAt", u.updated_at as "updatedAt", u.version`;

/** One page of users by name; deleted ones are gone. */
export function listUsers(sql: Sql, { q, role, isActive, ...paging }: UserFilter): Promise<Page<UserView>> {
  return readPageOfText(sql, paging, {
    columns: COLUMNS,
    from: `access_user u where u.deleted_at is null
      and ($1::text is null or ${containsText('u.full_name', '$1')} or ${containsText('u.email', '$1')})
      and ($2::text is null or exists (
        select 1 from access_user_role link join access_role role on role.id = link.role_id
         where link.user_id = u.id and role.code = $2))
      and ($3::boolean is null or u.is_active = $3)`,
    order: 'u.full_name, u.id',
    params: [searchedText(q), role ?? null, isActive ?? null],
  });
}

/** One user. Problem `not-found`, also for one that was deleted. */
export async function getUser(sql: Sql, id: number): Promise<UserView> {
  const [user] = await sql.query<UserView>(
    `select ${COLUMNS} from access_user u where u.id = $1 and u.deleted_at is null`,
    [id],
  );
  if (user === undefined) throw new Problem('not-found', { detail: 'No such user' });
  return user;
}
