import type {
  CompositionAnswer,
  CompositionQuestion,
  CompositionRule as Answered,
  CompositionRuleEdit,
  NewCompositionRule,
} from '../schemas/requests.ts';
import { Problem } from '../../../kernel/problem.ts';
import { anyOf, type Database, type Sql } from '../../../platform/db/database.ts';
import { CompositionRule } from '../tables/carts.ts';
import { listErrors } from '../../../kernel/pure/field-errors.ts';
import { planService } from '../rules/service-items.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { createRow, deleteRow, editRow } from '../../access/audit/audited-rows.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { commitEdit } from '../../../kernel/edits.ts';
import { compositionRows, compositionRules, serviceRows } from './read-services.ts';

const RULE = {
  entity: CompositionRule,
  entityType: 'composition-rule',
  missing: 'No such composition rule.',
} as const;

/** Lists composition rules, oldest first. Roles without a rule have the default. */
export function listCompositionRules({ db }: Sql, paging: Paging): Promise<Page<Answered>> {
  return readPage(db.selectFrom('composition_rule').selectAll().orderBy('id'), paging);
}

/** Problem `not-found`. */
export function getCompositionRule({ db }: Sql, id: number): Promise<Answered> {
  return db
    .selectFrom('composition_rule')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: RULE.missing }));
}

/** Creates a rule that replaces the default. Problem `duplicate` (role). */
export function createCompositionRule(
  deps: { db: Database },
  actor: Actor,
  { role, everyPersons, freeUnits, isHidden = false }: NewCompositionRule,
  idempotency: Idempotency | null,
): Promise<Answered> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () =>
      getCompositionRule(
        tx,
        await createRow(tx, actor, RULE, { role, everyPersons, freeUnits, isHidden }),
      ),
    ),
  );
}

/** Changes a rule, but not its role. Problems: not-found, version-conflict. */
export function editCompositionRule(
  deps: { db: Database },
  actor: Actor,
  id: number,
  { version, ...edit }: CompositionRuleEdit,
): Promise<Answered> {
  return commitEdit(deps, async (tx) => {
    await editRow(tx, actor, RULE, { id, version, fields: omitUndefined(edit) });
    return getCompositionRule(tx, id);
  });
}

/** Problem `not-found`. */
export function deleteCompositionRule(
  deps: { db: Database },
  actor: Actor,
  id: number,
): Promise<void> {
  return commitEdit(deps, (tx) => deleteRow(tx, actor, RULE, id));
}

/** Applies the current rules to a cart. Problem `validation` for an unknown variant. */
export async function calculateComposition(
  sql: Sql,
  { lines, leaveAtDoor = false, cutlery = 0, sugar = 0 }: CompositionQuestion,
): Promise<CompositionAnswer> {
  const ids = lines.map((line) => line.variantId);
  const variants = await sql.db
    .selectFrom('catalog_variant as variant')
    .innerJoin('mirror_item_size as size', 'size.id', 'variant.itemSizeId')
    .innerJoin('mirror_item as item', 'item.id', 'size.itemId')
    .select([
      'variant.id',
      'variant.personCount',
      'variant.personSplittingEnabled',
      'variant.toolCount',
      'variant.sugarCount',
      'item.erpId',
    ])
    .where('variant.id', '=', anyOf(ids))
    .execute();

  const known = new Map(variants.map((variant) => [variant.id, variant]));
  const errors = listErrors('lines', [...new Set(ids)], new Set(known.keys()), 'variant');
  if (errors.length > 0) throw new Problem('validation', { errors });
  const roles = new Map(
    (await serviceRows.execute(sql.db)).rows.map((row) => [row.itemId, row.role]),
  );
  const served = lines.map(({ variantId, quantity }, at) => {
    const { erpId, id: _id, ...counts } = known.get(variantId)!;
    return {
      ...counts,
      lineId: String(at),
      quantity,
      role: roles.get(erpId) ?? null,
      unitPriceKopecks: 0,
    };
  });

  const rules = compositionRules(await compositionRows(sql).execute());
  const { persons, units, freeLineUnits } = planService(served, rules, {
    leaveAtDoor,
    cutlery,
    sugar,
  });

  return {
    persons,
    units,
    freeUnits: freeLineUnits.map(({ lineId, quantity }) => ({
      variantId: ids[Number(lineId)]!,
      quantity,
    })),
  };
}
