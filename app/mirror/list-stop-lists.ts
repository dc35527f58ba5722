import type { StopListEntry } from '../../contracts/mirror.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

/** One row of a stop-list: an item that is stopped or limited in one terminal group of an organization. */
export type StopListRow = StopListEntry;

/**
 * One page of the mirrored stop-lists, by organization, name and terminal group; of one organization or of one terminal group
 * when they are given. An item that is a dish and a modifier under one id is shown as the dish.
 */
export function listStopLists(
  db: Sql,
  input: Paging & { organizationId?: number | undefined; terminalId?: number | undefined },
): Promise<Page<StopListRow>> {
  return readPageOfText(db, input, {
    columns: `stop.organization_id as "organizationId", terminal.id as "terminalId",
      nullif(stop.terminal_group_erp_id, '') as "terminalErpId", stop.item_erp_id as "itemErpId", item.name, item.role,
      nullif(stop.erp_size_id, '') as "sizeErpId", size.name as "sizeName", stop.balance, stop.balance <= 0 as "isStopped",
      coalesce(stop.sku, item.sku) as sku, stop.added_at as "addedAt", state.synchronized_at as "synchronizedAt"`,
    from: `mirror_stop_list stop
      left join mirror_stop_list_state state on state.organization_id = stop.organization_id
      left join mirror_terminal_group terminal
        on terminal.organization_id = stop.organization_id and terminal.erp_id::text = stop.terminal_group_erp_id
      left join lateral (
        select id, name, role, sku from mirror_item where erp_id = stop.item_erp_id order by role limit 1) item on true
      left join mirror_item_size size on size.item_id = item.id and size.erp_size_id = stop.erp_size_id
     where ($1::bigint is null or stop.organization_id = $1) and ($2::bigint is null or terminal.id = $2)`,
    order: 'stop.organization_id, item.name nulls last, stop.item_erp_id, stop.erp_size_id, stop.terminal_group_erp_id',
    params: [input.organizationId ?? null, input.terminalId ?? null],
  });
}
