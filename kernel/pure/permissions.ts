export const PERMISSIONS = [
  'catalog.read',
  'catalog.write',
  'catalog.publish',
  'media.read',
  'media.write',
  'sync.read',
  'sync.run',
  'sync.accept',
  'connections.read',
  'connections.manage',
  'franchise.read',
  'franchise.manage',
  'settings.read',
  'settings.manage',
  'snapshot.read',
  'snapshot.manage',
  'incidents.read',
  'incidents.manage',
  'notifications.read',
  'events.read',
  'webhooks.manage',
  'compensations.read',
  'compensations.grant',
  'compensations.manage',
  'orders.read',
  'orders.manage',
  'ordering.read',
  'ordering.manage',
  'audit.read',
  'users.manage',
  'keys.manage',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Never granted to API keys (ACC-31). */
const PERSONAL: readonly Permission[] = ['users.manage', 'keys.manage'];
export const KEY_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter(
  (name) => !PERSONAL.includes(name),
);

/** ACC-60. */
const INCLUDED: Readonly<Partial<Record<Permission, readonly Permission[]>>> = {
  'ordering.manage': ['ordering.read'],
};

/** Adds included permissions; sorted and unique. */
export function withIncluded(permissions: readonly Permission[]): Permission[] {
  const all = permissions.flatMap((permission) => [permission, ...(INCLUDED[permission] ?? [])]);
  return [...new Set(all)].toSorted();
}

/**
 * Roles of a new database, which staff may edit. Only some give access to orders and gifts of
 * guests (ACC-15).
 */
export const SEED_ROLES: readonly {
  code: string;
  name: string;
  permissions: readonly Permission[];
}[] = [
  { code: 'ADMIN', name: 'Administrator', permissions: PERMISSIONS },
  {
    code: 'CONTENT_MANAGER',
    name: 'Content manager',
    permissions: [
      'catalog.read',
      'catalog.write',
      'catalog.publish',
      'media.read',
      'media.write',
      'sync.read',
      'snapshot.read',
      'snapshot.manage',
      'incidents.read',
      'incidents.manage',
      'notifications.read',
    ],
  },
  {
    code: 'OPERATOR',
    name: 'Operator',
    permissions: [
      'catalog.read',
      'media.read',
      'sync.read',
      'sync.run',
      'snapshot.read',
      'connections.read',
      'incidents.read',
      'incidents.manage',
      'notifications.read',
      'ordering.read',
      'ordering.manage',
    ],
  },
  {
    code: 'RESTAURANT_MANAGER',
    name: 'Restaurant manager',
    permissions: [
      'catalog.read',
      'media.read',
      'sync.read',
      'snapshot.read',
      'incidents.read',
      'notifications.read',
      'orders.read',
      'orders.manage',
      'ordering.read',
      'ordering.manage',
    ],
  },
  {
    code: 'GUEST_SERVICE',
    name: 'Guest service',
    permissions: [
      'catalog.read',
      'media.read',
      'snapshot.read',
      'notifications.read',
      'orders.read',
      'orders.manage',
      'ordering.read',
      'compensations.read',
      'compensations.grant',
    ],
  },
  {
    code: 'VIEWER',
    name: 'Viewer',
    permissions: [
      'catalog.read',
      'media.read',
      'sync.read',
      'snapshot.read',
      'connections.read',
      'incidents.read',
      'notifications.read',
      'ordering.read',
    ],
  },
];
