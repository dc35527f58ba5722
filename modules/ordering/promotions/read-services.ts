import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import { DEFAULT_COMPOSITION, type CompositionRule } from '../rules/composition.ts';

/**
 * The role of the item as which a delivery fee is sent to the ERP. Guests pay it and never buy it:
 * view `unsold_item` (rule ORD-79).
 */
export const DELIVERY_FEE_ROLE = 'DELIVERY_FEE';

/** An item with a role, and the size of it that is sold. */
export type ServiceRow = Row<'service_role', 'role'> &
  Row<'mirror_item', 'name' | 'erpId as itemId'> &
  Row<'mirror_item_size', 'id as itemSizeId' | 'erpSizeId as sizeErpId'>;

/**
 * The items that staff gave roles, each with the size that is sold: that of the variant, or the
 * item's first one. One item of the ERP may be both a dish and a modifier: then the dish is used.
 */
export const serviceRows = sql<ServiceRow>`
  select distinct on (role.role) role.role, item.name, item.erp_id as item_id, size.id as item_size_id, size.erp_size_id as size_erp_id
    from service_role role
    left join catalog_variant variant on variant.id = role.variant_id
    left join mirror_item_size bound on bound.id = variant.item_size_id
    join mirror_item item on item.erp_id = role.erp_item_id or item.id = bound.item_id
    join mirror_item_size size on size.item_id = item.id and (bound.id is null or size.id = bound.id)
   order by role.role, (item.role <> 'DISH'), (size.erp_size_id <> ''), size.id`;

/** Returns the rows of composition. */
export const compositionRows = ({ db }: Sql) =>
  db.selectFrom('composition_rule').select(['role', 'everyPersons', 'freeUnits', 'isHidden']).orderBy('id');

/** The rules of staff, and the default rule for every other role (rule ORD-27). */
export function compositionRules(rows: readonly CompositionRule[]): readonly CompositionRule[] {
  const written = new Set(rows.map((row) => row.role));
  return [...DEFAULT_COMPOSITION.filter((rule) => !written.has(rule.role)), ...rows];
}
