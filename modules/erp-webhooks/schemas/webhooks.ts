import { Type, type Static } from 'typebox';
import { Count, Named } from '../../../kernel/pure/schemas.ts';

export const ORDER_WEBHOOKS = ['DeliveryOrderUpdate', 'DeliveryOrderError'] as const;

/** WHK-4. */
export const HANDLED_WEBHOOKS = ['StopListUpdate', ...ORDER_WEBHOOKS] as const;
export type HandledWebhook = (typeof HANDLED_WEBHOOKS)[number];

/** Other types share one label, because metrics must have few labels. */
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

/** `stored` counts new events of handled types. */
export const WebhookReceipt = Named(
  'WebhookReceipt',
  Type.Object({ received: Count, stored: Count }),
);

export type WebhookReceipt = Static<typeof WebhookReceipt>;
