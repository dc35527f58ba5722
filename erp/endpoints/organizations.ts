import type { Endpoint, EndpointGroup } from '../call.ts';
import { checkOf } from '../schemas/check.ts';
import { OrganizationsAnswer, type ErpOrganization } from '../schemas/organizations.ts';

const ORGANIZATIONS: Endpoint<{ organizations: ErpOrganization[] }> = {
  path: '/api/1/organizations',
  check: checkOf(OrganizationsAnswer),
};

/** Every organization of the account with its address, disabled ones included (spec 2, Calls). */
export const organizationCalls: EndpointGroup<'organizations'> = (call) => ({
  organizations: (connectionId, options) =>
    call(
      connectionId,
      ORGANIZATIONS,
      { organizationIds: null, returnAdditionalInfo: true, includeDisabled: true },
      options,
    ),
});
