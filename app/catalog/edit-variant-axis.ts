import type { AuditEntity } from '../../contracts/audit.ts';
import { invalidField, Problem } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import type { Sql, Tx } from '../database.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';
import { getVariantAxis, type VariantAxisView } from './variant-axes.ts';

/** Fields that are left out stay. Codes stay for ever: other requests name them. */
export type VariantAxisEdit = { version: number; name?: string; uiType?: string };
export type VariantOptionEdit = { version: number; name?: string; shortName?: string | null; position?: number };

type Fields = Record<string, string | number | null>;
type Editable = { table: string; id: number; entityType: AuditEntity; version: number };

const PRODUCTS_OF_AXIS = `select id from catalog_product where status = 'PUBLISHED' and variant_axis_id = $1 order by id`;
const PRODUCTS_OF_OPTION = `select distinct product.id from catalog_variant variant
  join catalog_product product on product.id = variant.product_id
  where product.status = 'PUBLISHED' and variant.option_id = $1 order by 1`;

/** Changes the name or the look of an axis. Problems: not-found, version-conflict, validation (empty name). */
export function editVariantAxis(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  edit: VariantAxisEdit,
): Promise<VariantAxisView> {
  return commitEdit(deps, async (tx) => {
    const columns = { ...named(edit), ...(edit.uiType === undefined ? {} : { ui_type: edit.uiType }) };
    const axis: Editable = { table: 'catalog_variant_axis', id, entityType: 'variant-axis', version: edit.version };
    await requireRow(tx, axis, 'No such axis.', 'true');
    await write(tx, actor, axis, columns, PRODUCTS_OF_AXIS);
    return getVariantAxis(tx, id);
  });
}

/** Changes the texts or the place of an option. Problems: not-found, version-conflict, validation (empty name). */
export function editVariantOption(
  deps: CatalogDeps,
  actor: Actor,
  { axisId, optionId }: { axisId: number; optionId: number },
  edit: VariantOptionEdit,
): Promise<VariantAxisView> {
  return commitEdit(deps, async (tx) => {
    const columns = {
      ...named(edit),
      ...(edit.shortName === undefined ? {} : { short_name: edit.shortName?.trim() || null }),
      ...(edit.position === undefined ? {} : { position: edit.position }),
    };
    const option: Editable = {
      table: 'catalog_variant_option',
      id: optionId,
      entityType: 'variant-option',
      version: edit.version,
    };
    await requireRow(tx, option, 'No such option of this axis.', 'axis_id = $2', axisId);
    await write(tx, actor, option, columns, PRODUCTS_OF_OPTION);
    return getVariantAxis(tx, axisId);
  });
}

function named({ name }: { name?: string }): { name?: string } {
  if (name === undefined) return {};
  const trimmed = name.trim();
  if (trimmed === '') throw invalidField('name', 'required', 'The name is empty.');
  return { name: trimmed };
}

/** Locks the row until the transaction ends; it must exist and still have the version the caller has seen. */
async function requireRow(
  tx: Sql,
  { table, id, version }: Editable,
  missing: string,
  condition: string,
  ...params: unknown[]
): Promise<void> {
  const [row] = await tx.query<{ version: number }>(
    `select version from ${table} where id = $1 and ${condition} for update`,
    [id, ...params],
  );
  if (row === undefined) throw new Problem('not-found', { detail: missing });
  if (row.version !== version) throw new Problem('version-conflict', { extra: { currentVersion: row.version } });
}

async function write(
  tx: Tx,
  actor: Actor,
  { table, id, entityType }: Editable,
  columns: Fields,
  products: string,
): Promise<void> {
  const [before] = await tx.query<Fields>(`select * from ${table} where id = $1`, [id]);
  const changed = Object.entries(columns).filter(([name, value]) => before?.[name] !== value);
  if (changed.length === 0) return;
  await tx.query(
    `update ${table} set ${changed.map(([name], at) => `${name} = $${at + 2}`).join(', ')}, version = version + 1 where id = $1`,
    [id, ...changed.map(([, value]) => value)],
  );
  const shown = await tx.query<{ id: number }>(products, [id]);
  await recordEdit(tx, actor, {
    entityType,
    entityId: id,
    action: 'update',
    before: Object.fromEntries(changed.map(([name]) => [name, before?.[name] ?? null])),
    after: Object.fromEntries(changed),
    outdates: { source: 'variant-axis-update', productIds: shown.map((row) => row.id) },
  });
}
