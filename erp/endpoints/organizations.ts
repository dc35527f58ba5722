import type { Endpoint, EndpointGroup, CallOptions, ErpAnswer } from '../call.ts';
import type { Check } from '../schemas/check.ts';
import { checkRows } from '../schemas/read-rows.ts';
import { OrganizationsAnswer, type ErpOrganization } from '../schemas/organizations.ts';

const check = checkRows(OrganizationsAnswer);
const ROW = /^organizations\.\d+$/;

/**
 * A row without id or name invalidates the list, which decides which restaurants exist (MIR-22).
 */
const checkOrganizations: Check<{ organizations: ErpOrganization[] }> = (answer) => {
  const result = check(answer);
  const lost = 'data' in result ? result.odd?.find(({ place }) => ROW.test(place)) : undefined;
  return lost === undefined ? result : { fault: lost.fault };
};

const ORGANIZATIONS: Endpoint<{ organizations: ErpOrganization[] }> = {
  path: '/api/1/organizations',
  check: checkOrganizations,
};

export type OrganizationCalls = {
  organizations(
    connectionId: number,
    options?: CallOptions,
  ): Promise<ErpAnswer<{ organizations: ErpOrganization[] }>>;
};

/** Includes disabled organizations (ERP-12). */
export const organizationCalls: EndpointGroup<OrganizationCalls> = (call) => ({
  organizations: (connectionId, options) =>
    call(
      connectionId,
      ORGANIZATIONS,
      { organizationIds: null, returnAdditionalInfo: true, includeDisabled: true },
      options,
    ),
});
