import { sql, type RawBuilder } from 'kysely';
import type { Author } from './schemas/author.ts';

/**
 * A column with the id of a user or API key as its author, null if the column is null. A deleted
 * user has the name of its empty row (rule ACC-56).
 */
export const authorOf = (column: string): RawBuilder<Author | null> => sql<Author | null>`(
  select json_build_object('id', author.id, 'name', author.name) from (
    select id, full_name as name from access_user where id = ${sql.ref(column)}
    union all select id, name from access_api_key where id = ${sql.ref(column)}) author limit 1)`;
