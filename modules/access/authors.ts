import { sql, type RawBuilder } from 'kysely';
import type { Author } from './schemas/author.ts';

/**
 * Selects the user or API key whose id is in a qualified column. For a deleted user, selects the
 * name in the emptied row (rule ACC-56).
 */
export const selectAuthor = (column: string): RawBuilder<Author | null> => sql<Author | null>`(
  case when ${sql.ref(column)} is not null then json_build_object('id', ${sql.ref(column)}, 'name', coalesce(
    (select full_name from access_user where access_user.id = ${sql.ref(column)}),
    (select name from access_api_key where access_api_key.id = ${sql.ref(column)}),
    '#' || ${sql.ref(column)})) end)`;
