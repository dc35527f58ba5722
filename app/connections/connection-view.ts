import { Problem } from '../../contracts/problem.ts';
import type { Sql } from '../database.ts';

/** A connection as everybody outside this folder sees it: without its credential (rule CON-2). */
export type ConnectionView = {
  id: number;
  legalEntityId: number;
  name: string;
  status: 'ACTIVE' | 'DISABLED';
  createdAt: Date;
  updatedAt: Date;
  version: number;
};

/** The columns of the view. The credential is not among them, so no query that uses them can leak it. */
export const CONNECTION_COLUMNS = `connection.id, connection.legal_entity_id as "legalEntityId", connection.name,
  connection.status, connection.created_at as "createdAt", connection.updated_at as "updatedAt", connection.version`;

/** Connections of earlier times without an owner exist, but not for the contract. */
export const VISIBLE = 'connection.legal_entity_id is not null';

/** One connection. Problem `not-found`, also for one without an owner. `hold` locks its row in a transaction. */
export async function getConnection(sql: Sql, id: number, options: { hold?: boolean } = {}): Promise<ConnectionView> {
  const [row] = await sql.query<ConnectionView>(
    `select ${CONNECTION_COLUMNS} from connection where id = $1 and ${VISIBLE} ${options.hold === true ? 'for update' : ''}`,
    [id],
  );
  if (row === undefined) throw new Problem('not-found', { detail: 'No such connection' });
  return row;
}

/** Throws the problem `version-conflict` when the caller has seen another version; one who names none takes any. */
export function requireVersion({ version }: ConnectionView, seen: number | undefined): void {
  if (seen !== undefined && seen !== version)
    throw new Problem('version-conflict', { extra: { currentVersion: version } });
}

/** What of a connection goes into the audit: never the credential. */
export function auditedConnection({ legalEntityId, name, status }: ConnectionView): Record<string, unknown> {
  return { legalEntityId, name, status };
}
