import type { Sql } from '../text-database.ts';
import type { ReferenceMirror } from './reference-mirror.ts';

/** The mirror or its model as sorted lines. */
export type Lines = string[];

export function listLines(mirror: ReferenceMirror): Lines {
  const lines: Lines = [];
  for (const [id, { isActive }] of mirror.organizations)
    lines.push(`organization ${id} ${isActive}`);
  for (const [key, { name, sku, isDeleted }] of mirror.items)
    lines.push(`item ${key} «${name}» ${sku} ${isDeleted ? 'deleted' : 'live'}`);
  for (const [key, { sku }] of mirror.sizes) lines.push(`size ${key} ${sku}`);
  for (const [id, menu] of mirror.menus) {
    lines.push(`menu ${id} ${menu.isListed} revision ${menu.savedRevision} due ${menu.isFullDue}`);
    for (const [key, { name, isHidden, position }] of menu.categories)
      lines.push(`${id} category ${key} «${name}» ${isHidden} ${position}`);
    for (const [key, { position }] of menu.placements) lines.push(`${id} place ${key} ${position}`);
    for (const [key, { name, isHidden }] of menu.members)
      lines.push(`${id} member ${key} «${name}» ${isHidden}`);
    for (const [key, { isHidden }] of menu.sizes) lines.push(`${id} sells ${key} ${isHidden}`);
    for (const [key, { kopecks, isLost }] of menu.prices)
      lines.push(`${id} price ${key} ${kopecks} ${isLost ? 'lost' : 'stated'}`);
    for (const [key, groups] of menu.groups)
      for (const [position, { erpId, name, links }] of groups.entries())
        lines.push(`${id} group ${key} ${position} ${erpId} «${name}» ${JSON.stringify(links)}`);
  }
  return lines.toSorted();
}

const ITEM_KEY = `item.role || '/' || item.erp_id`;
const SIZE_KEY = `${ITEM_KEY} || '/' || size.erp_size_id`;
const OF_MENU = 'join mirror_external_menu menu on menu.id = row.external_menu_id';
const OF_ITEM = 'join mirror_item item on item.id = row.item_id';
const OF_SIZE = `join mirror_item_size size on size.id = row.item_size_id join mirror_item item on item.id = size.item_id`;
const yes = (condition: string): string => `case when ${condition} then 'true' else 'false' end`;

const SELECTS = [
  `select 'organization ' || erp_id || ' ' || ${yes('inactive_at is null')} as line from mirror_organization`,
  `select 'item ' || ${ITEM_KEY} || ' «' || name || '» ' || sku || case when deleted_at is null then ' live' else ' deleted' end
     from mirror_item item`,
  `select 'size ' || ${SIZE_KEY} || ' ' || size.sku from mirror_item_size size join mirror_item item on item.id = size.item_id`,
  `select 'menu ' || erp_id || ' ' || ${yes('inactive_at is null')} || ' revision ' || coalesce(revision::text, 'null') || ' due ' || ${yes('full_due')}
     from mirror_external_menu`,
  `select menu.erp_id || ' category ' || row.erp_id || ' «' || row.name || '» ' || ${yes('row.is_hidden')} || ' ' || row.position
     from mirror_menu_category row ${OF_MENU}`,
  `select menu.erp_id || ' place ' || category.erp_id || '/' || item.erp_id || ' ' || row.position
     from mirror_item_placement row join mirror_menu_category category on category.id = row.menu_category_id
     join mirror_external_menu menu on menu.id = category.external_menu_id ${OF_ITEM}`,
  `select menu.erp_id || ' member ' || ${ITEM_KEY} || ' «' || row.name || '» ' || ${yes('row.is_hidden')}
     from mirror_item_menu row ${OF_MENU} ${OF_ITEM}`,
  `select menu.erp_id || ' sells ' || ${SIZE_KEY} || ' ' || ${yes('row.is_hidden')} from mirror_size_menu row ${OF_MENU} ${OF_SIZE}`,
  `select menu.erp_id || ' price ' || ${SIZE_KEY} || '@' || organization.erp_id || ' ' || row.price_kopecks
          || case when row.lost_at is null then ' stated' else ' lost' end
     from mirror_price row ${OF_MENU} ${OF_SIZE} join mirror_organization organization on organization.id = row.organization_id`,
  `select menu.erp_id || ' group ' || ${SIZE_KEY} || ' ' || row.position || ' ' || coalesce(row.erp_id, 'null') || ' «' || row.name || '» '
          || (select coalesce(json_agg(json_build_array(linked.erp_id, link.name) order by link.position), '[]')
                from mirror_modifier_link link join mirror_item linked on linked.id = link.item_id
               where link.modifier_group_id = row.id)
     from mirror_modifier_group row ${OF_MENU} ${OF_SIZE}`,
];

export async function readMirror(sql: Sql): Promise<Lines> {
  const rows = await sql.query<{ line: string }>(SELECTS.join(' union all '));
  return rows
    .map(({ line }) => line.replaceAll('", "', '","').replaceAll('], [', '],['))
    .toSorted();
}
