import { sql } from 'kysely';
import { contains, readPage, searchedText, type Page, type Paging } from '../../kernel/pages.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { ErpCategory } from './schemas/binding.ts';

/** Current dishes with their ERP categories of both kinds, without duplicates. */
const PLACES = sql`
  select 'PRODUCT' as kind, category.erp_id as id, category.name, item.id as item_id
    from mirror_product_category category join mirror_item item on item.product_category_erp_id = category.erp_id
   where item.role = 'DISH' and item.deleted_at is null
  union
  select 'MENU', category.erp_id, category.name, item.id
    from mirror_menu_category category join mirror_item_placement placement on placement.menu_category_id = category.id
    join mirror_item item on item.id = placement.item_id
   where item.role = 'DISH' and item.deleted_at is null`;

type Filter = Paging & { q?: string | undefined; kind?: ErpCategory['kind'] | undefined };

/**
 * Lists ERP categories that contain dishes, by name (BND-41). Merges a menu category of several
 * external menus.
 */
export function listErpCategories(
  { db }: Sql,
  { q, kind, ...paging }: Filter,
): Promise<Page<ErpCategory>> {
  const categories = sql<ErpCategory>`(
    select place.kind, place.id, min(place.name) as name, count(distinct place.item_id) as item_count,
           count(distinct place.item_id) filter (where coalesce(triage.status, 'NEW') = 'NEW') as new_item_count
      from (${PLACES}) place left join catalog_item_triage triage on triage.item_id = place.item_id
     group by place.kind, place.id)`.as('category');

  const categoryQuery = db
    .selectFrom(categories)
    .select(['kind', 'id', 'name', 'itemCount', 'newItemCount'])
    .where((eb) => contains(eb.ref('name'), searchedText(q)))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .orderBy('name')
    .orderBy('kind')
    .orderBy('id');

  return readPage(categoryQuery, paging);
}
