import type { Terminal } from '../../contracts/mirror.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

/** A mirrored terminal group. */
export type TerminalView = Terminal;

/** One page of terminal groups by organization and name, those that are gone included, of one organization or of all. */
export function listTerminals(
  db: Sql,
  input: Paging & { organizationId?: number | undefined },
): Promise<Page<TerminalView>> {
  return readPageOfText(db, input, {
    columns: `id, erp_id as "erpId", organization_id as "organizationId", name, time_zone as "timeZone",
      is_asleep as "isAsleep", synchronized_at as "synchronizedAt", inactive_at as "inactiveAt"`,
    from: 'mirror_terminal_group where $1::bigint is null or organization_id = $1',
    order: 'organization_id, name, id',
    params: [input.organizationId ?? null],
  });
}
