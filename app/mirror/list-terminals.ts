import type { Terminal } from '../../contracts/mirror.ts';
import type { Sql } from '../database.ts';
import { readPage, type Page, type Paging } from '../pages.ts';

/** A mirrored terminal group. */
export type TerminalView = Terminal;

/** One page of terminal groups by organization and name, those that are gone included, of one organization or of all. */
export function listTerminals(
  { db }: Sql,
  input: Paging & { organizationId?: number | undefined },
): Promise<Page<TerminalView>> {
  const all = db
    .selectFrom('mirror_terminal_group')
    .select(['id', 'erpId', 'organizationId', 'name', 'timeZone', 'isAsleep', 'synchronizedAt', 'inactiveAt'])
    .orderBy('organizationId')
    .orderBy('name')
    .orderBy('id');
  return readPage(
    input.organizationId === undefined ? all : all.where('organizationId', '=', input.organizationId),
    input,
  );
}
