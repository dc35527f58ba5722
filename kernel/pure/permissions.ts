/** Every permission of the admin API; roles are rows with a list of these. */
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

/** Permissions of people only: no API key has one (rule ACC-31). */
const PERSONAL: readonly Permission[] = ['users.manage', 'keys.manage'];
/** Permissions that an API key may have. */
export const KEY_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter((name) => !PERSONAL.includes(name));

/** Permissions that another one includes (rule ACC-60). */
const INCLUDED: Readonly<Partial<Record<Permission, readonly Permission[]>>> = {
  'ordering.manage': ['ordering.read'],
};

/** These permissions and those that they include, each once, in alphabetical order. */
export function withIncluded(permissions: readonly Permission[]): Permission[] {
  const all = permissions.flatMap((permission) => [permission, ...(INCLUDED[permission] ?? [])]);
  return [...new Set(all)].toSorted();
}

/**
 * Roles that a new database starts with; staff may edit them afterwards. Only those that are named
 * for it show guests (rule ACC-15).
 */
export const SEED_ROLES: readonly { code: string; name: string; permissions: readonly Permission[] }[] = [
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
