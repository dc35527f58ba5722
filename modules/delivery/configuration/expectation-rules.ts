import type {
  ExpectationRule as Answered,
  ExpectationRuleEdit,
  NewExpectationRule,
} from '../schemas/context.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { ExpectationRule } from '../tables/delivery.ts';
import { expectationErrors } from '../rules/expectation-rules.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { inScopeOrChain, type Scope } from '../../../kernel/scope.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { createRow, deleteRow, editRow } from '../../access/audit/audited-rows.ts';
import { commitOrderingEdit, parseMoment, requireNamedOrganization } from './commit-edit.ts';

const RULE = {
  entity: ExpectationRule,
  entityType: 'expectation-rule',
  missing: 'No such expectation rule.',
} as const;

export function listExpectationRules(
  { db }: Sql,
  { scope, ...paging }: Paging & { scope: Scope },
): Promise<Page<Answered>> {
  const rules = db
    .selectFrom('expectation_rule')
    .selectAll()
    .where((eb) => inScopeOrChain(eb.ref('organizationId'), scope))
    .orderBy('id', 'desc');

  return readPage(rules, paging);
}

export function getExpectationRule({ db }: Sql, id: number): Promise<Answered> {
  return db
    .selectFrom('expectation_rule')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: RULE.missing }));
}

/** Creates a rule. Problem `validation` (FUL-18). */
export function createExpectationRule(
  deps: { db: Database },
  actor: Actor,
  input: NewExpectationRule,
  idempotency: Idempotency | null,
): Promise<Answered> {
  const { scope, durationMinutes } = input;
  const none = { categoryId: null, organizationId: null, activeFrom: null, activeTo: null };
  const fields = { scope, ...none, ...toColumns(input), durationMinutes };
  requireValid(fields);

  return commitOrderingEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      await requireNamed(tx, fields);
      return getExpectationRule(tx, await createRow(tx, actor, RULE, fields));
    }),
  );
}

/** Changes a rule; the scope is fixed. Problems: not-found, version-conflict, validation. */
export function editExpectationRule(
  deps: { db: Database },
  actor: Actor,
  id: number,
  { version, ...edit }: ExpectationRuleEdit,
): Promise<Answered> {
  const fields = toColumns(edit);
  return commitOrderingEdit(deps, async (tx) => {
    await requireNamed(tx, fields);
    await editRow(tx, actor, RULE, { id, version, fields, check: requireValid });
    return getExpectationRule(tx, id);
  });
}

export function deleteExpectationRule(
  deps: { db: Database },
  actor: Actor,
  id: number,
): Promise<void> {
  return commitOrderingEdit(deps, (tx) => deleteRow(tx, actor, RULE, id));
}

function toColumns({
  durationMinutes,
  categoryId,
  organizationId,
  activeFrom,
  activeTo,
}: Omit<ExpectationRuleEdit, 'version'>) {
  return omitUndefined({
    durationMinutes,
    categoryId,
    organizationId,
    activeFrom: parseMoment(activeFrom),
    activeTo: parseMoment(activeTo),
  });
}

function requireValid(rule: Parameters<typeof expectationErrors>[0]): void {
  const errors = expectationErrors(rule);
  if (errors.length > 0) throw new Problem('validation', { errors });
}

type Named = { categoryId?: number | null; organizationId?: number | null };

async function requireNamed(tx: Tx, { categoryId, organizationId }: Named): Promise<void> {
  await requireNamedOrganization(tx, organizationId);
  if (categoryId == null) return;
  const category = tx.db.selectFrom('catalog_category').select('id').where('id', '=', categoryId);
  // PostgreSQL rejects larger numbers, and the released schema has no maximum.
  if (!Number.isSafeInteger(categoryId) || (await category.executeTakeFirst()) === undefined)
    throw invalidField('categoryId', 'not_found', 'No such category.');
}
