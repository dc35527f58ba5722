import type { Database } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';
import { CONNECTION_COLUMNS, VISIBLE, type ConnectionView } from './connection-view.ts';

/** One page of connections in the order of their creation, of one legal entity or of all. */
export function listConnections(
  deps: { db: Database },
  input: Paging & { legalEntityId?: number | undefined },
): Promise<Page<ConnectionView>> {
  return readPageOfText(deps.db, input, {
    columns: CONNECTION_COLUMNS,
    from: `connection where ${VISIBLE} and ($1::bigint is null or connection.legal_entity_id = $1)`,
    order: 'connection.id',
    params: [input.legalEntityId ?? null],
  });
}

/** Every connection of a legal entity in the order of their creation; empty for an unknown one (rule CON-3). */
export function findByLegalEntity(deps: { db: Database }, legalEntityId: number): Promise<ConnectionView[]> {
  return deps.db.query<ConnectionView>(
    `select ${CONNECTION_COLUMNS} from connection where connection.legal_entity_id = $1 order by connection.id`,
    [legalEntityId],
  );
}
