import { sql } from 'kysely';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { reportProgress } from '../../../platform/progress.ts';
import type { MenuRows } from '../rules/menu-rows.ts';
import { copyRows, type CopyValue } from './copy-rows.ts';

/** Columns after (run_id, batch, attempt), and the values for them. */
type StageTable = { columns: readonly string[]; values: (menu: MenuRows) => Iterable<CopyValue[]> };

function staged<Field extends string>(
  rows: (menu: MenuRows) => readonly Readonly<Record<Field, CopyValue>>[],
  columns: Readonly<Record<string, Field>>,
): StageTable {
  const fields = Object.values<Field>(columns);
  return {
    columns: Object.keys(columns),
    *values(menu) {
      for (const row of rows(menu)) yield fields.map((field) => row[field]);
    },
  };
}

const QUANTITIES = {
  min_quantity: 'minQuantity',
  max_quantity: 'maxQuantity',
  free_quantity: 'freeQuantity',
  default_quantity: 'defaultQuantity',
} as const;

/** Tables in merge order (MIR-7). */
const TABLES = {
  stage_product_category: staged((menu) => menu.productCategories, {
    erp_id: 'erpId',
    name: 'name',
    is_deleted: 'isDeleted',
  }),
  stage_menu_category: staged((menu) => menu.menuCategories, {
    erp_id: 'erpId',
    name: 'name',
    description: 'description',
    is_hidden: 'isHidden',
    position: 'position',
    hours: 'hours',
  }),
  stage_item: staged((menu) => menu.items, {
    erp_id: 'erpId',
    role: 'role',
    name: 'name',
    description: 'description',
    sku: 'sku',
    type: 'type',
    order_item_type: 'orderItemType',
    measure_unit: 'measureUnit',
    product_category_erp_id: 'productCategoryErpId',
    allergens: 'allergens',
    labels: 'labels',
    is_hidden: 'isHidden',
  }),
  stage_placement: staged((menu) => menu.placements, {
    category_erp_id: 'categoryErpId',
    item_erp_id: 'itemErpId',
    position: 'position',
    is_hidden: 'isHidden',
  }),
  stage_size: staged((menu) => menu.sizes, {
    item_erp_id: 'itemErpId',
    role: 'role',
    erp_size_id: 'erpSizeId',
    name: 'name',
    code: 'code',
    sku: 'sku',
    weight_grams: 'weightGrams',
    nutrition: 'nutrition',
    is_default: 'isDefault',
    is_hidden: 'isHidden',
  }),
  stage_price: staged((menu) => menu.prices, {
    item_erp_id: 'itemErpId',
    role: 'role',
    erp_size_id: 'erpSizeId',
    organization_id: 'organizationId',
    price_kopecks: 'priceKopecks',
  }),
  stage_group: staged((menu) => menu.groups, {
    item_erp_id: 'itemErpId',
    group_key: 'groupKey',
    erp_id: 'erpId',
    name: 'name',
    sku: 'sku',
    position: 'position',
    is_hidden: 'isHidden',
    has_child_restrictions: 'hasChildRestrictions',
    ...QUANTITIES,
  }),
  stage_link: staged((menu) => menu.links, {
    item_erp_id: 'itemErpId',
    group_key: 'groupKey',
    modifier_erp_id: 'modifierErpId',
    position: 'position',
    name: 'name',
    is_hidden: 'isHidden',
    weight_grams: 'weightGrams',
    ...QUANTITIES,
  }),
  stage_unread_item: staged((menu) => menu.unreadItems, { role: 'role', erp_id: 'erpId' }),
} as const satisfies Record<string, StageTable>;

export type StageTableName = keyof typeof TABLES;
export const STAGE_TABLES = Object.keys(TABLES) as readonly StageTableName[];

export type StagedRows = Record<StageTableName, number>;

/**
 * Stages the rows of one batch, all or none. `attempt` must be unique, because an earlier try may
 * still write after its time-out.
 */
export async function stageRows(
  db: Database,
  key: { runId: number; batch: number; attempt: number },
  menu: MenuRows,
): Promise<StagedRows> {
  const counts: Partial<StagedRows> = {};
  await db.copyTransaction(async (client) => {
    for (const table of STAGE_TABLES) {
      const { columns, values } = TABLES[table];
      const keyed = function* (): Generator<CopyValue[]> {
        for (const row of values(menu)) yield [key.runId, key.batch, key.attempt, ...row];
      };
      reportProgress({ writes: table });
      counts[table] = await copyRows(
        client,
        table,
        ['run_id', 'batch', 'attempt', ...columns],
        keyed(),
      );
    }
  });

  return counts as StagedRows;
}

/** Deletes the staged rows of a run. Idempotent. */
export async function clearStaging({ db }: Sql, runId: number): Promise<void> {
  for (const table of STAGE_TABLES)
    await sql`delete from ${sql.table(table)} where run_id = ${runId}`.execute(db);
}
