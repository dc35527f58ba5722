import type { Database } from '../database.ts';
import { readPage, type Page, type Paging } from '../pages.ts';
import { readConnections, type ConnectionView } from './connection-view.ts';

/** One page of connections of one legal entity or of all, in the order of their creation. */
export function listConnections(
  deps: { db: Database },
  { legalEntityId, ...paging }: Paging & { legalEntityId?: number | undefined },
): Promise<Page<ConnectionView>> {
  const all = readConnections(deps.db).orderBy('id');
  return readPage(legalEntityId === undefined ? all : all.where('legalEntityId', '=', legalEntityId), paging);
}

/** Every connection of a legal entity in the order of their creation; empty for an unknown one (rule CON-3). */
export function findByLegalEntity(deps: { db: Database }, legalEntityId: number): Promise<ConnectionView[]> {
  return readConnections(deps.db).where('legalEntityId', '=', legalEntityId).orderBy('id').execute();
}
