import { sql, type RawBuilder } from 'kysely';
import { json, type Database, type Sql } from '../../../platform/db/database.ts';
import {
  chooseErpNames,
  nameableLists,
  type ChosenTypes,
  type ErpChoices,
  type ErpNames,
} from '../rules/erp-names.ts';
import type { ErpClient } from '../../../erp/client.ts';
import type { CallOptions } from '../../../erp/call.ts';

/**
 * Selects the ERP id of the organization that receives all orders of a connection (FUL-47), or
 * null.
 */
export const selectCallCenter = (
  connectionId: RawBuilder<number>,
): RawBuilder<string | null> => sql<string | null>`
  (select center.erp_id from mirror_organization center
     join setting on setting.key = 'call_center_organization' and lower(setting.value #>> '{}') = center.erp_id::text
    where center.connection_id = ${connectionId} and center.inactive_at is null)`;

type Deps = { db: Database; erp: ErpClient };

/** Incomplete dictionaries, which may lack a new organization, expire sooner. */
const FRESH_MS = 60 * 60_000;
const INCOMPLETE_MS = 2 * 60_000;

/** Reads stored dictionaries; null before the first response of the ERP. */
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

type NameColumns = {
  listedPayments: ErpChoices['paymentTypes'] | null;
  listedDiscounts: ErpChoices['discountTypes'] | null;
  chosenPayments: ChosenTypes['paymentTypes'] | null;
  chosenDiscount: string | null;
  callCenter: string | null;
};

/** Returns the ERP names for orders of an organization; null without stored dictionaries. */
export function namesFrom(
  organizationErpId: string,
  { listedPayments, listedDiscounts, chosenPayments, chosenDiscount, callCenter }: NameColumns,
): ErpNames | null {
  if (listedPayments === null || listedDiscounts === null) return null;
  return chooseErpNames(
    callCenter ?? organizationErpId,
    { paymentTypes: listedPayments, discountTypes: listedDiscounts },
    { paymentTypes: chosenPayments ?? {}, discountTypeId: chosenDiscount },
  );
}

/** Reads the ERP names for orders of all organizations with stored dictionaries. */
export async function readErpNames({ db }: Sql): Promise<Map<number, ErpNames>> {
  const connections = await db
    .selectFrom('erp_choices as listed')
    .leftJoin('order_sending as chosen', 'chosen.connectionId', 'listed.connectionId')
    .select([
      'listed.connectionId',
      'listed.paymentTypes as listedPayments',
      'listed.discountTypes as listedDiscounts',
      'chosen.paymentTypes as chosenPayments',
      'chosen.discountTypeId as chosenDiscount',
      selectCallCenter(sql.ref('listed.connectionId')).as('callCenter'),
    ])
    .execute();

  const known = new Map(connections.map((connection) => [connection.connectionId, connection]));
  const organizations = await db
    .selectFrom('mirror_organization')
    .select(['id', 'erpId', 'connectionId'])
    .orderBy('id')
    .execute();

  return new Map(
    organizations.flatMap(({ id, erpId, connectionId }) => {
      const columns = known.get(connectionId);
      const names = columns === undefined ? null : namesFrom(erpId, columns);
      return names === null ? [] : [[id, names] as const];
    }),
  );
}

/**
 * Reads dictionaries that are at most an hour old (two minutes if incomplete), or older ones while
 * the ERP does not respond. Throws the ERP failure if none are stored.
 */
export async function freshErpChoices(
  deps: Deps,
  connectionId: number,
  options?: CallOptions,
): Promise<ErpChoices> {
  const existing = await readErpChoices(deps.db, connectionId);
  if (existing !== null && (await isFresh(deps.db, connectionId, existing))) return existing;

  try {
    return await refreshErpChoices(deps, connectionId, existing, options);
  } catch (error) {
    if (existing === null || options?.signal?.aborted === true) throw error;
    return existing;
  }
}

async function isFresh(
  { db }: Sql,
  connectionId: number,
  { paymentTypes, readAt }: ErpChoices & { readAt: Date },
): Promise<boolean> {
  const age = Date.now() - readAt.getTime();
  if (age < INCOMPLETE_MS || age >= FRESH_MS) return age < INCOMPLETE_MS;
  const served = await db
    .selectFrom('served_organization')
    .select('erpId')
    .where('connectionId', '=', connectionId)
    .execute();

  const named = new Set(paymentTypes.flatMap((paymentType) => paymentType.organizationIds));

  return served.every(({ erpId }) => named.has(erpId));
}

/**
 * Keeps `known` for another hour if all usable entries disappear, so that guests can pay (MIR-57).
 */
async function refreshErpChoices(
  { db, erp }: Deps,
  connectionId: number,
  known: (ErpChoices & { readAt: Date }) | null,
  options?: CallOptions,
): Promise<ErpChoices> {
  const organizations = await db.db
    .selectFrom('answered_organization')
    .select(['erpId', selectCallCenter(sql.lit(connectionId)).as('callCenter')])
    .where('connectionId', '=', connectionId)
    .orderBy('id')
    .execute();

  const ids = [
    ...new Set(
      organizations.flatMap(({ erpId, callCenter }) => [
        erpId,
        ...(callCenter === null ? [] : [callCenter]),
      ]),
    ),
  ];

  const payments = await erp.paymentTypes(connectionId, ids, options);
  const discounts = await erp.discounts(connectionId, ids, options);
  const choices: ErpChoices = {
    paymentTypes: payments.map(({ id, code, name, kind, terminalGroups }) => ({
      id: id.toLowerCase(),
      code,
      name,
      kind,
      organizationIds: [
        ...new Set(terminalGroups.map((group) => group.organizationId.toLowerCase())),
      ],
    })),
    discountTypes: [...Map.groupBy(discounts, (discount) => discount.id.toLowerCase())].map(
      ([id, rows]) => ({
        id,
        name: rows[0]!.name,
        mode: rows[0]!.mode,
        isManual: rows[0]!.isManual,
        minOrderSum: rows[0]!.minOrderSum,
        organizationIds: rows.map((row) => row.organizationId.toLowerCase()),
      }),
    ),
  };

  if (
    known !== null &&
    isEmptied(ids, known, choices) &&
    Date.now() - known.readAt.getTime() < 2 * FRESH_MS
  )
    return known;

  const columns = {
    paymentTypes: json(choices.paymentTypes),
    discountTypes: json(choices.discountTypes),
  };

  await db.db
    .insertInto('erp_choices')
    .values({ connectionId, ...columns })
    .onConflict((conflict) =>
      conflict.column('connectionId').doUpdateSet({ ...columns, readAt: new Date() }),
    )
    .execute();

  return choices;
}

function isEmptied(ids: readonly string[], known: ErpChoices, choices: ErpChoices): boolean {
  const here = new Set(ids.map((id) => id.toLowerCase()));
  const [before, after] = [nameableLists(here, known), nameableLists(here, choices)];

  return (['paymentTypes', 'discountTypes'] as const).some(
    (list) =>
      (before[list] && !after[list]) || (known[list].length > 0 && choices[list].length === 0),
  );
}
