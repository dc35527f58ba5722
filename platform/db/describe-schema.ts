import type { Sql } from './database.ts';
import { textSql } from './text-sql.ts';

export type TableDescription = {
  columns: Record<string, string>;
  constraints: Record<string, string>;
  indexes: string[];
  triggers: string[];
  view?: { definition: string; comment: string | null };
};

/** Returns the schema `public` in a stable order, without the migration journal. */
export async function describeSchema(db: Sql): Promise<Record<string, TableDescription>> {
  const rows = await textSql(db).query<{ table: string; description: TableDescription }>(`
    select c.relname as table, jsonb_build_object(
      'columns', (select jsonb_object_agg(a.attname, format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
                    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') || case a.attidentity when '' then '' else ' identity' end)
                    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
      'constraints', coalesce((select jsonb_object_agg(k.conname, pg_get_constraintdef(k.oid)) from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n'), '{}'),
      'indexes', coalesce((select jsonb_agg(pg_get_indexdef(i.indexrelid) order by pg_get_indexdef(i.indexrelid)) from pg_index i where i.indrelid = c.oid), '[]'),
      'triggers', coalesce((select jsonb_agg(pg_get_triggerdef(t.oid) order by t.tgname) from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal), '[]')
    ) || case c.relkind when 'v' then jsonb_build_object('view', jsonb_build_object(
      'definition', pg_get_viewdef(c.oid, true), 'comment', obj_description(c.oid))) else '{}' end as description
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and c.relname <> 'migration' order by c.relname`);

  return Object.fromEntries(rows.map((row) => [row.table, row.description]));
}
