import { Type, type Static } from 'typebox';
import { Count, Named } from '../../../kernel/pure/schemas.ts';

export const ORDER_WEBHOOKS = ['DeliveryOrderUpdate', 'DeliveryOrderError'] as const;

/** WHK-4. */
export const HANDLED_WEBHOOKS = ['StopListUpdate', ...ORDER_WEBHOOKS] as const;
export type HandledWebhook = (typeof HANDLED_WEBHOOKS)[number];

/** Others are counted under one name, because labels of metrics must be few. */
export const KNOWN_WEBHOOKS: readonly string[] = [
  ...HANDLED_WEBHOOKS,
  'ReserveUpdate',
  'ReserveError',
  'TableOrderUpdate',
  'TableOrderError',
  'PersonalShift',
  'KitchenOrderUpdate',
  'NomenclatureUpdate',
  'BusinessHoursAndMappingUpdate',
];

/** `stored`: new events that are handled. */
export const WebhookReceipt = Named(
  'WebhookReceipt',
  Type.Object({ received: Count, stored: Count }),
);
export type WebhookReceipt = Static<typeof WebhookReceipt>;
