import { Type } from 'typebox';
import type { Endpoint, EndpointGroup, CallOptions } from '../call.ts';
import { checkThen, maybe, Uuid } from '../schemas/check.ts';
import { checkRows } from '../schemas/read-rows.ts';

/** `zone` is the ERP's zone. */
export type ErpServer = {
  organizationId: string;
  terminalGroupId: string;
  zone: string | null;
  minutes: number;
};

const ALLOWED: Endpoint<ErpServer[]> = {
  path: '/api/1/delivery_restrictions/allowed',
  // The request contains the location of a guest.
  personal: 'IN_BOTH',
  check: checkThen(
    checkRows(
      Type.Object({
        isAllowed: Type.Boolean(),
        allowedItems: maybe(
          Type.Array(
            Type.Object({
              terminalGroupId: Uuid,
              organizationId: Uuid,
              deliveryDurationInMinutes: Type.Number(),
              zone: maybe(Type.String()),
            }),
          ),
        ),
      }),
    ),
    ({ isAllowed, allowedItems }) =>
      (isAllowed ? (allowedItems ?? []) : []).map((entry) => ({
        organizationId: entry.organizationId.toLowerCase(),
        terminalGroupId: entry.terminalGroupId.toLowerCase(),
        zone: entry.zone?.trim() ?? null,
        minutes: Math.round(entry.deliveryDurationInMinutes),
      })),
  ),
};

export type DeliveryAllowedCalls = {
  deliveryServers(
    connectionId: number,
    request: { organizationIds: string[]; coords: readonly [number, number] },
    options?: CallOptions,
  ): Promise<ErpServer[]>;
};

/**
 * Lists organizations that deliver to a location (longitude, latitude), in the ERP's order. The
 * request has no sum, because our rules check minimum sums (ERP-18).
 */
export const deliveryAllowedCalls: EndpointGroup<DeliveryAllowedCalls> = (call) => ({
  deliveryServers: async (
    connectionId,
    { organizationIds, coords: [longitude, latitude] },
    options,
  ) => {
    const body = {
      organizationIds,
      orderLocation: { latitude, longitude },
      isCourierDelivery: true,
    };

    return (await call(connectionId, ALLOWED, body, options)).data;
  },
});
