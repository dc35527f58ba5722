import { sql, type Nullable } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { ProductStatus } from '../../catalog/rules/states.ts';
import { variantsWithDishes } from '../../catalog/variants/variant-views.ts';

export type ProductRow = {
  id: number;
  name: string;
  status: ProductStatus;
  statusReason: string | null;
  publishedAt: Date | null;
  updatedAt: Date;
  mainImageId: number | null;
  /** `isVisibleHere` is null without a setting. */
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

export type MenuRow = Row<'mirror_item_size', 'id as itemSizeId'> &
  Row<'mirror_external_menu', 'id' | 'name' | 'inactiveAt' | 'withdrawnAt' | 'importedAt'> &
  Row<
    'external_menu_setting',
    'isEnabled' | 'priority' | 'priceCategoryId',
    {
      /** False for a disabled menu too. */
      isForOrganization: boolean;
      listsItem: boolean;
      listsSize: boolean;
    }
  > &
  Nullable<Row<'mirror_price_category', 'name as priceCategoryName'>> &
  Nullable<
    Row<'mirror_price', 'priceKopecks' | 'changedAt as priceChangedAt' | 'lostAt as priceLostAt'>
  > &
  Nullable<Row<'sync_run', 'id as runId' | 'finishedAt as runFinishedAt'>>;

export type StopListRow = {
  itemErpId: string;
  sizeErpId: string;
  terminalGroupId: string;
  terminalName: string | null;
  balance: number;
  addedAt: Date | null;
};

export function readProduct({ db }: Sql, id: number, organizationId: number): Promise<ProductRow> {
  return db
    .selectFrom('catalog_product as product')
    .leftJoin('catalog_product_visibility as here', (join) =>
      join
        .onRef('here.productId', '=', 'product.id')
        .on('here.organizationId', '=', organizationId),
    )
    .select([
      'product.id',
      'product.name',
      'product.status',
      'product.statusReason',
      'product.publishedAt',
      'product.updatedAt',
      'product.mainImageId',
      'product.isVisible',
      'here.isVisible as isVisibleHere',
      sql<ProductRow['placements']>`
        coalesce((select json_agg(json_build_object('id', category.id, 'name', category.name,
            'isArchived', category.archived_at is not null) order by placement.is_primary desc, category.id)
           from catalog_product_category placement join catalog_category category on category.id = placement.category_id
          where placement.product_id = product.id), '[]')`.as('placements'),
    ])
    .where('product.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such product.' }));
}

/** Reads an organization, even an inactive one. Problem `not-found`. */
export function readOrganization({ db }: Sql, id: number): Promise<OrganizationRow> {
  return db
    .selectFrom('mirror_organization as organization')
    .innerJoin('connection', 'connection.id', 'organization.connectionId')
    .leftJoin('mirror_stop_list_state as state', 'state.organizationId', 'organization.id')
    .select([
      'organization.id',
      'organization.erpId',
      'organization.name',
      'organization.inactiveAt',
      'organization.synchronizedAt',
      'connection.id as connectionId',
      'connection.name as connectionName',
      'connection.status as connectionStatus',
      'connection.updatedAt as connectionUpdatedAt',
      'state.synchronizedAt as stopsSynchronizedAt',
      'state.dirtyAt as stopsDirtyAt',
    ])
    .where('organization.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such organization.' }));
}

export function readVariantRows(database: Sql, productId: number): Promise<VariantRow[]> {
  return variantsWithDishes(database)
    .select([
      'variant.id',
      'option.name as optionName',
      'variant.isDefault',
      'variant.bindingState',
      'variant.missingSince',
      'variant.lastSeenAt',
      'size.id as itemSizeId',
      'item.erpId as itemErpId',
      'item.name as itemName',
      (eb) => eb.fn.coalesce('item.deletedAt', 'size.deletedAt').as('itemDeletedAt'),
      'item.synchronizedAt as itemSynchronizedAt',
      'size.erpSizeId as sizeErpId',
      'size.name as sizeName',
    ])
    .where('variant.productId', '=', productId)
    .orderBy('variant.position')
    .orderBy('variant.id')
    .execute();
}

/** Reads menus, including disabled ones. */
export async function readMenuRows(
  { db }: Sql,
  organizationId: number,
  sizeIds: readonly number[],
): Promise<MenuRow[]> {
  const { rows } = await sql<MenuRow>`
    select size.id as item_size_id, menu.id, menu.name, setting.is_enabled,
           speaking.external_menu_id is not null as is_for_organization,
           setting.priority, menu.inactive_at, menu.withdrawn_at, menu.imported_at,
           listed.item_id is not null as lists_item, sized.item_size_id is not null as lists_size,
           setting.price_category_id, category.name as price_category_name,
           price.price_kopecks, price.changed_at as price_changed_at, price.lost_at as price_lost_at,
           run.id as run_id, run.finished_at as run_finished_at
      from mirror_item_size size cross join mirror_external_menu menu
      join external_menu_setting setting on setting.external_menu_id = menu.id
      left join menu_of_organization speaking on speaking.external_menu_id = menu.id and speaking.organization_id = ${organizationId}
      left join mirror_price_category category
        on category.connection_id = menu.connection_id and category.erp_id = setting.price_category_id
      left join mirror_item_menu listed on listed.external_menu_id = menu.id and listed.item_id = size.item_id
      left join mirror_size_menu sized on sized.external_menu_id = menu.id and sized.item_size_id = size.id
      left join mirror_price price
        on price.external_menu_id = menu.id and price.item_size_id = size.id and price.organization_id = ${organizationId}
      left join lateral (
        select id, finished_at from sync_run where job = 'MENU' and external_menu_id = menu.id
           and date_trunc('milliseconds', started_at) = date_trunc('milliseconds', price.changed_at)
         order by id desc limit 1) run on true
     where size.id = any (${sizeIds}::bigint[]) and (listed.item_id is not null or price.item_size_id is not null)
     order by size.id, speaking.rank, menu.id`.execute(db);

  return rows;
}

/** Includes rows that stop nothing. */
export async function readStopRows(
  { db }: Sql,
  organizationId: number,
  itemErpIds: readonly string[],
): Promise<StopListRow[]> {
  if (itemErpIds.length === 0) return [];
  return db
    .selectFrom('mirror_stop_list as stop')
    .leftJoin('mirror_terminal_group as terminal', (join) =>
      join
        .onRef('terminal.organizationId', '=', 'stop.organizationId')
        .on(sql`terminal.erp_id::text`, '=', sql`stop.terminal_group_erp_id`),
    )
    .select([
      'stop.itemErpId',
      'stop.erpSizeId as sizeErpId',
      'stop.terminalGroupErpId as terminalGroupId',
      'terminal.name as terminalName',
      'stop.balance',
      'stop.addedAt',
    ])
    .where('stop.organizationId', '=', organizationId)
    .where('stop.itemErpId', 'in', itemErpIds)
    .orderBy('stop.itemErpId')
    .orderBy('stop.erpSizeId')
    .orderBy('stop.terminalGroupErpId')
    .execute();
}
