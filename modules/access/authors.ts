import { sql, type RawBuilder } from 'kysely';
import type { Author } from './schemas/author.ts';

/**
 * A column with the id of a user or API key as its author, null if the column is null. A deleted
 * user has the name of its empty row (rule ACC-56). The column must have the name of its table.
 */
export const authorOf = (column: string): RawBuilder<Author | null> => sql<Author | null>`(
  case when ${sql.ref(column)} is not null then json_build_object('id', ${sql.ref(column)}, 'name', coalesce(
    (select full_name from access_user where access_user.id = ${sql.ref(column)}),
    (select name from access_api_key where access_api_key.id = ${sql.ref(column)}),
    '#' || ${sql.ref(column)})) end)`;
