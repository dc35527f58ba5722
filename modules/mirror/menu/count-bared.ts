import { sql } from 'kysely';
import type { Bared } from '../rules/shrink.ts';
import type { MergeContext } from './merge-context.ts';

/**
 * Sizes that the answer names and that have modifiers in this menu, and how many of them it states none for. Needs `new_size` and `new_link`, which is read
 * once; changes nothing.
 */
export async function countBared({ tx, externalMenuId }: MergeContext): Promise<Bared> {
  const { rows } = await sql<Bared>`
    select count(*) as before,
           count(*) filter (where item.erp_id not in (select item_erp_id from new_link)) as vanished
      from mirror_item_size size join mirror_item item on item.id = size.item_id and item.role = 'DISH'
      join new_size named on named.item_erp_id = item.erp_id and named.role = item.role and named.erp_size_id = size.erp_size_id
     where exists (select from mirror_modifier_group stored join mirror_modifier_link link on link.modifier_group_id = stored.id
                    where stored.item_size_id = size.id and stored.external_menu_id = ${externalMenuId})`.execute(
    tx.db,
  );
  return rows[0]!;
}
