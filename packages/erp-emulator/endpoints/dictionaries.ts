import { randomUUID } from 'node:crypto';
import type { Context } from '../state.ts';
import { failure, ok, stringList } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';
import { terminalRow, visibleOrganizations } from './organizations.ts';

type Rows = (context: Context) => readonly object[];

/** Returns an endpoint that answers the same rows for each requested organization. */
function wrapped(name: string, rows: Rows): (context: Context, body: Body) => Answer {
  return (context, body) => {
    const wanted = stringList(body.organizationIds);
    if (!wanted) return failure(400, 'organizationIds is required.');
    const organizations = visibleOrganizations(context).filter(({ id }) => wanted.includes(id));
    const items = rows(context);

    return ok({
      correlationId: randomUUID(),
      [name]: organizations.map(({ id }) => ({ organizationId: id, items })),
    });
  };
}

/** Returns order types, including deleted ones. Orders have another name for pickup. */
export const orderTypes = wrapped('orderTypes', ({ state }) =>
  state.dataset.dictionaries.orderTypes.map((row) => ({ ...row, externalRevision: 12 })),
);

export const discounts = wrapped('discounts', ({ state }) =>
  state.dataset.dictionaries.discounts.map((row) => ({
    ...row,
    isCategorisedDiscount: false,
    productCategoryDiscounts: [],
    comment: null,
    canBeAppliedSelectively: false,
    canApplyByCardNumber: false,
    isCard: false,
    isAutomatic: false,
  })),
);

/** Returns a flat list. Payment types belong to organizations only through terminal groups. */
export function paymentTypes(context: Context, body: Body): Answer {
  const wanted = stringList(body.organizationIds);
  if (!wanted) return failure(400, 'organizationIds is required.');
  const terminalGroups = visibleOrganizations(context)
    .filter(({ id }) => wanted.includes(id))
    .flatMap((organization) =>
      organization.terminalGroups.map((group) => terminalRow(organization, group)),
    );

  const rows = context.state.dataset.dictionaries.paymentTypes.map((row) => ({
    ...row,
    comment: null,
    combinable: true,
    externalRevision: 5,
    applicableMarketingCampaigns: [],
    printCheque: true,
    paymentProcessingType: 'Both',
    terminalGroups,
  }));

  return ok({ correlationId: randomUUID(), paymentTypes: rows });
}
