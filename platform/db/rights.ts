import type { Database } from './database.ts';
import { textSql } from './text-sql.ts';

const ALL = ['select', 'insert', 'update', 'delete'];

const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  S: ['select', 'usage'],
  v: ['select'],
};

const RESTRICTED: Readonly<Record<string, readonly string[]>> = {
  migration: ['select'],
  audit_entry: ['select', 'insert'],
  audit_seal: ['select', 'insert'],
  compensation_move: ['select', 'insert'],
  // Deleted after retention, see docs/personal-data.md.
  security_event: ['select', 'insert', 'delete'],
  connection: ['select', 'insert', 'update'],
  binding_incident: ['select', 'insert', 'update'],
};

/**
 * Grants the role of the processes its rights, and revokes others on {@link RESTRICTED} tables
 * (OPS-30). Skips correct rights, because a grant makes all sessions plan again. Idempotent.
 */
export async function grantRights(owner: Database, role: string): Promise<void> {
  await owner.transaction(async (tx) => {
    const text = textSql(tx);
    const [names] = await text.query<{ role: string; database: string }>(
      'select quote_ident($1) as role, quote_ident(current_database()) as database',
      [role],
    );
    if (names === undefined) throw new Error('a select without a table has one row');

    const to = names.role;
    await text.query(`grant connect, temporary on database ${names.database} to ${to}`);
    await text.query(`revoke create on schema public from public, ${to}`);
    await text.query(`grant usage on schema public to ${to}`);
    const relations = await text.query<{ name: string; kind: 'r' | 'v' | 'S'; rights: string[] }>(
      `select c.relname as name, c.relkind as kind,
              coalesce((select array_agg(lower(a.privilege_type) order by a.privilege_type) from aclexplode(c.relacl) a
                        where a.grantee = $1::regrole), '{}') as rights
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'S') order by 1`,
      [to],
    );

    for (const { name, kind, rights } of relations) {
      const targetRights = OF_OTHERS[kind] ?? RESTRICTED[name] ?? ALL;
      if (String(rights) === String([...targetRights].sort())) continue;
      const relation = `${kind === 'S' ? 'sequence ' : ''}"${name}"`;
      await text.query(`revoke all on ${relation} from ${to}`);
      await text.query(`grant ${targetRights.join(', ')} on ${relation} to ${to}`);
    }
  });
}

/** Returns true if our role owns tables or is a superuser. */
export async function mayChangeSchema(db: Database): Promise<boolean> {
  const rows = await textSql(db).query(
    `select 1 from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_has_role(c.relowner, 'usage') limit 1`,
  );
  return rows.length > 0;
}
