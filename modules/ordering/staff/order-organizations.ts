import type { Sql } from '../../../platform/db/database.ts';
import { namedOrganizationsOfUuids } from '../../mirror/organization-of-uuid.ts';
import type { StaffOrganization } from '../schemas/orders.ts';

/** Adds the number, ERP id and name of the restaurant (rule HTTP-108). */
export async function withOrganizations<T extends { organizationId: string }>(
  from: Sql,
  orders: readonly T[],
): Promise<(Omit<T, 'organizationId'> & StaffOrganization)[]> {
  const erpIds = [...new Set(orders.map(({ organizationId }) => organizationId))];
  const organizations = await namedOrganizationsOfUuids(from, erpIds);

  return orders.map(({ organizationId: organizationErpId, ...order }) => {
    const organization = organizations.get(organizationErpId);
    if (organization === undefined)
      throw new Error(`the mirror has no organization ${organizationErpId}`);

    return {
      ...order,
      organizationId: organization.id,
      organizationErpId,
      organizationName: organization.name,
    };
  });
}
