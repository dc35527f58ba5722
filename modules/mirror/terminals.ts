import { sql, type Expression } from 'kysely';
import type { Terminal } from './schemas/mirror.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { inScope, type Scope } from '../../kernel/scope.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';

/** Returns one page of terminal groups, including removed ones. */
export function listTerminals(
  { db }: Sql,
  input: Paging & { organizationId?: number | undefined; scope: Scope },
): Promise<Page<Terminal>> {
  const all = db
    .selectFrom('mirror_terminal_group')
    .select([
      'id',
      'erpId',
      'organizationId',
      'name',
      'timeZone',
      'isAsleep',
      'synchronizedAt',
      'inactiveAt',
    ])
    .where((eb) => inScope(eb.ref('organizationId'), input.scope))
    .orderBy('organizationId')
    .orderBy('name')
    .orderBy('id');

  return readPage(
    input.organizationId === undefined
      ? all
      : all.where('organizationId', '=', input.organizationId),
    input,
  );
}

export type TerminalGroup = Row<
  'mirror_terminal_group',
  'organizationId' | 'erpId',
  { isActive: boolean }
>;

/**
 * Returns all groups ever listed for these organizations. Active groups are listed and awake. While
 * all groups of a restaurant sleep, the listed ones count as active; otherwise its stop-list would
 * change every night.
 */
export async function terminalGroups(
  { db }: Sql,
  organizationIds: readonly number[],
): Promise<TerminalGroup[]> {
  const { rows } = await terminalRows(anyOf(organizationIds)).execute(db);
  return rows;
}

/**
 * {@link terminalGroups} in SQL. The organization is `any (…)` or a column of the outer statement.
 */
export const terminalRows = (organizationId: Expression<number>) => sql<TerminalGroup>`
  select organization_id, erp_id,
         inactive_at is null and is_asleep = bool_and(is_asleep) filter (where inactive_at is null)
           over (partition by organization_id) as is_active
    from mirror_terminal_group where organization_id = ${organizationId} order by organization_id, erp_id`;
