import type { Endpoint, EndpointGroup, CallOptions, ErpAnswer } from '../call.ts';
import { checkThen } from '../schemas/check.ts';
import { checkRows } from '../schemas/read-rows.ts';
import { DeliveryRestrictionsAnswer, type ErpDeliveryMap } from '../schemas/delivery-restrictions.ts';

const DELIVERY_RESTRICTIONS: Endpoint<{ maps: ErpDeliveryMap[] }> = {
  path: '/api/1/delivery_restrictions',
  check: checkThen(checkRows(DeliveryRestrictionsAnswer), (answer) => ({ maps: answer.deliveryRestrictions })),
};

export type DeliveryRestrictionCalls = {
  deliveryRestrictions(
    connectionId: number,
    organizationIds: string[],
    options?: CallOptions,
  ): Promise<ErpAnswer<{ maps: ErpDeliveryMap[] }>>;
};

/** Zones, rules and defaults of the organizations, one map for each. */
export const deliveryRestrictionCalls: EndpointGroup<DeliveryRestrictionCalls> = (call) => ({
  deliveryRestrictions: (connectionId, organizationIds, options) =>
    call(connectionId, DELIVERY_RESTRICTIONS, { organizationIds }, options),
});
