import { Problem } from '../../contracts/problem.ts';
import type { Sql } from '../../db/database.ts';
import type { ProductStatus } from '../../domain/catalog/product-states.ts';

export type ProductRow = {
  id: number;
  name: string;
  status: ProductStatus;
  statusReason: string | null;
  publishedAt: Date | null;
  updatedAt: Date;
  mainImageId: number | null;
  /** What staff say about all organizations, and about this one; null when nothing is said of it. */
  isVisible: boolean;
  isVisibleHere: boolean | null;
  placements: { id: number; name: string; isArchived: boolean }[];
};
export type OrganizationRow = {
  id: number;
  erpId: string;
  name: string;
  inactiveAt: Date | null;
  synchronizedAt: Date;
  connectionId: number;
  connectionName: string;
  connectionStatus: string;
  connectionUpdatedAt: Date;
  stopsSynchronizedAt: Date | null;
  stopsDirtyAt: Date | null;
};
export type VariantRow = {
  id: number;
  optionName: string | null;
  isDefault: boolean;
  bindingState: string;
  missingSince: Date | null;
  lastSeenAt: Date | null;
  itemSizeId: number;
  itemErpId: string;
  itemName: string;
  itemDeletedAt: Date | null;
  itemSynchronizedAt: Date;
  sizeErpId: string;
  sizeName: string | null;
};
/** One external menu that lists a dish, or prices it for the organization. */
export type MenuRow = {
  itemSizeId: number;
  id: number;
  name: string;
  isEnabled: boolean;
  isForOrganization: boolean;
  priority: number;
  inactiveAt: Date | null;
  withdrawnAt: Date | null;
  importedAt: Date | null;
  listsItem: boolean;
  listsSize: boolean;
  priceCategoryId: string | null;
  priceCategoryName: string | null;
  priceKopecks: number | null;
  priceChangedAt: Date | null;
  priceLostAt: Date | null;
  /** The run that wrote the price, as long as its record is kept. */
  runId: number | null;
  runFinishedAt: Date | null;
};
export type StopListRow = {
  itemErpId: string;
  sizeErpId: string;
  terminalGroupId: string;
  terminalName: string | null;
  balance: number;
  addedAt: Date | null;
};

/** The product that is asked for. Problem `not-found`. */
export async function readProduct(sql: Sql, id: number, organizationId: number): Promise<ProductRow> {
  const [product] = await sql.query<ProductRow>(
    `select product.id, product.name, product.status, product.status_reason as "statusReason",
            product.published_at as "publishedAt", product.updated_at as "updatedAt", product.main_image_id as "mainImageId",
            product.is_visible as "isVisible", (select said.is_visible from catalog_product_visibility said
              where said.product_id = product.id and said.organization_id = $2) as "isVisibleHere",
            coalesce((select json_agg(json_build_object('id', category.id, 'name', category.name,
                'isArchived', category.archived_at is not null) order by placement.is_primary desc, category.id)
               from catalog_product_category placement join catalog_category category on category.id = placement.category_id
              where placement.product_id = product.id), '[]') as placements
       from catalog_product product where product.id = $1`,
    [id, organizationId],
  );
  if (product === undefined) throw new Problem('not-found', { detail: 'No such product.' });
  return product;
}

/** The organization that is asked for, also an inactive one. Problem `not-found`. */
export async function readOrganization(sql: Sql, id: number): Promise<OrganizationRow> {
  const [organization] = await sql.query<OrganizationRow>(
    `select o.id, o.erp_id as "erpId", o.name, o.inactive_at as "inactiveAt", o.synchronized_at as "synchronizedAt",
            connection.id as "connectionId", connection.name as "connectionName", connection.status as "connectionStatus",
            connection.updated_at as "connectionUpdatedAt", state.synchronized_at as "stopsSynchronizedAt", state.dirty_at as "stopsDirtyAt"
       from mirror_organization o join connection on connection.id = o.connection_id
       left join mirror_stop_list_state state on state.organization_id = o.id where o.id = $1`,
    [id],
  );
  if (organization === undefined) throw new Problem('not-found', { detail: 'No such organization.' });
  return organization;
}

