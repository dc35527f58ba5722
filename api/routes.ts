import { authRoutes } from './admin/access/auth.ts';
import { meRoutes } from './admin/access/me.ts';
import { secondFactorRoutes } from './admin/access/second-factor.ts';
import { securityEventsRoute } from './admin/access/security-events.ts';
import { signOnRoutes } from './admin/access/sign-on.ts';
import { userRoutes } from './admin/access/users.ts';
import { roleRoutes } from './admin/access/roles.ts';
import { apiKeyRoutes } from './admin/access/api-keys.ts';
import { auditRoute } from './admin/access/audit.ts';
import { erpItemRoutes } from './admin/binding/erp-items.ts';
import { incidentRoutes } from './admin/binding/incidents.ts';
import { rebindRoutes } from './admin/binding/rebind.ts';
import { variantSuggestionsRoute } from './admin/catalog/variant-suggestions.ts';
import { variantRoutes } from './admin/catalog/variants.ts';
import { badgeRoutes } from './admin/catalog/badges.ts';
import { categoryRoutes } from './admin/catalog/categories.ts';
import { modifierRoutes } from './admin/catalog/modifiers.ts';
import { productRoutes } from './admin/catalog/products.ts';
import { variantAxisRoutes } from './admin/catalog/variant-axes.ts';
import { giftDayRoutes } from './admin/ordering/gift-days.ts';
import { compensationCandidateRoutes } from './admin/gifts/candidates.ts';
import { compensationClientRoutes } from './admin/gifts/clients.ts';
import { compensationConflictRoutes } from './admin/gifts/conflicts.ts';
import { unauthorizedGiftRoutes } from './admin/gifts/unauthorized.ts';
import { connectionRoutes } from './admin/connections/connections.ts';
import { webhookSecretRoutes } from './admin/connections/webhook-secrets.ts';
import { busyModeRoutes } from './admin/delivery/busy-mode.ts';
import { deliveryZoneRoutes } from './admin/delivery/delivery-zones.ts';
import { franchiseRoutes } from './admin/connections/owners.ts';
import { copyOrderingRoute, copyOrderingToManyRoute } from './admin/delivery/copy-ordering.ts';
import { expectationRuleRoutes } from './admin/delivery/expectation-rules.ts';
import { noticeRoutes } from './admin/delivery/notices.ts';
import { orderingRoutes } from './admin/delivery/ordering.ts';
import { organizationPaymentRoutes } from './admin/delivery/organization-payment-methods.ts';
import { paymentMethodRoutes } from './admin/delivery/payment-methods.ts';
import { scheduleExceptionRoutes } from './admin/delivery/schedule-exceptions.ts';
import { exportRoutes } from './admin/exports.ts';
import { eventsRoute } from './admin/events/events.ts';
import { webhookEndpointRoutes } from './admin/events/webhook-endpoints.ts';
import { mediaRoutes } from './admin/media/media.ts';
import { referenceRoutes } from './admin/mirror/reference.ts';
import { stopListsRoute } from './admin/mirror/stop-lists.ts';
import { syncPauseRoutes } from './admin/mirror/sync-pauses.ts';
import { syncStatusRoute, syncRunRoutes } from './admin/mirror/sync-runs.ts';
import { settingRoutes } from './admin/settings/settings.ts';
import { explainRoutes } from './admin/menus/explain.ts';
import { compositionAdminRoutes } from './admin/ordering/composition.ts';
import { staffOrderRoutes } from './admin/ordering/orders.ts';
import { orderSendingRoutes } from './admin/ordering/order-sending.ts';
import { giftOfCartRoutes } from './admin/ordering/gifts.ts';
import { compensationRoutes } from './admin/gifts/compensations.ts';
import { rewardRoutes } from './admin/gifts/rewards.ts';
import { discountAdminRoutes } from './admin/ordering/discounts.ts';
import { snapshotRoutes } from './admin/menus/snapshots.ts';
import { staffStreamRoute } from './admin/observability/staff-stream.ts';
import { workRoute } from './admin/observability/work.ts';
import { overviewRoutes } from './admin/observability/overview.ts';
import { notificationRoutes } from './admin/notifications/notifications.ts';
import { fulfillmentRoutes } from './storefront/delivery/routes.ts';
import { deliveryRoutes } from './storefront/delivery/delivery.ts';
import type { Route } from './http/route.ts';
import { cartRoutes } from './storefront/ordering/cart.ts';
import { preflightRoute } from './storefront/ordering/checkout.ts';
import { slotsRoute } from './storefront/ordering/slots.ts';
import { giftRoutes } from './storefront/ordering/gifts.ts';
import { orderRoutes } from './storefront/ordering/orders.ts';
import { storefrontRoutes } from './storefront/browse.ts';
import { erpWebhookRoute } from './webhooks/erp.ts';

export const routes: readonly Route[] = [
  ...storefrontRoutes,
  ...fulfillmentRoutes,
  ...cartRoutes,
  ...deliveryRoutes,
  slotsRoute,
  preflightRoute,
  ...giftRoutes,
  ...orderRoutes,
  erpWebhookRoute,
  ...authRoutes,
  ...signOnRoutes,
  ...meRoutes,
  ...secondFactorRoutes,
  ...userRoutes,
  ...roleRoutes,
  ...apiKeyRoutes,
  auditRoute,
  securityEventsRoute,
  ...franchiseRoutes,
  ...connectionRoutes,
  ...webhookSecretRoutes,
  ...referenceRoutes,
  stopListsRoute,
  ...syncRunRoutes,
  ...syncPauseRoutes,
  syncStatusRoute,
  ...categoryRoutes,
  ...variantAxisRoutes,
  ...productRoutes,
  ...modifierRoutes,
  ...badgeRoutes,
  ...erpItemRoutes,
  variantSuggestionsRoute,
  ...incidentRoutes,
  ...variantRoutes,
  ...rebindRoutes,
  ...mediaRoutes,
  ...notificationRoutes,
  workRoute,
  staffStreamRoute,
  ...overviewRoutes,
  eventsRoute,
  ...webhookEndpointRoutes,
  ...settingRoutes,
  ...rewardRoutes,
  ...compensationRoutes,
  ...giftOfCartRoutes,
  ...compensationCandidateRoutes,
  ...compensationClientRoutes,
  ...compensationConflictRoutes,
  ...unauthorizedGiftRoutes,
  ...giftDayRoutes,
  ...discountAdminRoutes,
  ...compositionAdminRoutes,
  ...orderSendingRoutes,
  ...staffOrderRoutes,
  ...exportRoutes,
  ...snapshotRoutes,
  ...explainRoutes,
  ...orderingRoutes,
  ...scheduleExceptionRoutes,
  copyOrderingRoute,
  copyOrderingToManyRoute,
  ...busyModeRoutes,
  ...expectationRuleRoutes,
  ...noticeRoutes,
  ...paymentMethodRoutes,
  ...organizationPaymentRoutes,
  ...deliveryZoneRoutes,
];
