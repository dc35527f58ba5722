import type { Discount as Answered, DiscountEdit, NewDiscount } from '../schemas/requests.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { Discount } from '../tables/carts.ts';
import { toKopecks } from '../../../kernel/pure/money.ts';
import { selectUses } from './discount-uses.ts';
import {
  DAY_MINUTES,
  discountErrors,
  parseMinute,
  formatTime,
  normalCode,
} from '../rules/discount-fields.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { createRow, deleteRow, editRow } from '../../access/audit/audited-rows.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { sharesScope, type Scope } from '../../../kernel/scope.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { requireOrganizations } from '../../../kernel/require-organizations.ts';
import { commitEdit } from '../../../kernel/edits.ts';

const DISCOUNT = {
  entity: Discount,
  entityType: 'discount',
  missing: 'No such discount.',
} as const;

type Values = Omit<DiscountEdit, 'version'>;

export async function listDiscounts(
  { db }: Sql,
  { scope, ...paging }: Paging & { scope: Scope },
): Promise<Page<Answered>> {
  const discounts = db
    .selectFrom('discount')
    .selectAll()
    .select(selectUses('discount'))
    .where((eb) => sharesScope(eb.ref('organizationIds'), scope))
    .orderBy('id', 'desc');

  const page = await readPage(discounts, paging);

  return { ...page, items: page.items.map(toView) };
}

/** Problem `not-found`. */
export async function getDiscount({ db }: Sql, id: number): Promise<Answered> {
  const row = await db
    .selectFrom('discount')
    .selectAll()
    .select(selectUses('discount'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: DISCOUNT.missing }));

  return toView(row);
}

/** Creates a discount, which applies at once. Problems: validation, duplicate (code). */
export function createDiscount(
  deps: { db: Database },
  actor: Actor,
  input: NewDiscount,
  idempotency: Idempotency | null,
): Promise<Answered> {
  const fields = toColumns(input);
  const { kind, value } = fields;
  if (kind === undefined || value === undefined)
    throw invalidField('percent', 'required', 'A discount takes off a percentage or an amount.');
  const { code, name } = requiredTexts(
    { code: normalCode(input.code) ?? '', name: input.name },
    { code: 50, name: 200 },
  );

  requireValid({ ...NO_CONDITIONS, ...fields });

  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      await requireOrganizations(tx, fields.organizationIds);
      return getDiscount(
        tx,
        await createRow(tx, actor, DISCOUNT, { ...fields, code, name, kind, value }),
      );
    }),
  );
}

/** Changes a discount, but not its code. Problems: not-found, version-conflict, validation. */
export function editDiscount(
  deps: { db: Database },
  actor: Actor,
  id: number,
  { version, name, ...edit }: DiscountEdit,
): Promise<Answered> {
  const fields = {
    ...toColumns(edit),
    ...(name === undefined ? {} : requiredTexts({ name }, { name: 200 })),
  };

  return commitEdit(deps, async (tx) => {
    await requireOrganizations(tx, fields.organizationIds);
    await editRow(tx, actor, DISCOUNT, { id, version, fields, check: requireValid });
    return getDiscount(tx, id);
  });
}

/**
 * Deletes an unused discount. Problems: not-found, invalid-transition (used; disable it instead).
 */
export function deleteDiscount(deps: { db: Database }, actor: Actor, id: number): Promise<void> {
  return commitEdit(deps, (tx) => deleteRow(tx, actor, DISCOUNT, id));
}

const NO_CONDITIONS = {
  startsAt: null,
  endsAt: null,
  fromMinute: null,
  toMinute: null,
  weekdays: null,
};

function toColumns(edit: Values) {
  const { percent, amount, minSubtotal, startsAt, endsAt, fromTime, toTime, ...same } = edit;
  if (percent != null && amount != null)
    throw invalidField(
      'amount',
      'invalid',
      'A discount takes off a percentage or an amount, not both.',
    );

  const moment = (text: string | null | undefined) => (text == null ? text : new Date(text));
  const minute = (text: string | null | undefined) => (text == null ? text : parseMinute(text));
  const value = percent ?? (amount == null ? undefined : kopecks('amount', amount));

  return omitUndefined({
    ...same,
    kind:
      percent == null ? (amount == null ? undefined : ('FIXED' as const)) : ('PERCENT' as const),
    value,
    minSubtotalKopecks: minSubtotal === undefined ? undefined : kopecks('minSubtotal', minSubtotal),
    startsAt: moment(startsAt),
    endsAt: moment(endsAt),
    fromMinute: minute(fromTime),
    // Midnight is the end of the day.
    toMinute: minute(toTime) === 0 ? DAY_MINUTES : minute(toTime),
  });
}

function kopecks(field: string, rubles: number): number {
  const amount = toKopecks(rubles);
  if (amount === null) throw invalidField(field, 'invalid', 'must have at most two decimals');
  return amount;
}

function requireValid(fields: Parameters<typeof discountErrors>[0]): void {
  const errors = discountErrors(fields);
  if (errors.length > 0) throw new Problem('validation', { errors });
}

type Row = {
  kind: 'PERCENT' | 'FIXED';
  value: number;
  minSubtotalKopecks: number;
  fromMinute: number | null;
  toMinute: number | null;
} & Omit<
  Answered,
  'percent' | 'amount' | 'minSubtotal' | 'fromTime' | 'toTime' | 'otherOrganizations'
>;

function toView({ kind, value, minSubtotalKopecks, fromMinute, toMinute, ...row }: Row): Answered {
  const time = (minute: number | null) => (minute === null ? null : formatTime(minute));
  return {
    ...row,
    otherOrganizations: 0,
    percent: kind === 'PERCENT' ? value : null,
    amount: kind === 'FIXED' ? value : null,
    minSubtotal: minSubtotalKopecks,
    fromTime: time(fromMinute),
    toTime: time(toMinute === null ? null : toMinute % DAY_MINUTES),
  };
}
