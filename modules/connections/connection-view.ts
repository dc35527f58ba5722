import type { Connection as AnsweredConnection } from './schemas/connections.ts';
import { Problem } from '../../kernel/problem.ts';
import type { NotNull } from 'kysely';
import { Connection } from './tables/connections.ts';
import type { Sql, Tx, Database } from '../../platform/db/database.ts';
import { holdForEdit } from '../../kernel/edits.ts';
import { isOperationallyActive } from './franchise/operationally-active.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';

const NONE = 'No such connection';

/** Without the credential (rule CON-2). */
export type ConnectionView = AnsweredConnection;

/** Without the credential, so that no query can leak it. */
const COLUMNS = ['id', 'name', 'status', 'createdAt', 'updatedAt', 'version'] as const;

/**
 * Omits disabled connections without an owner, which the database allows but the contract does not.
 */
function readConnections({ db }: Sql) {
  return db
    .selectFrom('connection')
    .where('legalEntityId', 'is not', null)
    .select(['legalEntityId', ...COLUMNS])
    .$narrowType<{ legalEntityId: NotNull }>();
}

/** Throws `not-found` also for a connection without an owner. */
export function getConnection(sql: Sql, id: number): Promise<ConnectionView> {
  return readConnections(sql)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: NONE }));
}

/** Locks a connection for an edit. Problems: not-found, version-conflict. */
export async function holdConnection(tx: Tx, id: number, seen: number | undefined) {
  const row = await holdForEdit(tx, Connection, id, { seen, detail: NONE });
  if (row.legalEntityId === null) throw new Problem('not-found', { detail: NONE });
  return row;
}

/** Returns audited fields, never the credential. */
export function auditedConnection({
  legalEntityId,
  name,
  status,
}: ConnectionView): Record<string, unknown> {
  return { legalEntityId, name, status };
}

export type SkipReason = 'DISABLED' | 'OWNER_INACTIVE';

/**
 * Returns a connection and the reason not to import it, or null. A skipped connection makes no
 * calls (rule CON-7). Problem `not-found`.
 */
export async function connectionForImport(
  sql: Sql,
  id: number,
): Promise<{ connection: ConnectionView; skip: SkipReason | null }> {
  const connection = await getConnection(sql, id);
  if (connection.status === 'DISABLED') return { connection, skip: 'DISABLED' };
  const active = await isOperationallyActive(sql, connection.legalEntityId);
  return { connection, skip: active ? null : 'OWNER_INACTIVE' };
}

/** Lists connections of one legal entity or of all, oldest first. */
export function listConnections(
  deps: { db: Database },
  { legalEntityId, ...paging }: Paging & { legalEntityId?: number | undefined },
): Promise<Page<ConnectionView>> {
  const all = readConnections(deps.db).orderBy('id');
  return readPage(
    legalEntityId === undefined ? all : all.where('legalEntityId', '=', legalEntityId),
    paging,
  );
}
