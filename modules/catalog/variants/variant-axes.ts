import type { NewVariantAxis, NewVariantOption } from '../schemas/catalog-requests.ts';
import type {
  VariantAxis as AnsweredAxis,
  VariantOption as AnsweredOption,
} from '../schemas/catalog.ts';
import { sql } from 'kysely';
import { Problem } from '../../../kernel/problem.ts';
import { nameErrors } from '../../../kernel/pure/required-texts.ts';
import { VariantAxis } from '../tables/catalog.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { insertRow } from '../../../kernel/edits.ts';
import { commitEdit, recordEdit, type CatalogDeps } from '../commit-edit.ts';

export type VariantAxisView = AnsweredAxis;

const OPTIONS = sql<AnsweredOption[]>`coalesce((select json_agg(json_build_object(
    'id', option.id, 'code', option.code, 'name', option.name, 'shortName', option.short_name,
    'position', option.position, 'version', option.version) order by option.position, option.id)
  from catalog_variant_option option where option.axis_id = axis.id), '[]')`;

const COLUMNS = [
  'axis.id',
  'axis.code',
  'axis.name',
  'axis.uiType',
  'axis.version',
  OPTIONS.as('options'),
] as const;

/**
 * Creates an axis with options. Problems: validation (empty name, duplicate option code), duplicate
 * (axis code).
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
      const { code, uiType = 'SEGMENTED' } = input;
      const axis = await insertRow(tx, VariantAxis, { code, name: input.name.trim(), uiType });
      const options = input.options.map((option, position) => ({
        ...optionTexts(option),
        axisId: axis.id,
        position,
      }));
      if (options.length > 0)
        await tx.db.insertInto('catalog_variant_option').values(options).execute();

      await recordEdit(tx, actor, {
        entityType: 'variant-axis',
        entityId: axis.id,
        action: 'create',
        after: {
          code: input.code,
          name: input.name,
          options: input.options.map((option) => option.code),
        },
        outdates: null,
      });

      return getVariantAxis(tx, axis.id);
    }),
  );
}

/** Trims the texts of a new option. */
export function optionTexts({ code, name, shortName }: Omit<NewVariantOption, 'position'>) {
  return { code, name: name.trim(), shortName: shortName?.trim() || null };
}

export function listVariantAxes({ db }: Sql, paging: Paging): Promise<Page<VariantAxisView>> {
  return readPage(
    db.selectFrom('catalog_variant_axis as axis').select(COLUMNS).orderBy('axis.code'),
    paging,
  );
}

export function getVariantAxis({ db }: Sql, id: number): Promise<VariantAxisView> {
  return db
    .selectFrom('catalog_variant_axis as axis')
    .select(COLUMNS)
    .where('axis.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such axis.' }));
}

function refuseBadTexts({ name, options }: NewVariantAxis): void {
  const codes = options.map((option) => option.code);
  const errors = [
    ...nameErrors('name', name),
    ...options.flatMap((option, at) => nameErrors(`options.${at}.name`, option.name)),
    ...codes.flatMap((code, at) =>
      codes.indexOf(code) < at
        ? [
            {
              field: `options.${at}.code`,
              code: 'duplicate',
              message: 'Another option has this code.',
            },
          ]
        : [],
    ),
  ];
  if (errors.length > 0) throw new Problem('validation', { errors });
}
