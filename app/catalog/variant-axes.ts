import { Problem, type FieldError } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import type { Sql } from '../database.ts';
import { once, type Idempotency } from '../idempotency.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';

export type VariantOptionView = {
  id: number;
  code: string;
  name: string;
  shortName: string | null;
  position: number;
  version: number;
};
export type VariantAxisView = {
  id: number;
  code: string;
  name: string;
  uiType: string;
  options: VariantOptionView[];
  version: number;
};
export type NewVariantAxis = {
  code: string;
  name: string;
  uiType: string;
  options: readonly NewVariantOption[];
};
export type NewVariantOption = { code: string; name: string; shortName?: string | null };

const COLUMNS = `axis.id, axis.code, axis.name, axis.ui_type as "uiType", axis.version,
  coalesce((select json_agg(json_build_object('id', option.id, 'code', option.code, 'name', option.name,
      'shortName', option.short_name, 'position', option.position, 'version', option.version) order by option.position, option.id)
    from catalog_variant_option option where option.axis_id = axis.id), '[]') as options`;

/**
 * Creates an axis guests choose a variant by, with its options in the given order.
 * Problems: validation (an empty name, an option code twice), duplicate (the code of the axis exists).
 */
export function createVariantAxis(
  deps: CatalogDeps,
  actor: Actor,
  input: NewVariantAxis,
  idempotency: Idempotency | null,
): Promise<VariantAxisView> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      refuseBadTexts(input);
      const [axis] = await tx.query<{ id: number }>(
        'insert into catalog_variant_axis (code, name, ui_type) values ($1, $2, $3) returning id',
        [input.code, input.name.trim(), input.uiType],
      );
      if (axis === undefined) throw new Error('The insert of an axis returned no row');
      await tx.query(
        `insert into catalog_variant_option (axis_id, code, name, short_name, position)
         select $1, code, name, short_name, at - 1
           from unnest($2::text[], $3::text[], $4::text[]) with ordinality as option (code, name, short_name, at)`,
        [
          axis.id,
          input.options.map((option) => option.code),
          input.options.map((option) => option.name.trim()),
          input.options.map((option) => option.shortName?.trim() || null),
        ],
      );
      await recordEdit(tx, actor, {
        entityType: 'variant-axis',
        entityId: axis.id,
        action: 'create',
        after: { code: input.code, name: input.name, options: input.options.map((option) => option.code) },
        outdates: null,
      });
      return getVariantAxis(tx, axis.id);
    }),
  );
}

/** One page of axes with their options, by code. */
export function listVariantAxes(sql: Sql, paging: Paging): Promise<Page<VariantAxisView>> {
  return readPageOfText(sql, paging, {
    columns: COLUMNS,
    from: 'catalog_variant_axis axis',
    order: 'axis.code',
    params: [],
  });
}

/** One axis with its options. Problem `not-found`. */
export async function getVariantAxis(sql: Sql, id: number): Promise<VariantAxisView> {
  const [axis] = await sql.query<VariantAxisView>(
    `select ${COLUMNS} from catalog_variant_axis axis where axis.id = $1`,
    [id],
  );
  if (axis === undefined) throw new Problem('not-found', { detail: 'No such axis.' });
  return axis;
}

/** What guests would see without a name, and options that could not be told apart. */
function refuseBadTexts({ name, options }: NewVariantAxis): void {
  const codes = options.map((option) => option.code);
  const errors = [
    ...emptyName('name', name),
    ...options.flatMap((option, at) => emptyName(`options.${at}.name`, option.name)),
    ...codes.flatMap((code, at) =>
      codes.indexOf(code) < at
        ? [{ field: `options.${at}.code`, code: 'duplicate', message: 'Another option has this code.' }]
        : [],
    ),
  ];
  if (errors.length > 0) throw new Problem('validation', { errors });
}

function emptyName(field: string, name: string): FieldError[] {
  return name.trim() === '' ? [{ field, code: 'required', message: 'The name is empty.' }] : [];
}
