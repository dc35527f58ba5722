import type { Actor } from '../../kernel/actor.ts';
import { holdForEdit, requireVersion, saveEdit } from '../../kernel/edits.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import { commitOrderingEdit, requireOrganization } from './configuration/commit-edit.ts';
import { withTypes, type Availability } from './configuration/copy-ordering.ts';
import type { OrganizationPayments, OrganizationPaymentsEdit } from './schemas/context.ts';
import { PaymentMethod } from './tables/delivery.ts';

/**
 * Returns the payment methods of an organization. `version` increases whenever a method changes.
 * Problem `not-found`.
 */
export async function getOrganizationPayments(
  from: Sql,
  organizationId: number,
): Promise<OrganizationPayments> {
  await requireOrganization(from, organizationId);
  const rows = await storedMethods(from);

  return {
    organizationId,
    methods: rows.map(({ code, name, isEnabled, availability }) => ({
      code,
      name,
      isEnabled,
      fulfillmentTypes: typesAt(availability, organizationId),
    })),
    version: sumVersions(rows),
  };
}

const storedMethods = ({ db }: Sql) =>
  db
    .selectFrom('payment_method')
    .select(['code', 'name', 'isEnabled', 'availability', 'version'])
    .orderBy('sortOrder')
    .orderBy('code')
    .execute();

const sumVersions = (rows: readonly { version: number }[]) =>
  rows.reduce((sum, { version }) => sum + version, 0);

const typesAt = (availability: Availability, organizationId: number) =>
  availability.find((entry) => entry.organizationId === organizationId)?.fulfillmentTypes ?? [];

/**
 * Sets the payment methods of an organization; absent methods are not changed (FUL-94). Problems:
 * not-found, version-conflict, validation.
 */
export function setOrganizationPayments(
  deps: { db: Database },
  actor: Actor,
  organizationId: number,
  { version, methods }: OrganizationPaymentsEdit,
): Promise<OrganizationPayments> {
  const codes = methods.map(({ code }) => code);
  const twice = codes.findIndex((code, at) => codes.indexOf(code) !== at);
  if (twice !== -1)
    throw new Problem('validation', {
      errors: [{ field: `methods.${twice}.code`, code: 'duplicate', message: 'is named twice' }],
    });

  return commitOrderingEdit(deps, async (tx) => {
    await requireOrganization(tx, organizationId);
    const rows = await storedMethods(tx);
    requireVersion(sumVersions(rows), version);

    // Sorted, so that concurrent edits do not deadlock.
    for (const { code, availability, version: seen } of rows.toSorted((a, b) =>
      a.code < b.code ? -1 : 1,
    )) {
      const types = methods.find((method) => method.code === code)?.fulfillmentTypes;
      if (
        types === undefined ||
        types.toSorted().join() === typesAt(availability, organizationId).toSorted().join()
      )
        continue;

      const row = await holdForEdit(tx, PaymentMethod, { code }, { seen });
      const changed = await saveEdit(tx, row, {
        availability: withTypes(availability, organizationId, [...types]),
      });
      if (changed !== null)
        await recordAudit(tx, actor, {
          entityType: 'payment-method',
          entityId: code,
          action: 'update',
          ...changed,
        });
    }

    return getOrganizationPayments(tx, organizationId);
  });
}
