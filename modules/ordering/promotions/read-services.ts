import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import { DEFAULT_COMPOSITION, type CompositionRule } from '../rules/composition.ts';

/** The ERP's delivery fee, which is never sold: view `unsold_item` (rule ORD-79). */
export const DELIVERY_FEE_ROLE = 'DELIVERY_FEE';

/** Contains the size in which the item is sold. */
export type ServiceRow = Row<'service_role', 'role'> &
  Row<'mirror_item', 'name' | 'erpId as itemId'> &
  Row<'mirror_item_size', 'id as itemSizeId' | 'erpSizeId as sizeErpId'>;

/**
 * Selects items with roles, in the variant's size or else the first. Dishes precede modifiers of
 * the same id.
 */
export const serviceRows = sql<ServiceRow>`
  select distinct on (role.role) role.role, item.name, item.erp_id as item_id, size.id as item_size_id, size.erp_size_id as size_erp_id
    from service_role role
    left join catalog_variant variant on variant.id = role.variant_id
    left join mirror_item_size bound on bound.id = variant.item_size_id
    join mirror_item item on item.erp_id = role.erp_item_id or item.id = bound.item_id
    join mirror_item_size size on size.item_id = item.id and (bound.id is null or size.id = bound.id)
   order by role.role, (item.role <> 'DISH'), (size.erp_size_id <> ''), size.id`;

export const compositionRows = ({ db }: Sql) =>
  db
    .selectFrom('composition_rule')
    .select(['role', 'everyPersons', 'freeUnits', 'isHidden'])
    .orderBy('id');

/** Adds default rules for roles without one (rule ORD-27). */
export function compositionRules(rows: readonly CompositionRule[]): readonly CompositionRule[] {
  const written = new Set(rows.map((row) => row.role));
  return [...DEFAULT_COMPOSITION.filter((rule) => !written.has(rule.role)), ...rows];
}
