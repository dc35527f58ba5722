import { sql } from 'kysely';
import type { OrderSending, OrderSendingEdit } from '../schemas/order-sending.ts';
import { Problem } from '../../../kernel/problem.ts';
import { json, type Database, type Sql } from '../../../platform/db/database.ts';
import { fieldError, type FieldError } from '../../../kernel/pure/field-errors.ts';
import { organizationSwitches } from '../../mirror/rules/organization-switches.ts';
import { organizationsOfUuids } from '../../mirror/organization-of-uuid.ts';
import { switchFields } from '../../mirror/switch-fields.ts';
import {
  chooseErpNames,
  SENT_PAYMENT_CODES,
  type ChosenTypes,
  type ErpChoices,
  type ErpNames,
} from '../rules/erp-names.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { requireVersion, saveKeyed } from '../../../kernel/edits.ts';
import { readErpChoices, selectCallCenter } from './erp-choices.ts';
import { commitOrderingEdit } from './commit-edit.ts';

type Chosen = ChosenTypes & { marketingSourceId: string | null };
type Stored = Chosen & { updatedAt: Date | null; version: number };

const NOTHING: Stored = {
  paymentTypes: {},
  discountTypeId: null,
  marketingSourceId: null,
  updatedAt: null,
  version: 0,
};

async function readChosenTypes({ db }: Sql, connectionId: number): Promise<Stored> {
  const row = await db
    .selectFrom('order_sending')
    .select(['paymentTypes', 'discountTypeId', 'marketingSourceId', 'updatedAt', 'version'])
    .where('connectionId', '=', connectionId)
    .executeTakeFirst();

  return row ?? NOTHING;
}

/** Returns the ERP names for orders of a connection. Problem `not-found`. */
export async function getOrderSending(tx: Sql, connectionId: number): Promise<OrderSending> {
  await requireConnection(tx, connectionId);
  const { updatedAt, ...chosen } = await readChosenTypes(tx, connectionId);
  const choices = await readErpChoices(tx, connectionId);
  const listed = [...(choices?.paymentTypes ?? []), ...(choices?.discountTypes ?? [])];
  const numbers = await organizationsOfUuids(tx, [
    ...new Set(listed.flatMap(({ organizationIds }) => organizationIds)),
  ]);
  const findNumbers = (erpIds: readonly string[]): number[] =>
    erpIds.flatMap((erpId) => numbers.get(erpId) ?? []);

  return {
    connectionId,
    ...chosen,
    paymentTypes: { ...chosen.paymentTypes },
    missing: await findMissing(tx, connectionId, choices, chosen),
    choices:
      choices === null
        ? null
        : {
            paymentTypes: choices.paymentTypes.map(({ id, name, kind, organizationIds }) => ({
              id,
              name,
              kind,
              organizationIds: findNumbers(organizationIds),
            })),
            discountTypes: choices.discountTypes.map(({ id, name, mode, organizationIds }) => ({
              id,
              name,
              kind: mode,
              organizationIds: findNumbers(organizationIds),
            })),
            readAt: choices.readAt.toISOString(),
          },
    updatedAt: updatedAt === null ? null : updatedAt.toISOString(),
  };
}

/**
 * Sets the ERP names for orders: null uses the ERP's dictionary, absent fields do not change
 * (ORD-54). Applies to waiting orders. Problems: not-found, version-conflict, validation.
 */
