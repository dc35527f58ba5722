import type { PaymentMethod as Answered, PaymentMethodEdit } from '../schemas/context.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { PaymentMethod } from '../tables/delivery.ts';
import type { ErpNames } from '../rules/erp-names.ts';
import { isUnnamed, PAYMENT_METHODS, type PaymentCode } from '../rules/payment-methods.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { holdForEdit, saveEdit } from '../../../kernel/edits.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { requireOrganizations } from '../../../kernel/require-organizations.ts';
import { differing } from '../../access/audit/audited-rows.ts';
import { commitOrderingEdit } from './commit-edit.ts';
import { readErpNames } from './erp-choices.ts';

const COLUMNS = [
  'code',
  'name',
  'isEnabled',
  'allowsLeaveAtDoor',
  'requiresChange',
  'sortOrder',
  'availability',
  'updatedAt',
  'version',
] as const;

type Row = Omit<Answered, 'isCash' | 'isOnline' | 'needsPaymentPort' | 'missingAt'>;

const toAnswer = (row: Row, names: ReadonlyMap<number, ErpNames>): Answered => ({
  ...row,
  ...PAYMENT_METHODS[row.code],
  missingAt: row.availability
    .map(({ organizationId }) => organizationId)
    .filter((organizationId) => isUnnamed(row.code, names.get(organizationId) ?? null)),
});

export async function listPaymentMethods(tx: Sql, paging: Paging): Promise<Page<Answered>> {
  const page = await readPage(
    tx.db.selectFrom('payment_method').select(COLUMNS).orderBy('sortOrder').orderBy('code'),
    paging,
  );
  const names = await readErpNames(tx);

  return { ...page, items: page.items.map((row) => toAnswer(row, names)) };
}

export async function getPaymentMethod(tx: Sql, code: PaymentCode): Promise<Answered> {
  const row = await tx.db
    .selectFrom('payment_method')
    .select(COLUMNS)
    .where('code', '=', code)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));

  return toAnswer(row, await readErpNames(tx));
}

/**
 * Changes a payment method; replaces `availability`. Problems: not-found, version-conflict,
 * validation.
 */
export function editPaymentMethod(
  deps: { db: Database },
  actor: Actor,
  code: PaymentCode,
  { version, name, availability, ...flags }: PaymentMethodEdit,
): Promise<Answered> {
  const change = omitUndefined({
    ...flags,
    name: name === undefined ? undefined : requiredTexts({ name }, { name: 100 }).name,
    availability: availability?.filter((entry) => entry.fulfillmentTypes.length > 0),
  });

  return commitOrderingEdit(deps, async (tx) => {
    await requireOrganizations(
      tx,
      availability?.map(({ organizationId }) => organizationId),
      'availability',
      '.organizationId',
    );

    const row = await holdForEdit(tx, PaymentMethod, { code }, { seen: version });
    const changed = await saveEdit(tx, row, differing(row, change));
    if (changed !== null)
      await recordAudit(tx, actor, {
        entityType: 'payment-method',
        entityId: code,
        action: 'update',
        ...changed,
      });

    return getPaymentMethod(tx, code);
  });
}
