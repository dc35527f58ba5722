import type { Endpoint, EndpointGroup, CallOptions, ErpAnswer } from '../call.ts';
import { checkOf } from '../schemas/check.ts';
import { OrganizationsAnswer, type ErpOrganization } from '../schemas/organizations.ts';

const ORGANIZATIONS: Endpoint<{ organizations: ErpOrganization[] }> = {
  path: '/api/1/organizations',
  check: checkOf(OrganizationsAnswer),
};

export type OrganizationCalls = {
  organizations(connectionId: number, options?: CallOptions): Promise<ErpAnswer<{ organizations: ErpOrganization[] }>>;
};

/** Every organization of the account with its address, disabled ones included (rule ERP-12). */
export const organizationCalls: EndpointGroup<OrganizationCalls> = (call) => ({
  organizations: (connectionId, options) =>
    call(
      connectionId,
      ORGANIZATIONS,
      { organizationIds: null, returnAdditionalInfo: true, includeDisabled: true },
      options,
    ),
});
