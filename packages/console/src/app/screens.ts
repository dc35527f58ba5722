import type { ComponentType } from 'react';
import type { OperationId } from '../data/api.ts';
import type { TextKey } from '../texts/texts.ts';

/** In the order of the navigation. */
export const GROUPS = ['operate', 'orders', 'catalog', 'setup', 'people'] as const;
export type Group = (typeof GROUPS)[number];

export type Screen = {
  path: string;
  title: TextKey;
  /** Required read. Screens that the person may not read are not listed. */
  needs: OperationId;
  /** Null for a screen without a navigation entry. */
  group: Group | null;
  load: () => Promise<{ Screen: ComponentType }>;
};

const screen = (
  group: Group | null,
  path: string,
  title: TextKey,
  needs: OperationId,
  load: Screen['load'],
): Screen => ({
  group,
  path,
  title,
  needs,
  load,
});

export const SCREENS: readonly Screen[] = [
  screen('operate', '/', 'now.title', 'getWork', () => import('../screens/now.tsx')),
  screen(
    'operate',
    '/restaurants',
    'restaurants.title',
    'getOrganizationsOverview',
    () => import('../screens/restaurants.tsx'),
  ),
  screen(
    'operate',
    '/missing',
    'missing.title',
    'listMissingProducts',
    () => import('../screens/missing.tsx'),
  ),
  screen(
    'operate',
    '/notifications',
    'notifications.title',
    'listNotifications',
    () => import('../screens/notifications.tsx'),
  ),
  screen(
    null,
    '/notifications/$id',
    'notifications.title',
    'getNotification',
    () => import('../screens/notification.tsx'),
  ),
  screen('operate', '/sync', 'sync.title', 'getSyncStatus', () => import('../screens/sync.tsx')),
  screen(null, '/sync/runs/$id', 'run.title', 'getSyncRun', () => import('../screens/run.tsx')),
  screen(
    'operate',
    '/incidents',
    'incidents.title',
    'listBindingIncidents',
    () => import('../screens/incidents.tsx'),
  ),
  screen(
    null,
    '/incidents/$id',
    'incident.title',
    'getBindingIncident',
    () => import('../screens/incident.tsx'),
  ),
  screen(
    'orders',
    '/orders',
    'orders.title',
    'listStaffOrders',
    () => import('../screens/orders.tsx'),
  ),
  screen(null, '/orders/$id', 'order.title', 'getStaffOrder', () => import('../screens/order.tsx')),
  screen('orders', '/guest', 'guest.title', 'findClient', () => import('../screens/guest.tsx')),
  screen(
    'orders',
    '/gifts',
    'gifts.title',
    'listCompensations',
    () => import('../screens/gifts.tsx'),
  ),
  screen(null, '/gifts/$id', 'gift.title', 'getCompensation', () => import('../screens/gift.tsx')),
  screen(
    'orders',
    '/decisions',
    'decisions.title',
    'listCompensationCandidates',
    () => import('../screens/decisions.tsx'),
  ),
  screen(
    'orders',
    '/reconciliation',
    'reconciliation.title',
    'listGiftDays',
    () => import('../screens/reconciliation.tsx'),
  ),
  screen(
    'orders',
    '/rewards',
    'rewards.title',
    'listRewards',
    () => import('../screens/rewards.tsx'),
  ),
  screen(
    'catalog',
    '/new-dishes',
    'dishes.title',
    'listErpItems',
    () => import('../screens/new-dishes.tsx'),
  ),
  screen(
    null,
    '/new-dishes/$id',
    'dishes.title',
    'getErpItem',
    () => import('../screens/new-dish.tsx'),
  ),
  screen(
    'catalog',
    '/products',
    'products.title',
    'listProducts',
    () => import('../screens/products.tsx'),
  ),
  screen(
    null,
    '/products/$id',
    'product.title',
    'getProduct',
    () => import('../screens/product.tsx'),
  ),
  screen(
    'catalog',
    '/categories',
    'categories.title',
    'listCategories',
    () => import('../screens/categories.tsx'),
  ),
  screen(
    'catalog',
    '/pictures',
    'pictures.title',
    'listMedia',
    () => import('../screens/pictures.tsx'),
  ),
  screen('catalog', '/menus', 'menus.title', 'getSnapshot', () => import('../screens/menus.tsx')),
  screen(
    'catalog',
    '/modifiers',
    'modifiers.title',
    'listModifierGroups',
    () => import('../screens/modifiers.tsx'),
  ),
  screen('setup', '/setup', 'setup.title', 'getOrdering', () => import('../screens/setup.tsx')),
  screen(
    null,
    '/setup/$id',
    'setup.title',
    'getOrdering',
    () => import('../screens/restaurant.tsx'),
  ),
  screen(
    'setup',
    '/exceptions',
    'exceptions.title',
    'listAllScheduleExceptions',
    () => import('../screens/exceptions.tsx'),
  ),
  screen(
    'setup',
    '/zones',
    'zones.title',
    'listDeliveryZones',
    () => import('../screens/zones.tsx'),
  ),
  screen(
    'setup',
    '/offers',
    'offers.title',
    'listDiscounts',
    () => import('../screens/offers.tsx'),
  ),
  screen(
    'setup',
    '/payments',
    'payments.title',
    'listPaymentMethods',
    () => import('../screens/payments.tsx'),
  ),
  screen(
    'people',
    '/connections',
    'connections.title',
    'listConnections',
    () => import('../screens/connections.tsx'),
  ),
  screen('people', '/users', 'users.title', 'listUsers', () => import('../screens/users.tsx')),
  screen('people', '/roles', 'roles.title', 'listRoles', () => import('../screens/roles.tsx')),
  screen('people', '/audit', 'audit.title', 'listAudit', () => import('../screens/audit.tsx')),
  screen('people', '/keys', 'keys.title', 'listApiKeys', () => import('../screens/keys.tsx')),
  screen(
    'people',
    '/webhooks',
    'webhooks.title',
    'listWebhookEndpoints',
    () => import('../screens/webhooks.tsx'),
  ),
  screen(
    'people',
    '/settings',
    'settings.title',
    'listSettings',
    () => import('../screens/settings.tsx'),
  ),
  screen(null, '/account', 'account.title', 'me', () => import('../screens/account.tsx')),
];
