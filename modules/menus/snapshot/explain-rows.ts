import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
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

export type MenuRow = Awaited<ReturnType<typeof readMenuRows>>[number];

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

/** Reads menus, including disabled ones, which are for no organization. */
export function readMenuRows({ db }: Sql, organizationId: number, sizeIds: readonly number[]) {
  return db
    .selectFrom('mirror_item_size as size')
    .crossJoin('mirror_external_menu as menu')
    .innerJoin('external_menu_setting as setting', 'setting.externalMenuId', 'menu.id')
    .leftJoin('menu_of_organization as speaking', (on) =>
      on
        .onRef('speaking.externalMenuId', '=', 'menu.id')
        .on('speaking.organizationId', '=', organizationId),
    )
    .leftJoin('mirror_price_category as category', (on) =>
      on
        .onRef('category.connectionId', '=', 'menu.connectionId')
        .onRef('category.erpId', '=', 'setting.priceCategoryId'),
    )
    .leftJoin('mirror_item_menu as listed', (on) =>
      on.onRef('listed.externalMenuId', '=', 'menu.id').onRef('listed.itemId', '=', 'size.itemId'),
    )
    .leftJoin('mirror_size_menu as sized', (on) =>
      on.onRef('sized.externalMenuId', '=', 'menu.id').onRef('sized.itemSizeId', '=', 'size.id'),
    )
    .leftJoin('mirror_price as price', (on) =>
      on
        .onRef('price.externalMenuId', '=', 'menu.id')
        .onRef('price.itemSizeId', '=', 'size.id')
        .on('price.organizationId', '=', organizationId),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('sync_run')
          .select(['id', 'finishedAt'])
          .where('job', '=', 'MENU')
          .whereRef('externalMenuId', '=', 'menu.id')
          .where(HAS_WRITTEN_PRICE)
          .orderBy('id', 'desc')
          .limit(1)
          .as('run'),
      (on) => on.onTrue(),
    )
    .select(['size.id as itemSizeId', 'menu.id', 'menu.name', 'setting.isEnabled'])
    .select(sql<boolean>`speaking.external_menu_id is not null`.as('isForOrganization'))
    .select(['setting.priority', 'menu.inactiveAt', 'menu.withdrawnAt', 'menu.importedAt'])
    .select(sql<boolean>`listed.item_id is not null`.as('listsItem'))
    .select(sql<boolean>`sized.item_size_id is not null`.as('listsSize'))
    .select(['setting.priceCategoryId', 'category.name as priceCategoryName'])
    .select(['price.priceKopecks', 'price.changedAt as priceChangedAt'])
    .select(['price.lostAt as priceLostAt', 'run.id as runId', 'run.finishedAt as runFinishedAt'])
    .where('size.id', '=', anyOf(sizeIds))
    .where((eb) =>
      eb.or([eb('listed.itemId', 'is not', null), eb('price.itemSizeId', 'is not', null)]),
    )
    .orderBy('size.id')
    .orderBy('speaking.rank')
    .orderBy('menu.id')
    .execute();
}

const HAS_WRITTEN_PRICE = sql<boolean>`date_trunc('milliseconds', started_at) = date_trunc('milliseconds', price.changed_at)`;

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
