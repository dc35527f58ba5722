import type { NewPromocode, Promocode as Answered, PromocodeEdit } from '../schemas/requests.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { Promocode } from '../tables/carts.ts';
import { selectUses } from './discount-uses.ts';
import { normalCode } from '../rules/discount-fields.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { createRow, deleteRow, editRow } from '../../access/audit/audited-rows.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { sharesScope, type Scope } from '../../../kernel/scope.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { commitEdit } from '../../../kernel/edits.ts';

const PROMOCODE = {
  entity: Promocode,
  entityType: 'promocode',
  missing: 'No such promo code.',
} as const;

export const PROMOCODE_LENGTH = 50;

const promocodes = ({ db }: Sql) =>
  db
    .selectFrom('promocode')
    .innerJoin('discount', 'discount.id', 'promocode.discountId')
    .selectAll('promocode')
    .select(selectUses('discount'));

/** Lists promo codes of one or all discounts, by code. */
export function listPromocodes(
  { db }: Sql,
  { discountId, scope, ...paging }: Paging & { discountId?: number | undefined; scope: Scope },
): Promise<Page<Answered>> {
  const listed = promocodes({ db }).orderBy('code');
  const all =
    scope === null
      ? listed
      : listed.where('promocode.discountId', 'in', (eb) =>
          eb
            .selectFrom('discount as shared')
            .select('shared.id')
            .where((discount) => sharesScope(discount.ref('shared.organizationIds'), scope)),
        );

  return readPage(
    discountId === undefined ? all : all.where('promocode.discountId', '=', discountId),
    paging,
  );
}

/** Problem `not-found`. */
export function getPromocode(from: Sql, id: number): Promise<Answered> {
  return promocodes(from)
    .where('promocode.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: PROMOCODE.missing }));
}

/** Creates a promo code, ignoring case. Problems: validation, duplicate (code). */
export function createPromocode(
  deps: { db: Database },
  actor: Actor,
  { discountId, customerId = null, isActive = true, ...input }: NewPromocode,
  idempotency: Idempotency | null,
): Promise<Answered> {
  const { code } = requiredTexts(
    { code: normalCode(input.code) ?? '' },
    { code: PROMOCODE_LENGTH },
  );

  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      await requireDiscount(tx, discountId);
      return getPromocode(
        tx,
        await createRow(tx, actor, PROMOCODE, { code, discountId, customerId, isActive }),
      );
    }),
  );
}

/** Changes a promo code except its text. Problems: not-found, version-conflict, validation. */
export function editPromocode(
  deps: { db: Database },
  actor: Actor,
  id: number,
  { version, ...edit }: PromocodeEdit,
): Promise<Answered> {
  return commitEdit(deps, async (tx) => {
    await requireDiscount(tx, edit.discountId);
    await editRow(tx, actor, PROMOCODE, { id, version, fields: omitUndefined(edit) });
    return getPromocode(tx, id);
  });
}

/** Deletes a promo code. Carts then report it as UNKNOWN. Problem `not-found`. */
export function deletePromocode(deps: { db: Database }, actor: Actor, id: number): Promise<void> {
  return commitEdit(deps, (tx) => deleteRow(tx, actor, PROMOCODE, id));
}

/** Throws `validation` unless the discount exists and needs a promo code. */
export async function requireDiscount({ db }: Tx, id: number | undefined): Promise<void> {
  if (id === undefined) return;
  const discount = await db
    .selectFrom('discount')
    .select('needsPromocode')
    .where('id', '=', id)
    .executeTakeFirst();
  if (discount === undefined) throw invalidField('discountId', 'not_found', 'No such discount.');

  if (!discount.needsPromocode)
    throw invalidField('discountId', 'not_supported', 'This discount needs no promo code.');
}