/** The variants a product has now, in their order, each with its dish. */
export function readVariantRows(sql: Sql, productId: number): Promise<VariantRow[]> {
  return sql.query<VariantRow>(
    `select variant.id, option.name as "optionName", variant.is_default as "isDefault", variant.binding_state as "bindingState",
            variant.missing_since as "missingSince", variant.last_seen_at as "lastSeenAt", size.id as "itemSizeId",
            item.erp_id as "itemErpId", item.name as "itemName", item.deleted_at as "itemDeletedAt",
            item.synchronized_at as "itemSynchronizedAt", size.erp_size_id as "sizeErpId", size.name as "sizeName"
       from catalog_variant variant join mirror_item_size size on size.id = variant.item_size_id
       join mirror_item item on item.id = size.item_id left join catalog_variant_option option on option.id = variant.option_id
      where variant.product_id = $1 order by variant.position, variant.id`,
    [productId],
  );
}

/** External menus that list these dishes, or price their sizes for the organization; switched off ones as well. */
export function readMenuRows(sql: Sql, organizationId: number, sizeIds: readonly number[]): Promise<MenuRow[]> {
  return sql.query<MenuRow>(
    `select size.id as "itemSizeId", menu.id, menu.name, coalesce(setting.is_enabled, true) as "isEnabled",
            setting.organization_ids is null or $1 = any (setting.organization_ids) as "isForOrganization",
            coalesce(setting.priority, 100) as priority, menu.inactive_at as "inactiveAt", menu.withdrawn_at as "withdrawnAt",
            menu.imported_at as "importedAt", listed.item_id is not null as "listsItem", sized.item_size_id is not null as "listsSize",
            setting.price_category_id as "priceCategoryId", category.name as "priceCategoryName",
            price.price_kopecks as "priceKopecks", price.changed_at as "priceChangedAt", price.lost_at as "priceLostAt",
            run.id as "runId", run.finished_at as "runFinishedAt"
       from mirror_item_size size cross join mirror_external_menu menu
       left join external_menu_setting setting on setting.external_menu_id = menu.id
       left join mirror_price_category category
         on category.connection_id = menu.connection_id and category.erp_id = setting.price_category_id
       left join mirror_item_menu listed on listed.external_menu_id = menu.id and listed.item_id = size.item_id
       left join mirror_size_menu sized on sized.external_menu_id = menu.id and sized.item_size_id = size.id
       left join mirror_price price
         on price.external_menu_id = menu.id and price.item_size_id = size.id and price.organization_id = $1
       left join lateral (
         select id, finished_at from sync_run where job = 'MENU' and external_menu_id = menu.id
            and date_trunc('milliseconds', started_at) = date_trunc('milliseconds', price.changed_at)
          order by id desc limit 1) run on true
      where size.id = any ($2::bigint[]) and (listed.item_id is not null or price.item_size_id is not null)
      order by size.id, (menu.inactive_at is not null), priority, menu.id`,
    [organizationId, sizeIds],
  );
}

/** Rows of the organization's stop-list about these dishes, also those that stop nothing. */
export function readStopRows(sql: Sql, organizationId: number, itemErpIds: readonly string[]): Promise<StopListRow[]> {
  return sql.query<StopListRow>(
    `select stop.item_erp_id as "itemErpId", stop.erp_size_id as "sizeErpId", stop.terminal_group_erp_id as "terminalGroupId",
            terminal.name as "terminalName", stop.balance, stop.added_at as "addedAt"
       from mirror_stop_list stop
       left join mirror_terminal_group terminal
         on terminal.organization_id = stop.organization_id and terminal.erp_id::text = stop.terminal_group_erp_id
      where stop.organization_id = $1 and stop.item_erp_id = any ($2::uuid[])
      order by stop.item_erp_id, stop.erp_size_id, stop.terminal_group_erp_id`,
    [organizationId, itemErpIds],
  );
}
