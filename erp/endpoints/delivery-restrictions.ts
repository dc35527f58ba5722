import type { Endpoint, EndpointGroup, CallOptions, ErpAnswer } from '../call.ts';
import { checkThen } from '../schemas/check.ts';
import { checkRows } from '../schemas/read-rows.ts';
import {
  DeliveryRestrictionsAnswer,
  type ErpDeliveryMap,
} from '../schemas/delivery-restrictions.ts';

type Zone = NonNullable<ErpDeliveryMap['deliveryZones']>[number];

/** A corner that is no object makes the border invalid. */
const withCorners = ({ coordinates, ...zone }: Zone): Zone => ({
  ...zone,
  coordinates: (coordinates ?? []).map((corner: unknown) =>
    typeof corner === 'object' && corner !== null ? corner : {},
  ),
});

const DELIVERY_RESTRICTIONS: Endpoint<{ maps: ErpDeliveryMap[] }> = {
  path: '/api/1/delivery_restrictions',
  check: checkThen(checkRows(DeliveryRestrictionsAnswer), ({ deliveryRestrictions }) => ({
    maps: deliveryRestrictions.map((map) => ({
      ...map,
      deliveryZones: map.deliveryZones?.map(withCorners) ?? null,
    })),
  })),
};

export type DeliveryRestrictionCalls = {
  deliveryRestrictions(
    connectionId: number,
    organizationIds: string[],
    options?: CallOptions,
  ): Promise<ErpAnswer<{ maps: ErpDeliveryMap[] }>>;
};

/** Returns one map per organization. */
export const deliveryRestrictionCalls: EndpointGroup<DeliveryRestrictionCalls> = (call) => ({
  deliveryRestrictions: (connectionId, organizationIds, options) =>
    call(connectionId, DELIVERY_RESTRICTIONS, { organizationIds }, options),
});
