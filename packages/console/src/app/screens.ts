import type { ComponentType } from 'react';
import type { OperationId } from '../data/api.ts';
import type { TextKey } from '../texts/texts.ts';

/** The groups of the navigation, in their order. */
export const GROUPS = ['operate', 'orders', 'catalog', 'setup', 'people'] as const;
export type Group = (typeof GROUPS)[number];

export type Screen = {
  path: string;
  title: TextKey;
  /** The read that it cannot do without; screens that the person may not read are not listed. */
  needs: OperationId;
  /** Its place in the navigation; null for a screen that others link to. */
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

/** Every screen of the console. */
export const SCREENS: readonly Screen[] = [
  screen('operate', '/', 'now.title', 'getWork', () => import('../screens/now.tsx')),
  screen(
    'operate',
    '/restaurants',
    'restaurants.title',
    'getOrganizationsOverview',
    () => import('../screens/restaurants.tsx'),
  ),
  screen('operate', '/missing', 'missing.title', 'listMissingProducts', () => import('../screens/missing.tsx')),
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
  screen('operate', '/incidents', 'incidents.title', 'listBindingIncidents', () => import('../screens/incidents.tsx')),
  screen(null, '/incidents/$id', 'incident.title', 'getBindingIncident', () => import('../screens/incident.tsx')),
  screen('orders', '/orders', 'orders.title', 'listStaffOrders', () => import('../screens/orders.tsx')),
  screen(null, '/orders/$id', 'order.title', 'getStaffOrder', () => import('../screens/order.tsx')),
  screen(null, '/account', 'account.title', 'me', () => import('../screens/account.tsx')),
];
