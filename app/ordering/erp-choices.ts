import type { Sql } from '../../db/database.ts';
import { json } from '../../db/database.ts';
import type { ErpChoices } from '../../domain/ordering/erp-types.ts';
import type { CallOptions } from '../../erp/client.ts';
import type { OrderDeps } from './order-deps.ts';

/** A dictionary is asked for again after this time. */
const FRESH_MS = 60 * 60_000;

/** What the ERP told last of what an order of a connection may name; null when it was never asked. */
export async function readErpChoices(
  { db }: Sql,
  connectionId: number,
): Promise<(ErpChoices & { readAt: Date }) | null> {
  const row = await db
    .selectFrom('erp_choices')
    .select(['paymentTypes', 'discountTypes', 'readAt'])
    .where('connectionId', '=', connectionId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * What an order of a connection may name, at most an hour old, or older while the ERP does not answer. Throws the failure of the ERP when
 * it was never known. A second call finds what the first has written.
 */
export async function freshErpChoices(
  deps: Pick<OrderDeps, 'db' | 'erp'>,
  connectionId: number,
  options?: CallOptions,
): Promise<ErpChoices> {
  const known = await readErpChoices(deps.db, connectionId);
  if (known !== null && Date.now() - known.readAt.getTime() < FRESH_MS) return known;
  try {
    return await refreshErpChoices(deps, connectionId, options);
  } catch (error) {
    if (known === null || options?.signal?.aborted === true) throw error;
    return known;
  }
}

/** Asks the ERP for the dictionaries of a connection and keeps them. Throws what the client of the ERP throws. */
async function refreshErpChoices(
  { db, erp }: Pick<OrderDeps, 'db' | 'erp'>,
  connectionId: number,
  options?: CallOptions,
): Promise<ErpChoices> {
  const organizations = await db.db
    .selectFrom('served_organization')
    .select('erpId')
    .where('connectionId', '=', connectionId)
    .orderBy('id')
    .execute();
  const ids = organizations.map((each) => each.erpId);
  const payments = await erp.paymentTypes(connectionId, ids, options);
  const discounts = await erp.discounts(connectionId, ids, options);
  const choices: ErpChoices = {
    paymentTypes: payments.map(({ id, code, name, kind, terminalGroups }) => ({
      id: id.toLowerCase(),
      code,
      name,
      kind,
      organizationIds: [...new Set(terminalGroups.map((each) => each.organizationId.toLowerCase()))],
    })),
    discountTypes: [...Map.groupBy(discounts, (each) => each.id.toLowerCase())].map(([id, rows]) => ({
      id,
      name: rows[0]!.name,
      mode: rows[0]!.mode,
      isManual: rows[0]!.isManual,
      minOrderSum: rows[0]!.minOrderSum,
      organizationIds: rows.map((each) => each.organizationId.toLowerCase()),
    })),
  };
  const stored = { paymentTypes: json(choices.paymentTypes), discountTypes: json(choices.discountTypes) };
  await db.db
    .insertInto('erp_choices')
    .values({ connectionId, ...stored })
    .onConflict((conflict) => conflict.column('connectionId').doUpdateSet({ ...stored, readAt: new Date() }))
    .execute();
  return choices;
}