export function editOrderSending(
  deps: { db: Database },
  actor: Actor,
  connectionId: number,
  { version, paymentTypes = {}, discountTypeId, marketingSourceId }: OrderSendingEdit,
): Promise<OrderSending> {
  return commitOrderingEdit(deps, async (tx) => {
    await requireConnection(tx, connectionId);
    const currentChoice = await readChosenTypes(tx, connectionId);
    requireVersion(currentChoice.version, version);
    const newChoice: Chosen = {
      paymentTypes: withoutNulls({ ...currentChoice.paymentTypes, ...paymentTypes }),
      discountTypeId:
        discountTypeId === undefined
          ? currentChoice.discountTypeId
          : (discountTypeId?.toLowerCase() ?? null),
      marketingSourceId:
        marketingSourceId === undefined
          ? currentChoice.marketingSourceId
          : (marketingSourceId?.toLowerCase() ?? null),
    };

    const { updatedAt: _, version: _version, ...before } = currentChoice;
    if (JSON.stringify(before) === JSON.stringify(newChoice))
      return getOrderSending(tx, connectionId);
    const errors = unknownErrors(newChoice, await readErpChoices(tx, connectionId));
    if (errors.length > 0) throw new Problem('validation', { errors });
    await saveKeyed(
      tx,
      { table: 'order_sending', key: 'connectionId', of: connectionId, seen: version },
      { ...newChoice, paymentTypes: json(newChoice.paymentTypes) },
    );

    await recordAudit(tx, actor, {
      entityType: 'order-sending',
      entityId: connectionId,
      action: 'update',
      before,
      after: newChoice,
    });

    return getOrderSending(tx, connectionId);
  });
}

async function requireConnection({ db }: Sql, connectionId: number): Promise<void> {
  await db
    .selectFrom('connection')
    .select('id')
    .where('id', '=', connectionId)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
}

/** Sorted, so that equal choices have equal texts. */
function withoutNulls(
  chosen: Readonly<Record<string, string | null | undefined>>,
): ChosenTypes['paymentTypes'] {
  return Object.fromEntries(
    SENT_PAYMENT_CODES.flatMap((code) =>
      chosen[code] == null ? [] : [[code, chosen[code].toLowerCase()]],
    ),
  );
}

/** The ERP may accept ids that it does not list. */
function unknownErrors(
  { paymentTypes, discountTypeId }: ChosenTypes,
  choices: ErpChoices | null,
): FieldError[] {
  const isUnknown = (
    id: string | null | undefined,
    listed: readonly { id: string }[] | undefined,
  ): boolean =>
    id != null &&
    listed !== undefined &&
    listed.length > 0 &&
    !listed.some((entry) => entry.id === id);

  const no = 'The ERP lists no such id.';

  return [
    ...SENT_PAYMENT_CODES.filter((code) =>
      isUnknown(paymentTypes[code], choices?.paymentTypes),
    ).map((code) => fieldError(`paymentTypes.${code}`, 'not_found', no)),
    ...(isUnknown(discountTypeId, choices?.discountTypes)
      ? [fieldError('discountTypeId', 'not_found', no)]
      : []),
  ];
}

async function findMissing(
  { db }: Sql,
  connectionId: number,
  choices: ErpChoices | null,
  chosen: Chosen,
): Promise<OrderSending['missing']> {
  const organizations = await db
    .selectFrom('served_organization as served')
    .innerJoin('mirror_organization as organization', 'organization.id', 'served.id')
    .select([
      'served.id',
      'served.erpId',
      selectCallCenter(sql.lit(connectionId)).as('callCenter'),
      switchFields(sql.ref('organization.raw')).as('switches'),
    ])
    .where('served.connectionId', '=', connectionId)
    .orderBy('served.id')
    .execute();

  return organizations.flatMap(({ id, erpId, callCenter, switches }) => {
    const lacksSource =
      organizationSwitches(switches).needsMarketingSource && chosen.marketingSourceId === null;
    const missing = [
      ...(choices === null
        ? []
        : missingNames(chooseErpNames(callCenter ?? erpId, choices, chosen))),
      ...(lacksSource ? ['MARKETING_SOURCE'] : []),
    ];

    return missing.map((what) => ({ organizationId: id, what }));
  });
}

const missingNames = ({ payments, discountTypeId }: ErpNames): string[] => [
  ...SENT_PAYMENT_CODES.filter((code) => payments[code] === undefined),
  ...(discountTypeId === null ? ['DISCOUNT'] : []),
];
