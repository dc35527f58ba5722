import type { Database } from '../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import { readConnections, type ConnectionView } from './connection-view.ts';

/** One page of connections of one legal entity or of all, in the order of their creation. */
export function listConnections(
  deps: { db: Database },
  { legalEntityId, ...paging }: Paging & { legalEntityId?: number | undefined },
): Promise<Page<ConnectionView>> {
  const all = readConnections(deps.db).orderBy('id');
  return readPage(legalEntityId === undefined ? all : all.where('legalEntityId', '=', legalEntityId), paging);
}
