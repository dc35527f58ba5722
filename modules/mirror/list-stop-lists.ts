import { sql } from 'kysely';
import type { StopListEntry } from './schemas/mirror.ts';
import type { Sql } from '../../platform/db/database.ts';
import { LEAST_BALANCE } from './rules/values.ts';
import { inScope, type Scope } from '../../kernel/scope.ts';
import {
  readCursorPage,
  type CursorPage,
  type CursorPaging,
  type ListOrder,
} from '../../kernel/cursor-pages.ts';

const IS_STOPPED = sql<boolean>`(stop.balance < ${LEAST_BALANCE})`;

const ORDER: ListOrder = {
  own: (['organizationId', 'name', 'itemErpId', 'erpSizeId', 'terminalGroupErpId'] as const).map(
    (field) => ({
      field,
      direction: 'asc',
    }),
  ),
  columns: {
    organizationId: 'stop.organizationId',
    name: 'item.name',
    itemErpId: 'stop.itemErpId',
    erpSizeId: 'stop.erpSizeId',
    terminalGroupErpId: 'stop.terminalGroupErpId',
    balance: 'stop.balance',
    isStopped: IS_STOPPED,
    addedAt: 'stop.addedAt',
  },
  nullable: ['name', 'addedAt'],
};

export function listStopLists(
  from: Sql,
  input: CursorPaging & {
    organizationId?: number | undefined;
    terminalId?: number | undefined;
    scope: Scope;
  },
): Promise<CursorPage<StopListEntry>> {
  let query = from.db
    .selectFrom('mirror_stop_list as stop')
    .leftJoin('mirror_stop_list_state as state', 'state.organizationId', 'stop.organizationId')
    .leftJoin('mirror_terminal_group as terminal', (join) =>
      join
        .onRef('terminal.organizationId', '=', 'stop.organizationId')
        .on(sql`terminal.erp_id::text`, '=', sql`stop.terminal_group_erp_id`),
    )
    .leftJoinLateral(
      (inner) =>
        inner
          .selectFrom('mirror_item as known')
          .select(['known.id', 'known.name', 'known.role', 'known.sku'])
          .whereRef('known.erpId', '=', 'stop.itemErpId')
          .orderBy('known.role')
          .limit(1)
          .as('item'),
      (join) => join.onTrue(),
    )
    .leftJoin('mirror_item_size as size', (join) =>
      join.onRef('size.itemId', '=', 'item.id').onRef('size.erpSizeId', '=', 'stop.erpSizeId'),
    )
    .select([
      'stop.organizationId',
      'terminal.id as terminalId',
      sql<string | null>`nullif(stop.terminal_group_erp_id, '')`.as('terminalErpId'),
      'stop.itemErpId',
      'item.name',
      'item.role',
      sql<string | null>`nullif(stop.erp_size_id, '')`.as('sizeErpId'),
      'size.name as sizeName',
      'stop.balance',
      IS_STOPPED.as('isStopped'),
      sql<string | null>`coalesce(stop.sku, item.sku)`.as('sku'),
      'stop.addedAt',
      'state.synchronizedAt',
    ]);

  query = query.where((eb) => inScope(eb.ref('stop.organizationId'), input.scope));
  if (input.organizationId !== undefined)
    query = query.where('stop.organizationId', '=', input.organizationId);
  if (input.terminalId !== undefined) query = query.where('terminal.id', '=', input.terminalId);

  return readCursorPage(from, query, input, ORDER);
}
